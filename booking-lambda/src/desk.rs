//! What operators do with seats. Who may do it the edge has found out; its token is checked again here.

use std::collections::BTreeSet;

use checkout::wall_now;
use domain::allot::{Change, Finding, Label, Listing, Mark, Outcome, Reach, Spot, Why, sort};
use domain::ids::{ChannelId, EventId, SeatId};
use domain::items::{Kept, Seat};
use domain::time::{EventMs, WallMs};
use domain::token::{DeskToken, Token as _};
use lambda_http::{Body, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use table::DecideError;

use crate::answer::json as answer;
use crate::app::App;
use crate::call::Call;
use crate::events::Event;
use crate::problem::Problem;
use crate::route::Deed;

/// Seats of one call: with the edge's patience of 10 s far from its end.
const SEATS_MAX: usize = 1_000;
/// Seats of one transaction.
const CHUNK: usize = 50;

/// Which seats, and what the change needs to know.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    seats: BTreeSet<SeatId>,
    reason: Option<String>,
    name: Option<String>,
    until_ms: Option<i64>,
    channel: Option<ChannelId>,
    /// Whether seats may be taken from holds, also from those that are being paid.
    #[serde(default)]
    held_too: bool,
}

/// The edge says that an operator may do this.
fn authorized(app: &App, event: &EventId, call: &Call) -> Result<(), Problem> {
    let token = DeskToken::decode(call.desk().unwrap_or_default(), &app.keys, event);
    if token.is_ok_and(|token| token.live(wall_now())) { Ok(()) } else { Err(Problem::AccessRequired) }
}

/// Changes seats, in transactions of some seats each. Asking again goes on where a broken call ended.
pub async fn change(app: &App, event: &EventId, call: &Call, deed: Deed) -> Result<Response<Body>, Problem> {
    authorized(app, event, call)?;
    let ask: Ask = call.json()?;
    let change = meant(deed, &ask)?;
    let terms = app.events.get(&app.table, event).await?;
    let spots = spots(&terms, &ask.seats)?;
    let now = event_now(app, event).await?;
    let reach = if ask.held_too { Reach::HeldToo } else { Reach::Free };
    let mut outcome = Outcome::default();
    for chunk in spots.chunks(CHUNK) {
        let mark = Mark { event: event.clone(), change: change.clone(), spots: chunk.to_vec(), now };
        carry_out(app, mark, reach, &mut outcome).await?;
    }
    Ok(answer(200, &told(spots.len(), &outcome)))
}

/// Every seat by itself: those that stand in the way are named, the others change.
async fn carry_out(app: &App, mark: Mark, reach: Reach, outcome: &mut Outcome) -> Result<(), Problem> {
    let mut left = Some(mark);
    while let Some(mark) = left {
        left = match app.table.decide(mark.clone()).await {
            Ok(_) => None,
            Err(DecideError::Table(error)) => return Err(error.into()),
            Err(DecideError::Refused(findings)) => sort(&mark, findings, reach, outcome),
        };
    }
    Ok(())
}

fn meant(deed: Deed, ask: &Ask) -> Result<Change, Problem> {
    if ask.seats.is_empty() || ask.seats.len() > SEATS_MAX {
        return Err(Problem::BadRequest("a call names 1 to 1000 seats"));
    }
    let label = |text: &Option<String>| -> Result<Label, Problem> {
        let label = text.as_deref().unwrap_or_default().parse();
        label.map_err(|_| Problem::BadRequest("a reason or name is one line of 1 to 80 bytes of printable text"))
    };
    Ok(match deed {
        Deed::Block => Change::Block(label(&ask.reason)?),
        Deed::House => Change::House(label(&ask.name)?, ask.until_ms.map(WallMs)),
        Deed::Release => Change::Release,
        Deed::Assign => Change::Assign(ask.channel.clone()),
    })
}

fn spots(terms: &Event, seats: &BTreeSet<SeatId>) -> Result<Vec<Spot>, Problem> {
    let index = &terms.venue.index;
    let unknown: Vec<SeatId> = seats.iter().filter(|seat| index.get(seat).is_none()).cloned().collect();
    if !unknown.is_empty() {
        return Err(Problem::SeatUnknown(unknown));
    }
    let spot = |seat: &SeatId| Some(Spot { seat: seat.clone(), block: index.get(seat)?.block.clone(), from: None });
    Ok(seats.iter().filter_map(spot).collect())
}

/// Event time now; before the first beat nobody can hold anything, and any time will do.
async fn event_now(app: &App, event: &EventId) -> Result<EventMs, Problem> {
    let clock = app.table.clock(event).await?.map(|item| item.clock);
    Ok(clock.map_or(EventMs(0), |clock| clock.now(wall_now())))
}

fn told(asked: usize, outcome: &Outcome) -> Value {
    let taken = |(seat, hold): &(SeatId, domain::ids::HoldId)| json!({"seat": seat, "hold": hold});
    json!({
        "seats": asked,
        "changed": asked - outcome.refused.len(),
        "refused": outcome.refused.iter().map(finding).collect::<Vec<_>>(),
        "taken": outcome.taken.iter().map(taken).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let mut told = json!({"seat": finding.seat, "code": finding.why.code()});
    match &finding.why {
        Why::Held(hold) | Why::BeingPaid(hold) => told["hold"] = json!(hold),
        Why::Sold(order) => told["order"] = json!(order),
        Why::Kept(Some(Kept::Blocked { reason })) => told["reason"] = json!(reason),
        Why::Kept(Some(Kept::House { name, .. })) => told["name"] = json!(name),
        Why::Kept(None) | Why::Unknown | Why::Inconsistent => {}
    }
    told
}

/// Shows what is kept from general sale, from the seats themselves.
pub async fn list(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    authorized(app, event, call)?;
    let terms = app.events.get(&app.table, event).await?;
    let mut seats: Vec<Seat> = Vec::new();
    for block in terms.definition.sections.iter().flat_map(|section| &section.blocks) {
        seats.extend(app.table.seats(event, block).await?);
    }
    Ok(answer(200, &json!(Listing::of(&seats))))
}
