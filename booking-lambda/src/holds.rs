//! Holds: taking, showing, prolonging, giving back.

use domain::hold::{Extend, ExtendRefusal, Release, ReleaseRefusal};
use domain::ids::{EventId, HoldId, SeatId};
use domain::items::{Hold, HoldState};
use lambda_http::{Body, Response};
use serde::Deserialize;
use table::DecideError;

use crate::access::{Visitor, visitor};
use crate::answer::{inconsistent, json, nothing};
use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;
use crate::show;

mod singles;
mod take;

use take::Asked;
pub use take::take;

/// Shows a hold to its fan.
pub async fn show(app: &App, event: &EventId, call: &Call, id: HoldId) -> Result<Response<Body>, Problem> {
    let (visitor, hold) = own(app, event, call, id).await?;
    let terms = app.events.get(&app.table, event).await?;
    Ok(json(200, &show::hold(&hold, &terms.venue, visitor.now())))
}

/// Prolongs a hold, once. Asking again is answered with the hold as it is.
pub async fn extend(app: &App, event: &EventId, call: &Call, id: HoldId) -> Result<Response<Body>, Problem> {
    let (visitor, hold) = own(app, event, call, id).await?;
    let rule = Extend { hold, account: visitor.account, now: visitor.now() };
    app.table.decide(rule).await.map_err(not_extended)?;
    let hold = app.table.hold(&id).await?.ok_or(Problem::NotFound)?;
    let terms = app.events.get(&app.table, event).await?;
    Ok(json(200, &show::hold(&hold, &terms.venue, visitor.now())))
}

fn not_extended(error: DecideError<ExtendRefusal>) -> Problem {
    match error {
        DecideError::Table(error) => error.into(),
        DecideError::Refused(ExtendRefusal::NotYours) => Problem::NotFound,
        DecideError::Refused(ExtendRefusal::NotLive | ExtendRefusal::Overdue) => Problem::HoldEnded,
        DecideError::Refused(ExtendRefusal::Extended) => Problem::AlreadyExtended,
        DecideError::Refused(ExtendRefusal::SeatsGone(seats)) => Problem::SeatsGone(seats),
        DecideError::Refused(refusal @ ExtendRefusal::Inconsistent) => inconsistent(&refusal),
    }
}

/// Which seats to give back; without a body, or without seats, all places.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    seats: Vec<SeatId>,
}

/// Gives a hold back, or some seats of it.
pub async fn release(app: &App, event: &EventId, call: &Call, id: HoldId) -> Result<Response<Body>, Problem> {
    let which: Which = if call.body().is_empty() { Which::default() } else { call.json()? };
    let (visitor, hold) = own(app, event, call, id).await?;
    let rule = Release { hold, account: visitor.account, seats: which.seats, lost: Vec::new(), counted: true };
    app.table.decide(rule).await.map_err(not_released)?;
    Ok(nothing())
}

fn not_released(error: DecideError<ReleaseRefusal>) -> Problem {
    match error {
        DecideError::Table(error) => error.into(),
        DecideError::Refused(ReleaseRefusal::NotYours) => Problem::NotFound,
        DecideError::Refused(ReleaseRefusal::BeingPaid | ReleaseRefusal::Sold) => Problem::HoldBeingPaid,
        DecideError::Refused(ReleaseRefusal::SeatUnknown(seats)) => Problem::SeatUnknown(seats),
        DecideError::Refused(refusal @ ReleaseRefusal::Inconsistent) => inconsistent(&refusal),
    }
}

/// The caller and their hold. Somebody else's is as good as none.
pub async fn own(app: &App, event: &EventId, call: &Call, id: HoldId) -> Result<(Visitor, Hold), Problem> {
    let visitor = visitor(app, event, call).await?;
    let hold = app.table.hold(&id).await?;
    let own = hold.filter(|hold| hold.account == visitor.account && hold.event == *event);
    visitor.or_has(own.as_ref().is_some_and(|hold| keeps_session(hold, &visitor)))?;
    Ok((visitor, own.ok_or(Problem::NotFound)?))
}

/// A live hold, or one that is being paid, keeps its fan's session good for what concerns it.
fn keeps_session(hold: &Hold, visitor: &Visitor) -> bool {
    match hold.state {
        HoldState::Live => hold.until >= visitor.now(),
        HoldState::Claimed => true,
        HoldState::Sold | HoldState::Released | HoldState::Expired => false,
    }
}
