//! The map after an import, drawn from the seats as they are.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::EventId;
use domain::items::{MapSection, Seat, Share, key};
use domain::layout::section_of_block;
use domain::map;
use domain::plan::{Cond, Item, Key, Plan, Write};
use domain::plan_import::{EventDefinition, Imported, PoolDef, SectionBlocks, seats_of, shares_of};
use domain::time::EventMs;

use crate::error::{CommitError, TableError};
use crate::event::{layout_items, meta_item};
use crate::{DecideError, Table};

impl Table {
    /// Draws every section and pool of a definition, and takes those off the map that it does not have.
    pub(crate) async fn redraw(&self, definition: &EventDefinition) -> Result<(), TableError> {
        let mut drawn: BTreeSet<Key> = BTreeSet::from([key::map_seen(&definition.id)]);
        for section in &definition.sections {
            self.redraw_section(&definition.id, section).await?;
            drawn.insert(key::map_section(&definition.id, &section.section));
        }
        for pool in &definition.pools {
            let shares = self.shares(&definition.id, &pool.id).await?;
            self.draw(map::Refresh::pool(&map::pool(&definition.id, &pool.id, &shares))).await?;
            drawn.insert(key::map_pool(&definition.id, &pool.id));
        }
        self.erase_others(definition, &drawn).await
    }

    /// Draws a section from its seats as they are, at the event's time of its last beat; answers it as drawn.
    ///
    /// # Errors
    /// That the table failed or an item is unreadable.
    pub async fn redraw_section(&self, event: &EventId, section: &SectionBlocks) -> Result<MapSection, TableError> {
        let now = self.clock(event).await?.map_or(EventMs(i64::MIN), |item| item.clock.event);
        let mut seats: Vec<Seat> = Vec::new();
        for block in &section.blocks {
            seats.extend(self.seats(event, block).await?);
        }
        let drawn = map::section_at(event, &section.section, &seats, now);
        self.draw(map::Refresh::section(&drawn)).await?;
        Ok(drawn)
    }

    /// Writes a part of the map; one that is as new already is no failure.
    async fn draw(&self, refresh: map::Refresh) -> Result<(), TableError> {
        match self.decide(refresh).await {
            Ok(_) | Err(DecideError::Refused(map::NotNewer)) => Ok(()),
            Err(DecideError::Table(error)) => Err(error),
        }
    }

    async fn erase_others(&self, definition: &EventDefinition, drawn: &BTreeSet<Key>) -> Result<(), TableError> {
        let stored = self.query(&key::map(&definition.id), "").await?;
        for key in stored.iter().filter_map(Key::of).filter(|key| !drawn.contains(key)) {
            match self.commit(&Plan::new(vec![Write::delete(key, Cond::Always)])).await {
                Ok(()) | Err(CommitError::Refused(_)) => {}
                Err(CommitError::Table(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Everything that the first import of an event writes, its definition in force included: for a database that takes all
/// of it in one piece, as the local stack's embedded one does.
#[must_use]
pub fn first_items(imported: &Imported) -> Vec<Item> {
    let definition = &imported.definition;
    let (seats, shares) = (seats_of(&definition.id, &imported.layout), shares_of(definition));
    let mut items: Vec<Item> = seats.iter().map(Seat::to_item).collect();
    items.extend(shares.iter().map(Share::to_item));
    items.extend(map_items(definition, &seats, &shares));
    items.extend(layout_items(&definition.id, &imported.layout));
    items.push(meta_item(definition));
    items
}

/// The map of seats and shares as they are.
fn map_items(definition: &EventDefinition, seats: &[Seat], shares: &[Share]) -> Vec<Item> {
    let event = &definition.id;
    let mut by_section: BTreeMap<_, Vec<Seat>> = BTreeMap::new();
    for seat in seats {
        by_section.entry(section_of_block(&seat.block)).or_default().push(seat.clone());
    }
    let sections = by_section.iter().filter_map(|(id, seats)| Some(map::section(event, id.as_ref()?, seats).to_item()));
    let of_pool = |pool: &PoolDef| {
        let own: Vec<Share> = shares.iter().filter(|s| s.pool == pool.id).cloned().collect();
        map::pool(event, &pool.id, &own).to_item()
    };
    sections.chain(definition.pools.iter().map(of_pool)).collect()
}
