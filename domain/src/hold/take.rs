//! Making a hold.

use super::{as_read, give_back};
use crate::ids::{AccountId, ChannelId, EventId, HoldId, SeatId};
use crate::items::{Hold, HoldState, Places, PoolLine, SeatLine, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Write};
use crate::pool::{self, PoolAsk, Taken};
use crate::seat::{self, Taking};
use crate::time::{EventMs, WallMs};
use crate::usage::{Owner, Pace, Room};

/// How long a hold is good, in ms of event time.
pub const HOLD_MS: i64 = 10 * 60 * 1000;

/// Most places of a hold: a sale writes a seat and a ticket for each, and four items more; 2 × 40 + 4 ≤ 100.
pub const MAX_PLACES: u32 = 40;

/// Takes places for an account, all or none.
///
/// In one transaction, in sorted order: each seat free, or held until before now, and open to the buyer's channels → held;
/// the hold item absent → live; the account's usage without another live hold and with room. A replaced hold ends in the same transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Event.
    pub event: EventId,
    /// Who asks.
    pub account: AccountId,
    /// The hold's id, derived from the account and the request's idempotency key.
    pub hold: HoldId,
    /// Wanted seats at their prices.
    pub seats: Vec<SeatLine>,
    /// Wanted pool places.
    pub pools: Vec<PoolAsk>,
    /// Channels that the buyer has shown, see [`crate::channel`].
    pub channels: Vec<ChannelId>,
    /// ISO 4217 code of all prices.
    pub currency: String,
    /// The account's live hold, as read, that this one replaces.
    pub replaces: Option<Hold>,
    /// Places an account may have of this event: committed and held together.
    pub limit: u32,
    /// Event time now.
    pub now: EventMs,
    /// How long the hold is good, in ms; usually [`HOLD_MS`].
    pub hold_ms: i64,
    /// Fingerprint of the request.
    pub fingerprint: String,
    /// Wall time after which the item may be deleted.
    pub keep_until: WallMs,
    /// Seats of the replaced hold that were lost to others; empty at first.
    pub lost: Vec<SeatId>,
    /// Until when the account's holds are counted, see [`crate::usage::Pace`]; none at first.
    pub paced: Option<EventMs>,
}

/// Why a hold is not made, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TakeRefusal {
    /// No place was asked for.
    #[error("no place was asked for")]
    Nothing,
    /// A seat or pool was named twice.
    #[error("a place was named twice")]
    Twice,
    /// More than [`MAX_PLACES`] or than the event's limit: asked and already committed places together.
    #[error("at most {limit} places, {committed} of them are bought or being paid")]
    LimitExceeded {
        /// Places an account may have.
        limit: u32,
        /// Places it has bought or is paying.
        committed: u32,
    },
    /// The hold to be replaced is somebody else's, or of another event.
    #[error("no such hold to replace")]
    ReplacedUnknown,
    /// The same idempotency key was used with another request.
    #[error("the idempotency key was used for another request")]
    Mismatch,
    /// The hold to be replaced is being paid or was sold.
    #[error("the hold to replace is being paid or sold")]
    ReplacedPaid,
    /// There are no such seats.
    #[error("no such seats")]
    SeatUnknown(Vec<SeatId>),
    /// Others have these seats.
    #[error("seats are taken")]
    SeatsTaken(Vec<SeatId>),
    /// These seats are free, but for the buyers of a channel that was not shown.
    #[error("seats are kept for a channel")]
    ChannelRequired(Vec<SeatId>),
    /// The pool has fewer places left.
    #[error("pool {pool} has {left} places left")]
    PoolExhausted {
        /// Which pool.
        pool: crate::ids::PoolId,
        /// How many places were left.
        left: u32,
    },
    /// The account has another live hold of this event.
    #[error("another hold is live")]
    HoldExists {
        /// Which.
        hold: HoldId,
    },
    /// The account takes holds too fast.
    #[error("holds are taken too fast, wait {wait_ms} ms")]
    TooFast {
        /// How long to wait, in ms of event time.
        wait_ms: i64,
    },
    /// The table holds something that no rule writes.
    #[error("stored item {0} is not as any rule writes it")]
    Inconsistent(String),
}

impl Take {
    /// Until when the new hold is good.
    #[must_use]
    pub fn until(&self) -> EventMs {
        self.now.plus(self.hold_ms)
    }

    /// Whose usage it counts in.
    pub(super) fn owner(&self) -> Owner {
        Owner { account: self.account, event: self.event.clone() }
    }

    /// How fast the account takes holds.
    pub(super) fn pace(&self) -> Pace {
        Pace { now: self.now, seen: self.paced }
    }

