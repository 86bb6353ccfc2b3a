//! What may happen to a seat: conditions and writes, one per transition.
//!
//! ```text
//! free ──take──► held ──claim──► claimed ──sell──► sold
//!   ▲              │ until < now: taken over       │
//!   └──give back───┴──────────────┴─────give back──┘
//! ```
//! A seat does not decide alone: each write is part of a transaction with the hold's or order's item.

use crate::ids::{EventId, HoldId, OrderId};
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

/// In `state` for this very hold.
#[must_use]
pub fn carries(hold: &HoldId, state: SeatState) -> Cond {
    Cond::eq(attr::STATE, state).and(Cond::eq(attr::HOLD, hold.to_string()))
}

/// Takeable → held. A seat of the `replaced` hold counts as takeable.
#[must_use]
pub fn take(
    event: &EventId,
    line: &SeatLine,
    hold: &HoldId,
    until: EventMs,
    now: EventMs,
    replaced: Option<&HoldId>,
) -> Write {
    let free = takeable(now);
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

/// Anything but sold → blocked. A hold that had the seat finds out when it is claimed or sold.
#[must_use]
pub fn block(event: &EventId, line: &SeatLine) -> Write {
    let expect = Cond::Exists.and(Cond::Ne(attr::STATE, SeatState::Sold.into()));
    let update = moved(SeatState::Blocked).remove(attr::HOLD).remove(attr::UNTIL);
    Write::update(key_of(event, line), expect, update)
}

/// Blocked → free.
#[must_use]
pub fn unblock(event: &EventId, line: &SeatLine) -> Write {
    Write::update(key_of(event, line), Cond::eq(attr::STATE, SeatState::Blocked), freed())
}

fn moved(state: SeatState) -> Update {
    Update::new().set(attr::STATE, state).add(attr::VERSION, 1)
}

fn freed() -> Update {
    moved(SeatState::Free).remove(attr::HOLD).remove(attr::UNTIL).remove(attr::ORDER)
}
