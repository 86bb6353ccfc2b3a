//! The map without holds that nobody sweeps.
//!
//! A section is redrawn when one of its seats changes; that time has passed for a hold changes nothing. The sweep ends such
//! holds within some beats. Where it does not, the pulse redraws their sections, in which their seats then show as free, as
//! they can be taken anyway.

use std::time::Duration;

use domain::ids::EventId;
use domain::map::Map;
use domain::plan_import::{EventDefinition, SectionBlocks};
use domain::time::EventMs;
use table::TableError;

use crate::app::App;

/// How long a hold must have been overdue, in ms: a sweep comes by within four beats.
const GRACE_MS: i64 = 5_000;
/// Sections that one pulse redraws at most, and how long it takes for them: it answers within two seconds.
const AT_ONCE: usize = 8;
const WITHIN: Duration = Duration::from_millis(500);

/// The map of an event, as its seats can be taken at `now`. Trouble is logged, not told: the next pulse goes on.
///
/// # Errors
/// The map cannot be read.
pub async fn map(app: &App, event: &EventId, definition: &EventDefinition, now: EventMs) -> Result<Map, TableError> {
    let mut map = app.table.map(event).await?;
    let overdue = map.overdue(now.plus(-GRACE_MS));
    let sections: Vec<&SectionBlocks> =
        overdue.iter().filter_map(|id| definition.sections.iter().find(|s| s.section == *id)).take(AT_ONCE).collect();
    match tokio::time::timeout(WITHIN, redraw(app, event, &sections, &mut map)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%event, %error, "overdue sections were not redrawn"),
        Err(_) => tracing::warn!(%event, "redrawing overdue sections ran out of time"),
    }
    Ok(map)
}

async fn redraw(app: &App, event: &EventId, sections: &[&SectionBlocks], map: &mut Map) -> Result<(), TableError> {
    for section in sections {
        let drawn = app.table.redraw_section(event, section).await?;
        let known = map.sections.iter_mut().find(|known| known.section == drawn.section);
        if let Some(known) = known.filter(|known| known.sum < drawn.sum) {
            *known = drawn;
        }
    }
    Ok(())
}
