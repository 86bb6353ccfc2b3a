//! What the payment provider tells by itself: events, signed as Stripe signs them.
//!
//! An event is a hint that something moved, and whose order it is about. It is kept before it is acknowledged, and whoever acts
//! on it asks the provider how things stand: nothing else of an event is believed. So events may come late, twice, in any order,
//! or never, and one that anybody made up could do no more than have a look taken.

mod event;
mod keep;
mod signature;

pub use event::{Hint, Said, Unreadable, read};
pub use keep::{Keep, NoOrder};
pub use signature::{BadSecrets, BadSignature, Secrets, TOLERANCE_S, sign, verify};

#[cfg(test)]
mod tests;
