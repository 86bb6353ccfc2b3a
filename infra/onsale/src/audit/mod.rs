//! The audit: do the table and the payment provider tell the same story?
//! It reads, compares and names every difference; it repairs nothing.

mod books;
mod check;
pub mod ledger;
mod read;

pub use books::{Books, HoldFact, OrderFact, PaymentFact, SeatFact, TicketFact};
pub use check::{Finding, check};

use table::Table;

/// The books of one event as they stand now.
///
/// # Errors
/// When the table or the ledger cannot be read.
pub async fn read_books(table: &Table, payments_url: &str, event: &str) -> anyhow::Result<Books> {
    // The ledger first: a payment made between the two reads then shows in the table only, as an order mid-step,
    // and the next reading settles it.
    let payments = ledger::fetch(payments_url).await?;
    let items = table.scan().await?;
    let mut books = Books::of_event(event, &items)?;
    let foreign = read::orders_of_others(event, &items);
    books.payments = payments.into_iter().filter(|p| !p.order.as_ref().is_some_and(|o| foreign.contains(o))).collect();
    Ok(books)
}
