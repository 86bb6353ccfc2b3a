//! The waiting list: coming, looking and leaving; and the offers, which the pulse makes.
//!
//! Who waits shows an access token, however old: it proves their place in the line. An offer is a hold, and comes with an access token
//! that is good as long as the offer.

use std::time::Duration;

use domain::hold::{Release, Take, TakeRefusal};
use domain::ids::{EventId, HoldId, SeatId};
use domain::items::{Hold, HoldState, WaitState, Waiting};
use domain::map::Map;
use domain::plan::Decided;
use domain::price::{Quote, SeatWish, quote};
use domain::time::EventMs;
use domain::token::{AccessToken, Token as _};
use domain::waiting::{Join, Leave, OFFER_MS, Offer, OfferRefusal, StandsOffered};
use lambda_http::{Body, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use table::{DecideError, TableError};

use crate::access::{self, Visitor, visitor};
use crate::answer;
use crate::app::App;
use crate::best::{Lost, Wish, ordinary_left};
use crate::call::Call;
use crate::events::Event;
use crate::problem::Problem;

/// Offers that one pulse makes at most, and how long it takes for them: it answers within two seconds.
const AT_ONCE: i32 = 16;
const WITHIN: Duration = Duration::from_millis(500);
/// How many in front of somebody are counted at most.
const AHEAD: i32 = 100;
/// How often other seats are looked for after a lost race.
const RACES: u32 = 3;

/// How many seats are waited for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    quantity: u32,
}

/// Puts the caller on the list, or changes how many seats are wanted.
pub async fn join(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let Asked { quantity } = call.json()?;
    let visitor = visitor(app, event, call).await?;
    let terms = app.events.get(&app.table, event).await?;
    let limits = terms.definition.limits;
    if !limits.waiting_list {
        return Err(Problem::NoWaitingList);
    }
    if quantity == 0 || quantity > limits.per_account {
        return Err(Problem::LimitExceeded { limit: limits.per_account, committed: 0 });
    }
    let some_left = ordinary_left(&terms.venue, &app.table.map(event).await?);
    if some_left && !app.table.anybody_waits(event).await? {
        return Err(Problem::NotSoldOut);
    }
    let AccessToken { account, place, lane, .. } = access::token(app, event, call)?;
    let keep_until = terms.definition.keep_until();
    let ended = ended_offer(app, event, &visitor).await?;
    let rule = Join { event: event.clone(), account, place, lane, quantity, ended, now: visitor.now(), keep_until };
    app.table.decide(rule).await.map_err(stands)?;
    Ok(answer::json(201, &view(app, event, call, &visitor).await?))
}

/// The last offer to somebody, if it has ended: whoever gave it back or paid it may wait again at once.
async fn ended_offer(app: &App, event: &EventId, visitor: &Visitor) -> Result<Option<HoldId>, Problem> {
    let last = app.table.waits(event, &visitor.account).await?.and_then(|one| one.hold);
    let Some(hold) = last else { return Ok(None) };
    let hold = app.table.hold(&hold).await?;
    Ok(hold.filter(|hold| !matches!(hold.state, HoldState::Live | HoldState::Claimed)).map(|hold| hold.id))
}

/// Shows how the caller stands on the list.
pub async fn show(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let visitor = visitor(app, event, call).await?;
    Ok(answer::json(200, &view(app, event, call, &visitor).await?))
}

/// Takes the caller off the list; an offer that stands is given back.
pub async fn leave(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let visitor = visitor(app, event, call).await?;
    let leave = Leave { event: event.clone(), account: visitor.account };
    match app.table.decide(leave).await {
        Err(DecideError::Refused(StandsOffered(Some(hold)))) => {
            if let Some(hold) = app.table.hold(&hold).await?.filter(|hold| hold.state == HoldState::Live) {
                // Paid, or over, meanwhile: there is nothing to give back.
                app.table.decide(Release::all(hold, visitor.account)).await.or_else(unless_table_failed)?;
            }
        }
        Err(DecideError::Table(error)) => return Err(error.into()),
        Ok(_) | Err(DecideError::Refused(StandsOffered(None))) => {}
    }
    Ok(answer::nothing())
}

fn unless_table_failed<R>(error: DecideError<R>) -> Result<Decided, TableError> {
    match error {
        DecideError::Table(error) => Err(error),
        DecideError::Refused(_) => Ok(Decided::Already),
    }
}

fn stands(error: DecideError<StandsOffered>) -> Problem {
    match error {
        DecideError::Table(error) => error.into(),
        DecideError::Refused(StandsOffered(Some(hold))) => Problem::HoldExists(hold),
        DecideError::Refused(StandsOffered(None)) => Problem::Internal, // an offer has a hold
    }
}

async fn view(app: &App, event: &EventId, call: &Call, visitor: &Visitor) -> Result<Value, Problem> {
    let stored = app.table.waits(event, &visitor.account).await?.filter(|one| one.state != WaitState::Left);
    let one = stored.ok_or(Problem::NotFound)?;
    let mut view = json!({"state": one.state.as_str(), "place": one.place, "quantity": one.quantity});
    if one.state == WaitState::Waiting {
        view["ahead"] = app.table.wait_before(&one, AHEAD).await?.into();
    }
    if let Some(id) = one.hold {
        let hold = app.table.hold(&id).await?.ok_or(Problem::Internal)?;
        view["state"] = offer_state(&hold, visitor.now()).into();
        view["hold"] = json!(hold.id);
        view["until_ms"] = json!(hold.until.0);
        view["remaining_ms"] = json!(hold.until.since(visitor.now()).max(0));
        let token = access::token(app, event, call)?;
        let token = AccessToken { rev: visitor.rev, expires: token.expires.max(hold.until), ..token };
        view["access_token"] = json!(token.encode(&app.keys, event));
    }
    Ok(view)
}

