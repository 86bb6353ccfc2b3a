//! What the organiser is told of orders and tickets: signed messages in the shape of CloudEvents, sent to an address that the
//! event names.
//!
//! An order implies messages ([`implied`]); those that are not there yet are written beside it, all at once, on condition that the
//! order is as it was read ([`Note`]). So it does not matter which record of the stream comes when, or twice: what is there in the
//! end follows from the order, and no message is ever written behind one that comes after it. Of an order's messages the first that
//! is not settled is sent ([`turn`]), by whoever claims it ([`Take`]); what came of it is written down ([`ended`]). A message is
//! **sent at least once**, under the same id: whoever sends it may die before that is written down.
//!
//! Times here are wall times, not event times: an on-sale that stands does not keep anybody waiting for what was sold before.

mod body;
mod note;
mod send;
mod sign;
mod target;

pub use body::{Handed, tickets};
pub use note::{Note, Stale, implied, rank};
pub use send::{Ended, LEASE_MS, MOST_TRIES, Replay, Take, Taken, Turn, WAITS_S, ended, turn};
pub use sign::{SigningKeys, secret, signature};
pub use target::{BadTarget, Host, Target, is_public};

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
