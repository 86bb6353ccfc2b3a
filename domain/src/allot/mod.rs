//! What operators do with seats: block them, keep them for the house, release them, and assign them to a channel.
//!
//! ```text
//! free (or held and overdue) ──block, house──► blocked ──release──► free
//! held, being paid ──only when told to──┘
//! ```
//! A seat that somebody holds, pays or bought is never moved silently: it is refused and named, and a sold one always is. Told
//! to, an operator takes a held seat, or one that is being paid, from exactly the hold that was named before; the sale then
//! fails, its buyer hears which seat is gone, and no money stays. A channel is a word beside the state: whoever has the seat
//! keeps it, and when it comes back it is for the channel's buyers.
//!
//! Every change is idempotent, so a long list can be gone through in chunks and again from the start after a crash.

mod chunk;
mod label;
mod listing;
mod mark;
#[cfg(test)]
mod tests;

pub use chunk::{Outcome, Reach, sort};
pub use label::{BadLabel, LABEL_MAX, Label};
pub use listing::Listing;
pub use mark::{Finding, Mark, Spot, Why};

use crate::ids::ChannelId;
use crate::items::Kept;
use crate::time::WallMs;

/// What is to become of seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// They are not for sale, for this reason.
    Block(Label),
    /// The house keeps them for somebody, until a time.
    House(Label, Option<WallMs>),
    /// They are neither blocked nor kept any more.
    Release,
    /// Only this channel's buyers may take them; without one anybody may.
    Assign(Option<ChannelId>),
}

impl Change {
    /// What a seat is kept for after it; `None` where the change is no keeping.
    fn keeps(&self) -> Option<Kept> {
        match self {
            Self::Block(reason) => Some(Kept::Blocked { reason: reason.to_string() }),
            Self::House(name, until) => Some(Kept::House { name: name.to_string(), until: *until }),
            Self::Release | Self::Assign(_) => None,
        }
    }
}
