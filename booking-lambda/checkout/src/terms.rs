//! What the executor must know of an order's event: its clock, and its limit per card.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::ids::EventId;
use domain::items::{Unreadable, attr, key};
use domain::plan::Value;
use domain::plan_import::EventDefinition;
use domain::time::{Clock, EventMs, WallMs};
use table::{Table, TableError};

/// The terms under which orders of one event are carried on.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The event's clock, read a moment ago.
    pub clock: Clock,
    /// Places that one card may buy; `None`: no limit.
    pub card_limit: Option<u32>,
}

impl Terms {
    /// Event time now.
    #[must_use]
    pub fn now(&self) -> EventMs {
        self.clock.now(wall_now())
    }
}

/// Wall time now.
#[must_use]
pub fn wall_now() -> WallMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    WallMs(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The event's clock; `None` before its first beat.
///
/// # Errors
/// The table does not answer, or holds no readable clock.
pub async fn read_clock(table: &Table, event: &EventId) -> Result<Option<Clock>, TableError> {
    Ok(table.clock(event).await?.map(|item| item.clock))
}

/// The event's definition; `None` if there is no such event.
///
/// # Errors
/// The table does not answer, or holds no readable definition.
pub async fn read_definition(table: &Table, event: &EventId) -> Result<Option<EventDefinition>, TableError> {
    let Some(item) = table.get(&key::meta(event)).await? else { return Ok(None) };
    let json = item.get(attr::BODY).and_then(Value::as_str);
    let definition = json.and_then(|json| serde_json::from_str(json).ok());
    let unreadable = || Unreadable { kind: "definition", key: event.to_string(), attribute: attr::BODY };
    Ok(Some(definition.ok_or_else(unreadable)?))
}
