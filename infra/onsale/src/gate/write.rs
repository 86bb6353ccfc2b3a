//! Writes an event's gate list from the table.

use domain::gate::{List, Told};
use domain::ids::EventId;
use domain::items::{Ticket, key};
use domain::keys::{KeyKind, MasterKeys};
use domain::plan_import::EventDefinition;
use domain::time::WallMs;
use table::{Table, TableError};

/// The list of an event as it stands, signed by its present ticket key; `None` if there is no such event.
///
/// # Errors
/// The table failed.
pub async fn list(
    table: &Table,
    keys: &MasterKeys,
    event: &EventId,
    now: WallMs,
) -> Result<Option<String>, TableError> {
    let Some(definition) = table.definition(event).await? else { return Ok(None) };
    let stored = tickets(table, &definition).await?;
    let told =
        Told { event: event.clone(), name: definition.name, issued: now, from: None, until: definition.ends_at_ms };
    let seed = keys.signing_key(KeyKind::Ticket, event);
    Ok(Some(List::of(told, &stored).sign(keys.signing_id(), &seed)))
}

/// All tickets of an event, valid and void.
///
/// # Errors
/// The table failed or an item is unreadable.
pub async fn tickets(table: &Table, definition: &EventDefinition) -> Result<Vec<Ticket>, TableError> {
    let blocks = definition.sections.iter().flat_map(|section| &section.blocks);
    let seats = blocks.map(|block| key::block(&definition.id, block));
    let pools = definition.pools.iter().map(|pool| key::pool(&definition.id, &pool.id));
    let mut tickets = Vec::new();
    for pk in seats.chain(pools) {
        for item in table.query(&pk, "TICKET#").await? {
            tickets.push(Ticket::from_item(&item)?);
        }
    }
    Ok(tickets)
}
