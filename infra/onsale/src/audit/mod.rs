//! The audit: do the table and the payment provider tell the same story?
//! It reads and names every difference; what is compared is `domain::audit`'s, and nothing is repaired.

mod provider;

pub use domain::audit::{Books, Code, Finding, check, check_at_rest, left_over};
pub use provider::{Listed, Payments};

use std::time::Duration;

use domain::ids::EventId;
use domain::items::{LedgerLine, attr};
use domain::plan::Value;
use table::Table;

/// The books of one event as they stand now.
///
/// # Errors
/// When the table or the provider's list cannot be read.
pub async fn read_books(table: &Table, payments: &Payments, event: &EventId) -> anyhow::Result<Books> {
    // The list first: a payment made between the two readings then shows in the table only, as an order mid-step,
    // and the next reading settles it.
    let listed = payments.list().await?;
    let mut books = Books::of(event, &table.scan().await?, listed.intents);
    books.unreadable.extend(listed.unreadable);
    Ok(books)
}

/// Reads until a finding-free reading, at most five times, and answers the last reading with the findings that every
/// reading showed. A table that is being written to is no snapshot: one reading may see a seat before and its order
/// after the same sale, but not twice in a row.
///
/// # Errors
/// When the table or the provider's list cannot be read.
pub async fn lasting_findings(
    table: &Table,
    payments: &Payments,
    event: &EventId,
) -> anyhow::Result<(Books, Vec<Finding>)> {
    let mut books = read_books(table, payments, event).await?;
    let mut findings = check(&books);
    for _ in 0..4 {
        if findings.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        books = read_books(table, payments, event).await?;
        let again = check(&books);
        findings = again.into_iter().filter(|found| findings.iter().any(|before| before.is(found))).collect();
    }
    Ok((books, findings))
}

/// The event's ledger lines, in no order.
///
/// # Errors
/// When the table or a line cannot be read.
pub async fn ledger(table: &Table, event: &EventId) -> anyhow::Result<Vec<LedgerLine>> {
    let items = table.scan().await?;
    let lines = items.iter().filter(|item| item.get(attr::KIND).and_then(Value::as_str) == Some(LedgerLine::KIND));
    let lines = lines.map(LedgerLine::from_item).collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| line.event == *event).collect())
}