fn offer_state(hold: &Hold, now: EventMs) -> &'static str {
    match hold.state {
        HoldState::Live if hold.until >= now => "offered",
        HoldState::Claimed | HoldState::Sold => "taken",
        HoldState::Live | HoldState::Released | HoldState::Expired => "lapsed",
    }
}

/// What one pulse did for those who wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Offers made.
    pub made: u32,
    /// Seats that are free on this map and not for those who still stand in the line, since somebody waits for them.
    pub spoken_for: u32,
}

/// Offers seats that are free to those who wait, in the order of the line. Trouble is logged, not told: the next pulse goes on.
pub async fn offers(app: &App, event: &EventId, terms: &Event, map: &Map, now: EventMs) -> Offers {
    if !terms.definition.limits.waiting_list || !ordinary_left(&terms.venue, map) {
        return Offers::default();
    }
    let mut round = Round { app, event, terms, now, lost: Lost::default(), made: 0, waited: false };
    match tokio::time::timeout(WITHIN, round.go()).await {
        Ok(Ok(())) => {}
        Ok(Err(problem)) => tracing::warn!(%event, code = problem.kind().1, "returned seats are offered later"),
        Err(_) => tracing::warn!(%event, "offering returned seats ran out of time"),
    }
    Offers { made: round.made, spoken_for: if round.waited { free_seats(map) } else { 0 } }
}

fn free_seats(map: &Map) -> u32 {
    map.sections.iter().flat_map(|section| &section.levels).map(|level| level.free).sum()
}

/// What became of a try to offer seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// Offered, or passed over.
    Done,
    /// The seats were somebody else's, or there are none.
    Lost,
    /// They may not have so many.
    TooMany,
}

/// One pulse's offers.
struct Round<'a> {
    app: &'a App,
    event: &'a EventId,
    terms: &'a Event,
    now: EventMs,
    /// Seats that others got meanwhile, those offered in this round among them: the map does not know yet.
    lost: Lost,
    made: u32,
    waited: bool,
}

impl Round<'_> {
    async fn go(&mut self) -> Result<(), Problem> {
        for one in self.app.table.waiting(self.event, AT_ONCE).await? {
            self.waited = true;
            if !self.serve(&one).await? {
                break;
            }
        }
        Ok(())
    }

    /// Offers somebody what they want, or as much of it as there is and they may have; false when there is nothing.
    async fn serve(&mut self, one: &Waiting) -> Result<bool, Problem> {
        let mut last = Tried::Lost;
        for quantity in (1..=one.quantity).rev() {
            last = self.so_many(one, quantity as usize).await?;
            if last == Tried::Done {
                return Ok(true);
            }
        }
        if last == Tried::TooMany {
            self.remove(one).await?;
        }
        Ok(last == Tried::TooMany)
    }

    async fn so_many(&mut self, one: &Waiting, quantity: usize) -> Result<Tried, Problem> {
        for _ in 0..RACES {
            let picked = Wish::ordinary(quantity).pick(self.app, self.event, self.terms, &[], &self.lost).await;
            let picked = match picked {
                Err(Problem::NoneTogether) => break,
                other => other?,
            };
            match self.offer(one, &picked).await? {
                Tried::Lost => {}
                tried => return Ok(tried),
            }
        }
        Ok(Tried::Lost)
    }

    async fn offer(&mut self, one: &Waiting, seats: &[SeatWish]) -> Result<Tried, Problem> {
        let take = self.take(one, seats)?;
        let seats: Vec<SeatId> = take.seats.iter().map(|line| line.seat.clone()).collect();
        match self.app.table.decide(Offer { to: one.clone(), take }).await {
            Ok(decided) => {
                // Another pulse may have made this very offer.
                self.made += u32::from(decided == Decided::Committed);
                self.lost.seats.extend(seats);
                Ok(Tried::Done)
            }
            Err(DecideError::Table(error)) => Err(error.into()),
            Err(DecideError::Refused(OfferRefusal::NotTaken(
                TakeRefusal::SeatsTaken(taken) | TakeRefusal::ChannelRequired(taken),
            ))) => {
                self.lost.seats.extend(taken);
                Ok(Tried::Lost)
            }
            Err(DecideError::Refused(OfferRefusal::NotTaken(TakeRefusal::LimitExceeded { .. }))) => Ok(Tried::TooMany),
            // They left, or have another hold: they are passed over this time.
            Err(DecideError::Refused(_)) => Ok(Tried::Done),
        }
    }

    /// Somebody who may not have any more does not wait for it.
    async fn remove(&self, one: &Waiting) -> Result<(), Problem> {
        let leave = Leave { event: self.event.clone(), account: one.account };
        Ok(self.app.table.decide(leave).await.map(drop).or_else(|error| unless_table_failed(error).map(drop))?)
    }

    fn take(&self, one: &Waiting, seats: &[SeatWish]) -> Result<Take, Problem> {
        let Event { definition, venue } = self.terms;
        let priced = quote(definition, &venue.layout, &venue.index, seats, &[]);
        let Quote { seats, pools } = priced.map_err(|_| Problem::Internal)?; // seats of the layout, at their usual prices
        let hold = Offer::hold_of(one);
        Ok(Take {
            event: self.event.clone(),
            account: one.account,
            hold,
            seats,
            pools,
            channels: Vec::new(),
            currency: definition.currency.clone(),
            replaces: None,
            limit: definition.limits.per_account,
            now: self.now,
            hold_ms: OFFER_MS,
            fingerprint: hold.to_string(),
            keep_until: definition.keep_until(),
            lost: Vec::new(),
            paced: None,
        })
    }
}
