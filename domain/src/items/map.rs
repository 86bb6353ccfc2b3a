//! Map items: what browsers see of a section or a pool.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key};
use crate::ids::{ChannelId, EventId, PoolId, SectionId};
use crate::plan::{Item, Value};
use crate::time::EventMs;

/// How many seats of one price level are what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelCounts {
    /// Price level id.
    pub level: String,
    /// Free.
    pub free: u32,
    /// Held.
    pub held: u32,
    /// Being paid.
    pub claimed: u32,
    /// Sold.
    pub sold: u32,
    /// Not for sale.
    pub blocked: u32,
}

/// A section on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSection {
    /// Event.
    pub event: EventId,
    /// Section.
    pub section: SectionId,
    /// Two bits a seat in map order, lowest bits first: 0 free, 1 held or claimed, 2 sold, 3 blocked.
    pub states: Vec<u8>,
    /// Counts by level, sorted by level id.
    pub levels: Vec<LevelCounts>,
    /// Distinct holds that have seats here, sold ones included.
    pub holds: u32,
    /// Seats that are free for the buyers of a channel, one bit a seat in map order, lowest bits first; in `states` they
    /// are blocked.
    pub channels: Vec<(ChannelId, Vec<u8>)>,
    /// When the first of the holds that show as such becomes overdue.
    pub due: Option<EventMs>,
    /// Rises with every change: 2¹⁶ times the sum of the seat versions it was built from, and how many seats it shows as free
    /// although an overdue hold has them.
    pub sum: i64,
}

/// A pool on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPool {
    /// Event.
    pub event: EventId,
    /// Pool.
    pub pool: PoolId,
    /// Counts of its one level.
    pub counts: LevelCounts,
    /// Holds that have places here, by share, sold ones included.
    pub holds: u32,
    /// Sum of the share versions it was built from.
    pub sum: i64,
}

impl LevelCounts {
    fn value(&self) -> Value {
        let counts = [self.free, self.held, self.claimed, self.sold, self.blocked];
        let level = std::iter::once(Value::S(self.level.clone()));
        Value::L(level.chain(counts.into_iter().map(Value::from)).collect())
    }

    fn read(value: &Value) -> Option<Self> {
        let [level, counts @ ..] = value.as_list()? else { return None };
        let counts: Option<Vec<u32>> = counts.iter().map(|c| u32::try_from(c.as_i64()?).ok()).collect();
        let [free, held, claimed, sold, blocked] = *counts?.as_slice() else { return None };
        Some(Self { level: level.as_str()?.to_owned(), free, held, claimed, sold, blocked })
    }

    /// Adds another level's counts to these.
    pub fn add(&mut self, other: &Self) {
        self.free += other.free;
        self.held += other.held;
        self.claimed += other.claimed;
        self.sold += other.sold;
        self.blocked += other.blocked;
    }
}

fn channel(value: &Value) -> Option<(ChannelId, Vec<u8>)> {
    let [id, bits] = value.as_list()? else { return None };
    Some((id.as_str()?.parse().ok()?, bits.as_bytes()?.to_vec()))
}

/// Reads the level counts of a map item.
fn levels(r: &Reader<'_>) -> Result<Vec<LevelCounts>, Unreadable> {
    let list = r.list(attr::LEVELS).iter().map(LevelCounts::read);
    list.collect::<Option<_>>().ok_or_else(|| r.bad(attr::LEVELS))
}

impl MapSection {
    /// The value of `k` of every map item.
    pub const KIND: &'static str = "map";

    /// All levels together.
    #[must_use]
    pub fn counts(&self) -> LevelCounts {
        let mut all = LevelCounts::default();
        self.levels.iter().for_each(|l| all.add(l));
        all
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let all = self.counts();
        let channel = |(id, bits): &(ChannelId, Vec<u8>)| Value::L(vec![id.to_string().into(), Value::B(bits.clone())]);
        let channels = (!self.channels.is_empty()).then(|| Value::L(self.channels.iter().map(channel).collect()));
        Builder::new(&key::map_section(&self.event, &self.section), Self::KIND)
            .with(attr::STATES, Value::B(self.states.clone()))
            .with(attr::FREE, all.free)
            .with(attr::HELD, all.held)
            .with(attr::CLAIMED, all.claimed)
            .with(attr::SOLD, all.sold)
            .with(attr::BLOCKED, all.blocked)
            .with(attr::LEVELS, Value::L(self.levels.iter().map(LevelCounts::value).collect()))
            .with(attr::HOLDS, self.holds)
            .with(attr::SUM, self.sum)
            .maybe(attr::CHANNEL, channels)
            .maybe(attr::UNTIL, self.due.map(|due| due.0))
            .done()
    }

    /// The states as a buyer who has shown these channels may take the seats.
    #[must_use]
    pub fn states_for(&self, shown: &[ChannelId]) -> Vec<u8> {
        let mut states = self.states.clone();
        let own = self.channels.iter().filter(|(channel, _)| shown.contains(channel));
        for (at, byte) in own.flat_map(|(_, bits)| bits.iter().enumerate()) {
            for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
                let seat = at * 8 + bit;
                if let Some(four) = states.get_mut(seat / 4) {
                    *four &= !(0b11 << (2 * (seat % 4)));
                }
            }
        }
        states
    }

    /// Reads a stored section.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            event: r.partition_key("MAP#")?,
            section: r.sort_key("SECTION#")?,
            states: r.bytes(attr::STATES)?.to_vec(),
            levels: levels(&r)?,
            holds: r.count(attr::HOLDS)?,
            channels: r
                .list(attr::CHANNEL)
                .iter()
                .map(channel)
                .collect::<Option<_>>()
                .ok_or_else(|| r.bad(attr::CHANNEL))?,
            due: r.opt_number(attr::UNTIL).map(EventMs),
            sum: r.number(attr::SUM)?,
        })
    }
}

impl MapPool {
    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::map_pool(&self.event, &self.pool), MapSection::KIND)
            .with(attr::FREE, self.counts.free)
            .with(attr::HELD, self.counts.held)
            .with(attr::CLAIMED, self.counts.claimed)
            .with(attr::SOLD, self.counts.sold)
            .with(attr::LEVELS, Value::L(vec![self.counts.value()]))
            .with(attr::HOLDS, self.holds)
            .with(attr::SUM, self.sum)
            .done()
    }

    /// Reads a stored pool.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(MapSection::KIND, item)?;
        Ok(Self {
            event: r.partition_key("MAP#")?,
            pool: r.sort_key("POOL#")?,
            counts: levels(&r)?.pop().ok_or_else(|| r.bad(attr::LEVELS))?,
            holds: r.count(attr::HOLDS)?,
            sum: r.number(attr::SUM)?,
        })
    }
}
