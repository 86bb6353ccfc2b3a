//! Taking places.

use checkout::sweep::{self, Broom};
use checkout::wall_now;
use domain::channel;
use domain::hold::{HOLD_MS, Take, TakeRefusal};
use domain::ids::{ChannelId, EventId, HoldId, SeatId};
use domain::items::Hold;
use domain::price::{PoolWish, Quote, SeatWish, Unpriced, quote};
use lambda_http::{Body, Response};
use rand::seq::SliceRandom as _;
use serde::Deserialize;
use table::DecideError;

use crate::access::{Visitor, shopper};
use crate::answer::{inconsistent, json};
use crate::app::App;
use crate::best::{Lost, Wish as Best};
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
const PICKS: u32 = 5;

/// How often overdue holds are looked for, when a pool has too few places, and how many at once.
const SWEEPS: usize = 3;
const BROOM: Broom = Broom { per_bucket: 16, within_ms: 500 };

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
    asked.leaves_to_the_waiting(app, &wish).await?;
    match &wish.best_available {
        None => Ok(json(201, &show::hold(&asked.picked(app, &wish).await?, &terms.venue, visitor.now()))),
        Some(best) => {
            let (hold, attempts) = asked.best(app, &wish, best).await?;
            let mut view = show::hold(&hold, &terms.venue, visitor.now());
            view["attempts"] = attempts.into();
            Ok(json(201, &view))
        }
    }
}

/// A request for a hold, with what is known of its caller and event.
pub(super) struct Asked<'a> {
    pub(super) event: &'a EventId,
    pub(super) terms: &'a Event,
    pub(super) visitor: Visitor,
    id: HoldId,
    print: String,
    pub(super) channels: Vec<ChannelId>,
}

/// The channels that a buyer shows: that of the access token's lane, and that of a key.
fn channels(app: &App, event: &EventId, visitor: &Visitor, key: Option<&str>) -> Result<Vec<ChannelId>, Problem> {
    let by_lane = channel::of_lane(visitor.lane);
    let by_key = key.map(|key| channel::read(key, wall_now(), &app.keys, event)).transpose();
    Ok(by_lane.into_iter().chain(by_key.map_err(|_| Problem::ChannelKey)?).collect())
}

impl Asked<'_> {
    /// While somebody waits for seats that come back, ordinary seats are for them. Wheelchair places, standing places and those of a
    /// channel are not offered to them, nor is anything taken away that this very request had before.
    async fn leaves_to_the_waiting(&self, app: &App, wish: &Wish) -> Result<(), Problem> {
        let terms = self.terms;
        let ordinary = |seat: &SeatWish| terms.venue.index.get(&seat.seat).is_none_or(|place| place.kind == 0);
        let wants = wish.seats.iter().any(ordinary) || wish.best_available.as_ref().is_some_and(Best::is_ordinary);
        if !terms.definition.limits.waiting_list || !wants || !self.channels.is_empty() {
            return Ok(());
        }
        let waits = app.table.anybody_waits(self.event).await? && self.taken_before(app).await?.is_none();
        if waits { Err(Problem::WaitingList) } else { Ok(()) }
    }

    /// Takes the seats that the fan picked, if they leave none single that need not be.
    async fn picked(&self, app: &App, wish: &Wish) -> Result<Hold, Problem> {
        let take = self.rule(app, wish, &wish.seats).await?;
        let seats: Vec<SeatId> = take.seats.iter().map(|line| line.seat.clone()).collect();
        let may = self.leaves_no_singles(app, &seats, take.replaces.as_ref()).await;
        match may {
            Ok(()) => self.exactly(app, take).await,
            // The same request may have been granted before, when the row looked otherwise.
            Err(problem) => self.taken_before(app).await?.ok_or(problem),
        }
    }

    async fn exactly(&self, app: &App, take: Take) -> Result<Hold, Problem> {
        self.commit(app, take).await?;
        app.table.hold(&self.id).await?.ok_or(Problem::NotFound)
    }

    /// Takes the places. Seats of overdue holds are taken as they are; standing places bear no name, so holds that are overdue
    /// are ended first where a pool has too few.
    async fn commit(&self, app: &App, take: Take) -> Result<(), Problem> {
        let mut answer = app.table.decide(take.clone()).await;
        let may_sweep = is_exhausted(&answer) && app.may_sweep(self.event);
        for _ in 0..SWEEPS {
            let now = self.visitor.now();
            if !may_sweep
                || !is_exhausted(&answer)
                || sweep::holds(&app.table, self.event, sweep::ALL, now, BROOM).await == 0
            {
                break;
            }
            answer = app.table.decide(take.clone()).await;
        }
        answer.map(drop).map_err(not_taken)
    }

    /// Picks seats and tries to take them; on a lost race it picks again, boundedly. With the hold goes how often it picked.
    async fn best(&self, app: &App, wish: &Wish, best: &Best) -> Result<(Hold, u32), Problem> {
        if let Some(hold) = self.taken_before(app).await? {
            return Ok((hold, 0));
        }
        let mut lost = Lost::default();
        while lost.races < PICKS {
            let seats = best.pick(app, self.event, self.terms, &self.channels, &lost).await?;
            match self.exactly(app, self.rule(app, wish, &seats).await?).await {
                Err(Problem::SeatsTaken(seats) | Problem::ChannelRequired(seats)) => lost.seats.extend(seats),
                other => return other.map(|hold| (hold, lost.races + 1)),
            }
            lost.races += 1;
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

fn is_exhausted<T>(answer: &Result<T, DecideError<TakeRefusal>>) -> bool {
    matches!(answer, Err(DecideError::Refused(TakeRefusal::PoolExhausted { .. })))
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
