//! What may happen to a seat: conditions and writes, one per transition.
//!
//! ```text
//! free ──take──► held ──claim──► claimed ──sell──► sold
//!   ▲              │ until < now: taken over       │
//!   └──give back───┴──────────────┴─────give back──┘
//! ```
//! A seat does not decide alone: each write is part of a transaction with the hold's or order's item. What operators do
//! with seats, blocking them and assigning them to channels, is [`crate::allot`]'s.

use crate::ids::{ChannelId, EventId, HoldId, OrderId};
use crate::items::{SeatLine, SeatState, attr, key};
use crate::plan::{Cond, Key, Update, Write};
use crate::time::EventMs;

/// The key of the seat of a line.
#[must_use]
pub fn key_of(event: &EventId, line: &SeatLine) -> Key {
    key::seat(event, &line.block, &line.seat)
}

/// Free, or held until before `now`, and so not blocked, claimed or sold.
#[must_use]
pub fn takeable(now: EventMs) -> Cond {
    let overdue = Cond::eq(attr::STATE, SeatState::Held).and(Cond::Lt(attr::UNTIL, now.0.into()));
    Cond::eq(attr::STATE, SeatState::Free).or(overdue)
}

/// In no channel, or in one of those that the buyer has shown.
#[must_use]
pub fn open_to(shown: &[ChannelId]) -> Cond {
    let own = shown.iter().map(|channel| Cond::eq(attr::CHANNEL, channel.to_string()));
    Cond::Any(std::iter::once(Cond::Missing(attr::CHANNEL)).chain(own).collect())
}

/// In `state` for this very hold.
#[must_use]
pub fn carries(hold: &HoldId, state: SeatState) -> Cond {
    Cond::eq(attr::STATE, state).and(Cond::eq(attr::HOLD, hold.to_string()))
}

/// How a seat is taken.
#[derive(Clone, Copy, Debug)]
pub struct Taking<'a> {
    /// For which hold.
    pub hold: &'a HoldId,
    /// Until when.
    pub until: EventMs,
    /// Event time now.
    pub now: EventMs,
    /// Channels that the buyer has shown.
    pub channels: &'a [ChannelId],
    /// The hold that gives way.
    pub replaced: Option<&'a HoldId>,
}

/// Takeable, and open to this buyer → held. A seat of the `replaced` hold counts as both.
#[must_use]
pub fn take(event: &EventId, line: &SeatLine, taking: Taking<'_>) -> Write {
    let Taking { hold, until, now, channels, replaced } = taking;
    let free = takeable(now).and(open_to(channels));
    let expect = match replaced {
        Some(old) => free.or(carries(old, SeatState::Held)),
        None => free,
    };
    let update = moved(SeatState::Held).set(attr::HOLD, hold.to_string()).set(attr::UNTIL, until.0);
    Write::update(key_of(event, line), expect, update)
}

/// Held by this hold → held longer.
#[must_use]
pub fn extend(event: &EventId, line: &SeatLine, hold: &HoldId, until: EventMs) -> Write {
    let update = moved(SeatState::Held).set(attr::UNTIL, until.0);
    Write::update(key_of(event, line), carries(hold, SeatState::Held), update)
}

/// Held by this hold, overdue or not → claimed, without a time.
#[must_use]
pub fn claim(event: &EventId, line: &SeatLine, hold: &HoldId) -> Write {
    let update = moved(SeatState::Claimed).remove(attr::UNTIL);
    Write::update(key_of(event, line), carries(hold, SeatState::Held), update)
}

/// Claimed by this hold → held again.
#[must_use]
pub fn unclaim(event: &EventId, line: &SeatLine, hold: &HoldId, until: EventMs) -> Write {
    let update = moved(SeatState::Held).set(attr::UNTIL, until.0);
    Write::update(key_of(event, line), carries(hold, SeatState::Claimed), update)
}

/// Claimed by this hold → sold to its order.
#[must_use]
pub fn sell(event: &EventId, line: &SeatLine, hold: &HoldId, order: &OrderId) -> Write {
    let update = moved(SeatState::Sold).set(attr::ORDER, order.to_string());
    Write::update(key_of(event, line), carries(hold, SeatState::Claimed), update)
}

/// In `state` for this hold → free.
#[must_use]
pub fn give_back(event: &EventId, line: &SeatLine, hold: &HoldId, state: SeatState) -> Write {
    Write::update(key_of(event, line), carries(hold, state), freed())
}

/// Sold to this order → free.
#[must_use]
pub fn unsell(event: &EventId, line: &SeatLine, order: &OrderId) -> Write {
    let expect = Cond::eq(attr::STATE, SeatState::Sold).and(Cond::eq(attr::ORDER, order.to_string()));
    Write::update(key_of(event, line), expect, freed())
}

pub(crate) fn moved(state: SeatState) -> Update {
    Update::new().set(attr::STATE, state).add(attr::VERSION, 1)
}

pub(crate) fn freed() -> Update {
    moved(SeatState::Free).remove(attr::HOLD).remove(attr::UNTIL).remove(attr::ORDER)
}
