//! Which events there are to look after: one item each, written when an event's heart first beats.

use domain::ids::EventId;
use domain::items::{attr, key};
use domain::plan::{Cond, Item, Plan, Write};
use table::{CommitError, Table, TableError};

/// Notes an event; noting it again changes nothing.
///
/// # Errors
/// The table failed.
pub async fn note(table: &Table, event: &EventId) -> Result<(), TableError> {
    let key = key::noted(event);
    let item = Item::from([
        (attr::PK.to_owned(), key.pk.into()),
        (attr::SK.to_owned(), key.sk.into()),
        (attr::KIND.to_owned(), "event".into()),
    ]);
    match table.commit(&Plan::new(vec![Write::put(item, Cond::Absent)])).await {
        Ok(()) | Err(CommitError::Refused(_)) => Ok(()),
        Err(CommitError::Table(error)) => Err(error),
    }
}
