//! The audit: do the table and the payment provider tell the same story?
//! It reads, compares and names every difference; it repairs nothing.

mod books;
mod check;
pub mod ledger;
mod read;

pub use books::{Books, HoldFact, OrderFact, PaymentFact, SeatFact, TicketFact};
pub use check::{Finding, check, check_at_rest, left_over};

use std::time::Duration;

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

/// Reads until a finding-free reading, at most five times, and answers the last reading with the findings that every
/// reading showed. A table that is being written to is no snapshot: one reading may see a seat before and its order
/// after the same sale, but not twice in a row.
///
/// # Errors
/// When the table or the ledger cannot be read.
pub async fn lasting_findings(table: &Table, payments_url: &str, event: &str) -> anyhow::Result<(Books, Vec<Finding>)> {
    let mut books = read_books(table, payments_url, event).await?;
    let mut findings = check(&books);
    for _ in 0..4 {
        if findings.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        books = read_books(table, payments_url, event).await?;
        let again = check(&books);
        findings.retain(|finding| again.contains(finding));
    }
    Ok((books, findings))
}
