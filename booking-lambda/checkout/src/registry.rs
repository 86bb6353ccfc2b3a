//! Which events there are to look after: one item each, written when an event's heart first beats.

use domain::ids::EventId;
use domain::notes;
use table::{Table, TableError};

/// Notes an event; noting it again changes nothing.
///
/// # Errors
/// The table failed.
pub async fn note(table: &Table, event: &EventId) -> Result<(), TableError> {
    table.note(&notes::event(event)).await
}
