//! Which events there are to look after: one item each, written when an event's heart first beats.

use domain::ids::EventId;
use domain::items::attr;
use domain::plan::{Cond, Item, Plan, Value, Write};
use table::{CommitError, Table, TableError};

const PARTITION: &str = "EVENTS";
const PREFIX: &str = "EVENT#";

/// Notes an event; noting it again changes nothing.
///
/// # Errors
/// The table failed.
pub async fn note(table: &Table, event: &EventId) -> Result<(), TableError> {
    let item = Item::from([
        (attr::PK.to_owned(), PARTITION.into()),
        (attr::SK.to_owned(), format!("{PREFIX}{event}").into()),
        (attr::KIND.to_owned(), "event".into()),
    ]);
    match table.commit(&Plan::new(vec![Write::put(item, Cond::Absent)])).await {
        Ok(()) | Err(CommitError::Refused(_)) => Ok(()),
        Err(CommitError::Table(error)) => Err(error),
    }
}

/// Every event that was noted.
///
/// # Errors
/// The table failed.
pub async fn events(table: &Table) -> Result<Vec<EventId>, TableError> {
    let items = table.query(PARTITION, PREFIX).await?;
    let id = |item: &Item| item.get(attr::SK).and_then(Value::as_str)?.strip_prefix(PREFIX)?.parse().ok();
    Ok(items.iter().filter_map(id).collect())
}
