//! The table's items as typed views, with their frozen keys and attribute names.
//!
//! Everything stored is named here and in `golden/`; a changed name is a changed format. These
//! views decide nothing.

pub mod attr;
mod clock;
mod hold;
mod inbox;
pub mod key;
mod ledger;
mod mailing;
mod map;
mod order;
mod outbox;
mod places;
mod read;
mod seat;
mod share;
mod ticket;
mod usage;
mod waiting;

pub use clock::ClockItem;
pub use hold::{Hold, HoldState};
pub use inbox::InboxItem;
pub use ledger::{LedgerLine, Movement};
pub use mailing::{Contact, MailState, Mailing};
pub use map::{LevelCounts, MapPool, MapSection};
pub use order::{Order, OrderState, VoidReason, seat_list};
pub use outbox::{OutKind, OutMessage, OutState, message_id};
pub use places::{Places, PoolLine, SeatLine};
pub use read::{Reader, Unreadable};
pub use seat::{Kept, Seat, SeatState};
pub use share::Share;
pub use ticket::{Ticket, TicketState};
pub use usage::{CardUse, Usage};
pub use waiting::{WaitState, Waiting};

/// Buckets over which an event's index entries are spread.
pub const BUCKETS: u8 = 16;

/// The bucket of a hold's or order's id, 0 to [`BUCKETS`] − 1.
#[must_use]
pub fn bucket(id: &str) -> u8 {
    use sha2::{Digest, Sha256};
    Sha256::digest(id.as_bytes())[0] % BUCKETS
}

/// Defines an enum that is stored as one of a fixed set of words.
macro_rules! stored_words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stored word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value of a stored word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.as_str() == word)
            }
        }

        impl From<$name> for crate::plan::Value {
            fn from(value: $name) -> Self {
                Self::S(value.as_str().to_owned())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use stored_words;

#[cfg(test)]
mod tests;
