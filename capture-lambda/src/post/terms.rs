//! What is remembered of events: definition and layout, by version.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use documents::{Papers, Signer};
use domain::ids::EventId;
use domain::items::{Order, Ticket};
use domain::keys::{KeyKind, MasterKeys};
use domain::layout::{Layout, SeatIndex};
use domain::plan_import::EventDefinition;
use table::{Table, TableError};

/// One event: its definition as it is now, and its plan.
#[derive(Debug)]
pub(super) struct Event {
    definition: EventDefinition,
    venue: Arc<Venue>,
}

#[derive(Debug)]
struct Venue {
    layout: Layout,
    index: SeatIndex,
}

/// Plans by event: the latest of each.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<HashMap<EventId, Arc<Venue>>>);

impl Known {
    /// An event; `None` when there is none.
    pub async fn of(&self, table: &Table, id: &EventId) -> Result<Option<Event>, TableError> {
        let Some(definition) = table.definition(id).await? else { return Ok(None) };
        let known = self.lock().get(id).cloned();
        let venue = match known.filter(|venue| venue.layout.version == definition.layout_version) {
            Some(venue) => venue,
            None => {
                let Some(layout) = table.layout(id, &definition.layout_version).await? else { return Ok(None) };
                Arc::new(Venue { index: SeatIndex::of(&layout), layout })
            }
        };
        self.lock().insert(id.clone(), Arc::clone(&venue));
        Ok(Some(Event { definition, venue }))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EventId, Arc<Venue>>> {
        // Every change is one insertion: what a panic leaves behind is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Event {
    /// The papers of an order of this event.
    pub fn papers(&self, order: &Order, tickets: &[Ticket], keys: &MasterKeys) -> Papers {
        let id = &self.definition.id;
        let signer = Signer { key_id: keys.signing_id(), seed: keys.signing_key(KeyKind::Ticket, id) };
        Papers::of(&self.definition, (&self.venue.layout, &self.venue.index), order, tickets, &signer)
    }
}