    /// How many places are asked for.
    #[must_use]
    pub fn count(&self) -> u32 {
        let seats = u32::try_from(self.seats.len()).unwrap_or(u32::MAX);
        self.pools.iter().fold(seats, |sum, ask| sum.saturating_add(ask.quantity()))
    }

    /// The ladder of refusals that need no look at the table.
    fn check(&self) -> Result<(), TakeRefusal> {
        let count = self.count();
        if count == 0 || self.pools.iter().any(|p| p.quantity() == 0) {
            return Err(TakeRefusal::Nothing);
        }
        if has_twins(self.seats.iter().map(|l| &l.seat)) || has_twins(self.pools.iter().map(|p| &p.pool)) {
            return Err(TakeRefusal::Twice);
        }
        let limit = self.limit.min(MAX_PLACES);
        if count > limit {
            return Err(TakeRefusal::LimitExceeded { limit, committed: 0 });
        }
        let foreign = |old: &Hold| old.account != self.account || old.event != self.event;
        if self.replaces.as_ref().is_some_and(foreign) { Err(TakeRefusal::ReplacedUnknown) } else { Ok(()) }
    }

    fn places(&self) -> Result<Places, TakeRefusal> {
        let mut pools: Vec<PoolLine> = Vec::new();
        for ask in &self.pools {
            let exhausted = |left| TakeRefusal::PoolExhausted { pool: ask.pool.clone(), left };
            pools.extend(ask.spread().map_err(exhausted)?);
        }
        pools.sort_by(|a, b| (&a.pool, a.share).cmp(&(&b.pool, b.share)));
        let mut seats = self.seats.clone();
        seats.sort_by(|a, b| a.seat.cmp(&b.seat));
        Ok(Places { seats, pools })
    }

    /// The hold as it will be stored.
    fn record(&self, places: Places) -> Hold {
        Hold {
            id: self.hold,
            event: self.event.clone(),
            account: self.account,
            state: HoldState::Live,
            total_minor: places.total_minor(),
            places,
            currency: self.currency.clone(),
            until: self.until(),
            extended: false,
            order: None,
            attempts: 0,
            fingerprint: self.fingerprint.clone(),
            keep_until: self.keep_until,
            version: 1,
        }
    }

    fn usage(&self) -> Write {
        let room = Room { places: self.count(), limit: self.limit };
        self.owner().take(&self.hold, self.until(), self.pace(), self.replaces.as_ref().map(|h| &h.id), room)
    }

    fn seat_writes(&self, places: &Places) -> Vec<Write> {
        let (replaced, channels) = (self.replaces.as_ref().map(|h| &h.id), self.channels.as_slice());
        let taking = Taking { hold: &self.hold, until: self.until(), now: self.now, channels, replaced };
        places.seats.iter().map(|line| seat::take(&self.event, line, taking)).collect()
    }

    /// Ends the replaced hold: frees what the new one does not want.
    fn replaced_writes(&self, old: &Hold, new: &Places) -> Vec<Write> {
        let wanted: Vec<SeatId> = new.seats.iter().map(|l| l.seat.clone()).collect();
        let seats = Places { seats: old.places.without(&wanted).seats, pools: Vec::new() };
        let mut writes = vec![super::end(&live(old), HoldState::Released)];
        writes.extend(give_back(&self.event, &old.id, &seats, &self.lost, Taken::Held));
        writes
    }
}

impl Rule for Take {
    type Refusal = TakeRefusal;

    fn plan(&self) -> Result<Plan, TakeRefusal> {
        self.check()?;
        let places = self.places()?;
        // From here on nothing can fail.
        let mut writes = self.seat_writes(&places);
        let old_pools = self.replaces.as_ref().map_or(&[][..], |old| &old.places.pools);
        writes.extend(pool::exchange(&self.event, old_pools, &places.pools));
        if let Some(old) = &self.replaces {
            writes.extend(self.replaced_writes(old, &places));
        }
        writes.push(self.usage());
        writes.push(Write::put(self.record(places).to_item(), Cond::Absent));
        debug_assert!(self.replaces.iter().all(|old| writes.iter().any(|w| w.expect == as_read(&live(old)))));
        debug_assert!(writes.iter().any(|w| w.key == key::hold(&self.hold)));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, TakeRefusal> {
        super::explain::take(self, refused)
    }
}

/// Whatever was read, only a live hold is replaced: pool places carry no name, and an ended hold's are others' by now.
fn live(hold: &Hold) -> Hold {
    Hold { state: HoldState::Live, ..hold.clone() }
}

fn has_twins<T: Ord>(things: impl Iterator<Item = T>) -> bool {
    let all: Vec<T> = things.collect();
    all.len() != all.iter().collect::<std::collections::BTreeSet<_>>().len()
}
