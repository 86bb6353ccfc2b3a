//! The audit: do seats, tickets, orders, ledger, counts and the payment provider tell the same story?
//!
//! Facts go in, [`Finding`]s come out; nothing is repaired here. Each comparison looks at one thing with its neighbours, an
//! order with its seats, tickets, lines and payments say, so that the same comparisons serve [`check`], which has an
//! event's whole [`Books`] in memory, and a walk that reads a page at a time.
//!
//! A table that is being written to is no snapshot: one reading may see a seat before and its order after the same sale. So a
//! finding counts once a second reading shows it too; whoever reads sees to that.

mod books;
mod case;
mod count;
mod csv;
mod finding;
mod payment;
mod place;
mod stored;
mod walk;

pub use books::{Books, check, check_at_rest, event_of, left_over, unreadable};
pub use case::{Case, overdue};
pub use count::{card, usage};
pub use csv::ledger_csv;
pub use finding::{Code, Finding};
pub use payment::{has_ended, kept_minor, spare, stray};
pub use place::{hold, line, pool, seat, section, share, ticket};
pub use stored::{Gone, Keep, Known, SeeAgain, Stored};
pub use walk::{Counts, GoOn, MOST_TRIES, Overtaken, Page, SEGMENTS, Stage, Walk};
