//! Holds: the fence around places while their fan decides and pays.
//!
//! ```text
//! live ──► claimed ──► sold
//!  │ ▲        │  └───► released
//!  │ └────────┘ declined
//!  └──► released | expired
//! ```
//! Every transition is one transaction with the hold item, its seats and shares, and the account's usage. This module
//! makes, gives up, prolongs and sweeps holds; paying them is [`crate::order`]'s.

mod expire;
mod explain;
mod extend;
mod release;
mod take;

pub use expire::{Expire, ExpireRefusal};
pub use extend::{EXTENSION_MS, Extend, ExtendRefusal};
pub use release::{Release, ReleaseRefusal};
pub use take::{HOLD_MS, MAX_PLACES, Take, TakeRefusal};

use crate::ids::{EventId, HoldId, SeatId};
use crate::items::{Hold, HoldState, Places, SeatLine, SeatState, attr, key};
use crate::plan::{Cond, Refused, Update, Write};
use crate::pool::{self, Taken};
use crate::seat;
use crate::usage::Owner;

/// The hold is as it was read: in this state, not changed since.
pub(crate) fn as_read(hold: &Hold) -> Cond {
    Cond::eq(attr::STATE, hold.state).and(Cond::eq(attr::VERSION, hold.version))
}

/// The hold, as read, goes to a state in which it is in no index.
pub(crate) fn end(hold: &Hold, state: HoldState) -> Write {
    let update = Update::new().set(attr::STATE, state).add(attr::VERSION, 1);
    Write::update(key::hold(&hold.id), as_read(hold), update.remove(attr::OPEN_PK).remove(attr::OPEN_AT))
}

/// Whose usage a hold counts in.
pub(crate) fn owner(hold: &Hold) -> Owner {
    Owner { account: hold.account, event: hold.event.clone() }
}

/// Frees what still carries the hold; seats known to be lost to others are left alone.
pub(crate) fn give_back(event: &EventId, hold: &HoldId, places: &Places, lost: &[SeatId], from: Taken) -> Vec<Write> {
    let state = if from == Taken::Held { SeatState::Held } else { SeatState::Claimed };
    let mine = places.seats.iter().filter(|l| !lost.contains(&l.seat));
    let seats = mine.map(|l| seat::give_back(event, l, hold, state));
    seats.chain(pool::give_back(event, &places.pools, from)).collect()
}

/// The seats among `lines` whose condition failed.
pub(crate) fn failed_seats(event: &EventId, lines: &[SeatLine], refused: &Refused) -> Vec<SeatId> {
    let failed = lines.iter().filter(|l| refused.of(&seat::key_of(event, l)).is_some());
    failed.map(|l| l.seat.clone()).collect()
}

/// Which state a hold was found in instead of the one that a rule expected.
pub(crate) fn found(hold: &HoldId, refused: &Refused) -> Option<Hold> {
    let item = refused.of(&key::hold(hold))?.old.as_ref()?;
    Hold::from_item(item).ok()
}
