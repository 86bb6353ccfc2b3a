//! The audit: do the table and the payment provider tell the same story?
//! It reads, compares and names every difference; it repairs nothing.

mod books;
mod check;
pub mod ledger;
mod read;

pub use books::{Books, HoldFact, OrderFact, PaymentFact, SeatFact, TicketFact};
pub use check::{Finding, check};
