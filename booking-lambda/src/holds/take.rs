//! Taking places.

use checkout::wall_now;
use domain::channel;
use domain::hold::{HOLD_MS, Take, TakeRefusal};
use domain::ids::{ChannelId, EventId, HoldId};
use domain::items::Hold;
use domain::price::{PoolWish, Quote, SeatWish, Unpriced, quote};
use lambda_http::{Body, Response};
use rand::seq::SliceRandom as _;
use serde::Deserialize;
use table::DecideError;

use crate::access::{Visitor, shopper};
use crate::answer::{inconsistent, json};
use crate::app::App;
use crate::best::{self, Wish as Best};
use crate::call::Call;
use crate::events::Event;
use crate::problem::Problem;
use crate::{fingerprint, show};

/// What is wished for. Exactly one of `seats` and `bestAvailable` names seats; pools go with either.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Wish {
    #[serde(default)]
    seats: Vec<SeatWish>,
    #[serde(default)]
    pools: Vec<PoolWish>,
    best_available: Option<Best>,
    /// The key of a channel.
    channel: Option<String>,
    replaces: Option<HoldId>,
}

/// How often other seats are looked for after a lost race.
const PICKS: usize = 5;

/// Takes places. The same request again is answered with the same hold.
pub async fn take(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let (key, wish): (&str, Wish) = (call.key()?, call.json()?);
    if wish.best_available.is_some() && !wish.seats.is_empty() {
        return Err(Problem::BadRequest("either seats or bestAvailable"));
    }
    let visitor = shopper(app, event, call).await?;
    let terms = app.events.get(&app.table, event).await?;
    let asked = Asked {
        event,
        terms: &terms,
        visitor,
        id: HoldId::derive(&visitor.account, key),
        channels: channels(app, event, &visitor, wish.channel.as_deref())?,
        print: fingerprint::of(event, "holds", call.body()),
    };
    let hold = match &wish.best_available {
        None => asked.exactly(app, &wish, &wish.seats).await?,
        Some(best) => asked.best(app, &wish, best).await?,
    };
    Ok(json(201, &show::hold(&hold, visitor.now())))
}

struct Asked<'a> {
    event: &'a EventId,
    terms: &'a Event,
    visitor: Visitor,
    id: HoldId,
    print: String,
    channels: Vec<ChannelId>,
}

/// The channels that a buyer shows: that of the access token's lane, and that of a key.
fn channels(app: &App, event: &EventId, visitor: &Visitor, key: Option<&str>) -> Result<Vec<ChannelId>, Problem> {
    let by_lane = channel::of_lane(visitor.lane);
    let by_key = key.map(|key| channel::read(key, wall_now(), &app.keys, event)).transpose();
    Ok(by_lane.into_iter().chain(by_key.map_err(|_| Problem::ChannelKey)?).collect())
}

impl Asked<'_> {
    async fn exactly(&self, app: &App, wish: &Wish, seats: &[SeatWish]) -> Result<Hold, Problem> {
        let take = self.rule(app, wish, seats).await?;
        app.table.decide(take).await.map_err(not_taken)?;
        app.table.hold(&self.id).await?.ok_or(Problem::NotFound)
    }

    /// Picks seats and tries to take them; on a lost race it picks again, boundedly.
    async fn best(&self, app: &App, wish: &Wish, best: &Best) -> Result<Hold, Problem> {
        if let Some(hold) = self.taken_before(app).await? {
            return Ok(hold);
        }
        for _ in 0..PICKS {
            let seats = best::pick(app, self.event, self.terms, best, &self.channels).await?;
            match self.exactly(app, wish, &seats).await {
                Err(Problem::SeatsTaken(_) | Problem::ChannelRequired(_)) => {}
                other => return other,
            }
        }
        Err(Problem::NoneTogether)
    }

    /// The hold that this very request took before.
    async fn taken_before(&self, app: &App) -> Result<Option<Hold>, Problem> {
        match app.table.hold(&self.id).await? {
            Some(hold) if hold.fingerprint != self.print => Err(Problem::IdempotencyMismatch),
            known => Ok(known),
        }
    }

    async fn rule(&self, app: &App, wish: &Wish, seats: &[SeatWish]) -> Result<Take, Problem> {
        let replaces = match wish.replaces {
            Some(id) => Some(app.table.hold(&id).await?.ok_or(Problem::NotFound)?),
            None => None,
        };
        let terms = self.terms;
        let Quote { seats, pools } = self.quote(wish, seats)?;
        Ok(Take {
            event: self.event.clone(),
            account: self.visitor.account,
            hold: self.id,
            seats,
            pools,
            channels: self.channels.clone(),
            currency: terms.definition.currency.clone(),
            replaces,
            limit: terms.definition.limits.per_account,
            now: self.visitor.now(),
            hold_ms: HOLD_MS,
            fingerprint: self.print.clone(),
            keep_until: terms.definition.keep_until(),
            lost: Vec::new(),
            paced: None,
        })
    }

    /// The places at their prices; shares of pools are tried in random order.
    fn quote(&self, wish: &Wish, seats: &[SeatWish]) -> Result<Quote, Problem> {
        let Event { definition, venue } = self.terms;
        let quote = quote(definition, &venue.layout, &venue.index, seats, &wish.pools);
        let mut quote = quote.map_err(|unpriced| match unpriced {
            Unpriced::TooMany => Problem::LimitExceeded { limit: definition.limits.per_account, committed: 0 },
            Unpriced::Twice => Problem::BadRequest("a place was named twice"),
            Unpriced::SeatUnknown(seats) => Problem::SeatUnknown(seats),
            Unpriced::PoolUnknown => Problem::PlaceUnknown,
            Unpriced::TypeUnknown(name) => Problem::TypeUnknown(name),
        })?;
        for ask in &mut quote.pools {
            ask.order = (0..definition.pool(&ask.pool).map_or(0, |pool| pool.shares)).collect();
            ask.order.shuffle(&mut rand::rng());
        }
        Ok(quote)
    }
}

fn not_taken(error: DecideError<TakeRefusal>) -> Problem {
    let refusal = match error {
        DecideError::Table(error) => return error.into(),
        DecideError::Refused(refusal) => refusal,
    };
    match refusal {
        TakeRefusal::Nothing => Problem::BadRequest("no place was asked for"),
        TakeRefusal::Twice => Problem::BadRequest("a place was named twice"),
        TakeRefusal::LimitExceeded { limit, committed } => Problem::LimitExceeded { limit, committed },
        TakeRefusal::ReplacedUnknown => Problem::NotFound,
        TakeRefusal::Mismatch => Problem::IdempotencyMismatch,
        TakeRefusal::ReplacedPaid => Problem::HoldBeingPaid,
        TakeRefusal::SeatUnknown(seats) => Problem::SeatUnknown(seats),
        TakeRefusal::SeatsTaken(seats) => Problem::SeatsTaken(seats),
        TakeRefusal::ChannelRequired(seats) => Problem::ChannelRequired(seats),
        TakeRefusal::PoolExhausted { pool, left } => Problem::PoolExhausted(pool, left),
        TakeRefusal::HoldExists { hold } => Problem::HoldExists(hold),
        TakeRefusal::TooFast { wait_ms } => Problem::SlowDown(wait_ms),
        refusal @ TakeRefusal::Inconsistent(_) => inconsistent(&refusal),
    }
}
