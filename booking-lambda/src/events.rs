//! What is remembered of an event: its terms and its layout, in memory, by version.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::ids::EventId;
use domain::layout::{Layout, SeatIndex};
use domain::plan_import::EventDefinition;
use flate2::read::GzDecoder;
use table::Table;

use crate::problem::Problem;

/// How long terms are trusted before they are read again. Limits and prices of a running on-sale hardly ever change.
const TRUSTED: Duration = Duration::from_secs(10);

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Terms: prices, limits, currency.
    pub definition: EventDefinition,
    /// The venue.
    pub venue: Arc<Venue>,
}

/// One version of an event's layout.
#[derive(Debug)]
pub struct Venue {
    /// The layout.
    pub layout: Layout,
    /// Its seats by id.
    pub index: SeatIndex,
    /// The layout as stored: JSON, gzip.
    pub packed: Vec<u8>,
}

/// Events by id.
#[derive(Debug, Default)]
pub struct Events(Mutex<HashMap<EventId, (Instant, Arc<Event>)>>);

impl Events {
    /// An event, from memory or the table.
    ///
    /// # Errors
    /// There is none, or the table failed.
    pub async fn get(&self, table: &Table, id: &EventId) -> Result<Arc<Event>, Problem> {
        let known = self.lock().get(id).cloned();
        if let Some((read_at, event)) = &known
            && read_at.elapsed() < TRUSTED
        {
            return Ok(event.clone());
        }
        let event = Arc::new(read(table, id, known.map(|(_, event)| event.venue.clone())).await?);
        self.lock().insert(id.clone(), (Instant::now(), event.clone()));
        Ok(event)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EventId, (Instant, Arc<Event>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(table: &Table, id: &EventId, known: Option<Arc<Venue>>) -> Result<Event, Problem> {
    let definition = table.definition(id).await?.ok_or(Problem::NotFound)?;
    let version = &definition.layout_version;
    let venue = match known.filter(|venue| venue.layout.version == *version) {
        Some(venue) => venue,
        None => Arc::new(venue(table, &definition).await?),
    };
    Ok(Event { definition, venue })
}

async fn venue(table: &Table, definition: &EventDefinition) -> Result<Venue, Problem> {
    let packed = table.layout_gzip(&definition.id, &definition.layout_version).await?.unwrap_or_default();
    let layout = unpack(&packed).ok_or_else(|| unreadable(&definition.id))?;
    Ok(Venue { index: SeatIndex::of(&layout), layout, packed })
}

fn unpack(packed: &[u8]) -> Option<Layout> {
    let mut json = String::new();
    GzDecoder::new(packed).read_to_string(&mut json).ok()?;
    serde_json::from_str(&json).ok()
}

fn unreadable(id: &EventId) -> Problem {
    tracing::error!(event = %id, "the stored layout is unreadable");
    Problem::Internal
}
