//! The seat map: two bits a seat, rebuilt from the seats themselves.
//!
//! A section's map is never patched. It is built anew from a consistent read of its seats and written only if the sum of
//! their versions is higher than that of the stored one; so redelivery, order and loss of stream records do not matter.
//! Nor does a sweep that does not come: seats of overdue holds count as free from the moment at which they can be taken.

pub mod chart;
pub mod code;
mod pack;
mod rebuild;

pub use pack::{Packed, get, len_bytes, pack, set, unpack};
pub use rebuild::{pool, section, section_at};

use crate::ids::{EventId, SectionId};
use crate::items::{MapPool, MapSection, attr, key};
use crate::plan::{Cond, Item, Key, Next, Plan, Refused, Rule, Update, Value, Write};
use crate::time::{Clock, EventMs, WallMs};

/// Writes a map item if it was built from more than the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    item: Item,
    sum: i64,
}

/// The stored map is as new or newer; nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored map is as new or newer")]
pub struct NotNewer;

impl Refresh {
    /// Writes a section.
    #[must_use]
    pub fn section(map: &MapSection) -> Self {
        Self { item: map.to_item(), sum: map.sum }
    }

    /// Writes a pool.
    #[must_use]
    pub fn pool(map: &MapPool) -> Self {
        Self { item: map.to_item(), sum: map.sum }
    }
}

impl Rule for Refresh {
    type Refusal = NotNewer;

    fn plan(&self) -> Result<Plan, NotNewer> {
        let newer = Cond::Absent.or(Cond::Lt(attr::SUM, self.sum.into()));
        Ok(Plan::new(vec![Write::put(self.item.clone(), newer)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, NotNewer> {
        Next::No(NotNewer)
    }
}

/// Notes the beat that the projection has seen, if it is higher than the noted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Event.
    pub event: EventId,
    /// The beat of the clock that passed through the stream.
    pub beat: u64,
    /// The wall time that the clock carried.
    pub wall: WallMs,
}

impl Rule for Seen {
    type Refusal = NotNewer;

    fn plan(&self) -> Result<Plan, NotNewer> {
        let beat = i64::try_from(self.beat).unwrap_or(i64::MAX);
        let newer = Cond::Missing(attr::BEAT).or(Cond::Lt(attr::BEAT, beat.into()));
        let update = Update::new().set(attr::KIND, MapSection::KIND).set(attr::BEAT, beat).set(attr::WALL, self.wall.0);
        Ok(Plan::new(vec![Write::update(key::map_seen(&self.event), newer, update)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, NotNewer> {
        Next::No(NotNewer)
    }
}

/// The whole map as read from its partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// Sections.
    pub sections: Vec<MapSection>,
    /// Pools.
    pub pools: Vec<MapPool>,
    /// Beat and wall time that the projection has seen.
    pub seen: Option<(u64, WallMs)>,
}

impl Map {
    /// Sorts the items of the map's partition; unreadable ones are left out and counted.
    #[must_use]
    pub fn of(items: &[Item]) -> (Self, usize) {
        let mut map = Self::default();
        let unreadable = items.iter().filter(|item| !map.add(item)).count();
        (map, unreadable)
    }

    fn add(&mut self, item: &Item) -> bool {
        let sort_key = Key::of(item).map(|k| k.sk).unwrap_or_default();
        if sort_key == "SEEN" {
            self.seen = seen(item);
            return self.seen.is_some();
        }
        if sort_key.starts_with("POOL#") {
            return MapPool::from_item(item).map(|p| self.pools.push(p)).is_ok();
        }
        MapSection::from_item(item).map(|s| self.sections.push(s)).is_ok()
    }

    /// A number that rises whenever any part of the map changes: the sum of all sums.
    #[must_use]
    pub fn version(&self) -> i64 {
        let sections = self.sections.iter().map(|s| s.sum);
        sections.chain(self.pools.iter().map(|p| p.sum)).fold(0, i64::saturating_add)
    }

    /// The sections that show seats as held though their holds were overdue before `before`, the longest overdue first.
    #[must_use]
    pub fn overdue(&self, before: EventMs) -> Vec<SectionId> {
        let due = |s: &MapSection| s.due.filter(|due| *due < before).map(|due| (due, s.section.clone()));
        let mut sections: Vec<(EventMs, SectionId)> = self.sections.iter().filter_map(due).collect();
        sections.sort();
        sections.into_iter().map(|(_, section)| section).collect()
    }
}

fn seen(item: &Item) -> Option<(u64, WallMs)> {
    let number = |name: &str| item.get(name).and_then(Value::as_i64);
    Some((u64::try_from(number(attr::BEAT)?).ok()?, WallMs(number(attr::WALL)?)))
}

/// Stores a beat's clock, if the beat is higher than the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Event.
    pub event: EventId,
    /// The clock after the beat, from [`Clock::tick`].
    pub clock: Clock,
    /// The event's revocation epoch.
    pub rev: u32,
}

/// The beat is not higher than the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the beat is not higher than the stored one")]
pub struct BeatNotHigher;

impl Rule for Beat {
    type Refusal = BeatNotHigher;

    fn plan(&self) -> Result<Plan, BeatNotHigher> {
        let item = crate::items::ClockItem { event: self.event.clone(), clock: self.clock, rev: self.rev }.to_item();
        let beat = i64::try_from(self.clock.beat).unwrap_or(i64::MAX);
        let higher = Cond::Absent.or(Cond::Lt(attr::BEAT, beat.into()));
        Ok(Plan::new(vec![Write::put(item, higher)]))
    }

    fn explain(&self, _: &Refused) -> Next<Self, BeatNotHigher> {
        Next::No(BeatNotHigher)
    }
}

#[cfg(test)]
mod tests;
