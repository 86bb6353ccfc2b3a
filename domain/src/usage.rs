//! Limits per account and per card: conditions and writes.
//!
//! An account has at most one live hold of an event, and `committed` (being paid + bought) never passes
//! its limit: it is checked with the new places when a hold is taken and again when it is claimed. A card's
//! count is checked when it has paid.

use crate::ids::{AccountId, EventId, HoldId};
use crate::items::{CardUse, Usage, attr, key};
use crate::plan::{Cond, Key, Update, Write};
use crate::time::EventMs;

/// Whose usage of which event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Account.
    pub account: AccountId,
    /// Event.
    pub event: EventId,
}

impl Owner {
    /// The usage item's key.
    #[must_use]
    pub fn key(&self) -> Key {
        key::usage(&self.account, &self.event)
    }

    fn write(&self, expect: Cond, update: Update) -> Write {
        Write::update(self.key(), expect, update.set(attr::KIND, Usage::KIND))
    }

    /// Takes the place of the live hold: there is none, it is overdue, or it is the `replaced` one; and `places` more
    /// stay within `limit`; and the account does not take holds faster than its pace.
    #[must_use]
    pub fn take(&self, hold: &HoldId, until: EventMs, pace: Pace, replaced: Option<&HoldId>, room: Room) -> Write {
        let mut vacant = self.vacant(pace.now);
        if let Some(old) = replaced {
            vacant = vacant.or(Cond::eq(attr::HOLD, old.to_string()));
        }
        let update = Update::new().set(attr::HOLD, hold.to_string()).set(attr::HOLD_UNTIL, until.0);
        let update = update.set(attr::PACE, pace.next().0);
        self.write(Cond::All(vec![vacant, room.cond(attr::COMMITTED), pace.cond()]), update)
    }

    /// The live hold lasts longer.
    #[must_use]
    pub fn extend(&self, hold: &HoldId, until: EventMs) -> Write {
        self.write(self.has(hold), Update::new().set(attr::HOLD_UNTIL, until.0))
    }

    /// The live hold is no more.
    #[must_use]
    pub fn leave(&self, hold: &HoldId) -> Write {
        self.write(self.has(hold), Update::new().remove(attr::HOLD).remove(attr::HOLD_UNTIL))
    }

    /// The live hold is being paid.
    #[must_use]
    pub fn commit(&self, hold: &HoldId, room: Room) -> Write {
        let update = Update::new().add(attr::COMMITTED, room.places.into()).remove(attr::HOLD).remove(attr::HOLD_UNTIL);
        self.write(Cond::All(vec![self.has(hold), room.cond(attr::COMMITTED)]), update)
    }

    /// A hold that is overdue and no longer the account's live one is being paid. It does not become that again unless the hold
    /// itself changes, which its own write asks for.
    #[must_use]
    pub fn commit_other(&self, room: Room) -> Write {
        self.write(room.cond(attr::COMMITTED), Update::new().add(attr::COMMITTED, room.places.into()))
    }

    /// A payment failed and its hold is the live one again.
    #[must_use]
    pub fn restore(&self, hold: &HoldId, until: EventMs, now: EventMs, places: u32) -> Write {
        let expect = self.vacant(now).and(committed(places));
        let update = Update::new().add(attr::COMMITTED, -i64::from(places));
        self.write(expect, update.set(attr::HOLD, hold.to_string()).set(attr::HOLD_UNTIL, until.0))
    }

    /// Places that were being paid or bought are given back.
    #[must_use]
    pub fn give_back(&self, places: u32) -> Write {
        self.write(committed(places), Update::new().add(attr::COMMITTED, -i64::from(places)))
    }

    fn has(&self, hold: &HoldId) -> Cond {
        Cond::eq(attr::HOLD, hold.to_string())
    }

    fn vacant(&self, now: EventMs) -> Cond {
        Cond::Any(vec![Cond::Missing(attr::HOLD), Cond::Lt(attr::HOLD_UNTIL, now.0.into())])
    }
}

fn committed(places: u32) -> Cond {
    Cond::Ge(attr::COMMITTED, places.into())
}

/// One hold in so many ms of event time is what an account may take in the long run.
pub const PACE_MS: i64 = 10_000;
/// Holds that it may take at once.
pub const BURST: i64 = 10;

/// How fast an account takes holds, so that nobody keeps seats from others by taking and releasing them without end.
///
/// The usage keeps one time: each hold moves it on by [`PACE_MS`] from now, or from where it stood if that is later, and may
/// not move it further than [`BURST`] such steps from now (GCRA, the leaky bucket as one time stamp).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Event time now.
    pub now: EventMs,
    /// The stored time, once it was seen to be later than now.
    pub seen: Option<EventMs>,
}

impl Pace {
    /// How long the account has to wait, in ms; 0 if it may take a hold.
    #[must_use]
    pub fn wait_ms(&self) -> i64 {
        self.seen.map_or(0, |seen| seen.since(self.now) - (BURST - 1) * PACE_MS).max(0)
    }

    fn next(&self) -> EventMs {
        self.seen.unwrap_or(self.now).plus(PACE_MS)
    }

    fn cond(&self) -> Cond {
        match self.seen {
            Some(seen) => Cond::eq(attr::PACE, seen.0),
            None => Cond::Any(vec![Cond::Missing(attr::PACE), Cond::Le(attr::PACE, self.now.0.into())]),
        }
    }
}

/// How many more places, within which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Places that are added.
    pub places: u32,
    /// Places allowed in all.
    pub limit: u32,
}

impl Room {
    /// Whether the places fit when nothing else is counted. A rule asks this first: an absent item counts as zero.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.places <= self.limit
    }

    fn cond(&self, name: &'static str) -> Cond {
        let most = i64::from(self.limit) - i64::from(self.places);
        Cond::Any(vec![Cond::Missing(name), Cond::Le(name, most.into())])
    }
}

/// The card has bought `room.places` more.
#[must_use]
pub fn charge_card(fingerprint: &str, event: &EventId, room: Room) -> Write {
    let update = Update::new().add(attr::NUMBER, room.places.into()).set(attr::KIND, CardUse::KIND);
    Write::update(key::card(fingerprint, event), room.cond(attr::NUMBER), update)
}

/// The card's places are given back.
#[must_use]
pub fn refund_card(fingerprint: &str, event: &EventId, places: u32) -> Write {
    let expect = Cond::Ge(attr::NUMBER, places.into());
    Write::update(key::card(fingerprint, event), expect, Update::new().add(attr::NUMBER, -i64::from(places)))
}
