//! The seat map as the projection left it: states for browsers, counts for the Pacer.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ids::EventId;
use domain::items::{LevelCounts, MapPool, MapSection, attr, key};
use domain::plan::{Item, Value as Stored};
use domain::time::WallMs;
use serde_json::{Map, Value, json};
use table::{Table, TableError};

/// All map items of an event.
#[derive(Debug, Default)]
pub struct SeatMap {
    sections: Vec<MapSection>,
    pools: Vec<MapPool>,
    /// The beat that the projection has seen; `None` before its first.
    pub seen: Option<Seen>,
}

/// The clock that the projection has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Its beat.
    pub beat: u64,
    /// Its wall time.
    pub wall: WallMs,
}

/// Reads the map.
///
/// # Errors
/// The table failed.
pub async fn read(table: &Table, event: &EventId) -> Result<SeatMap, TableError> {
    let mut map = SeatMap::default();
    for item in table.query(&key::map(event), "").await? {
        map.add(&item)?;
    }
    Ok(map)
}

impl SeatMap {
    fn add(&mut self, item: &Item) -> Result<(), TableError> {
        let sk = item.get(attr::SK).and_then(Stored::as_str).unwrap_or_default();
        if sk.starts_with("SECTION#") {
            self.sections.push(MapSection::from_item(item)?);
        } else if sk.starts_with("POOL#") {
            self.pools.push(MapPool::from_item(item)?);
        } else {
            self.seen = seen(item);
        }
        Ok(())
    }

    /// The packed states of each section, in layout order of seats; one section's item by id.
    pub fn sections(&self) -> &[MapSection] {
        &self.sections
    }

    /// Rises with every change: the sum of all versions of what the map was built from.
    pub fn version(&self) -> i64 {
        let sums = self.sections.iter().map(|section| section.sum);
        sums.chain(self.pools.iter().map(|pool| pool.sum)).sum()
    }

    /// The map for browsers.
    pub fn json(&self) -> Value {
        let section = |section: &MapSection| {
            let all = section.counts();
            let view = json!({"states": STANDARD.encode(&section.states), "free": all.free, "held": all.held + all.claimed, "sold": all.sold});
            (section.section.to_string(), view)
        };
        let pool = |pool: &MapPool| (pool.pool.to_string(), json!({"free": pool.counts.free}));
        let sections: Map<String, Value> = self.sections.iter().map(section).collect();
        let pools: Map<String, Value> = self.pools.iter().map(pool).collect();
        json!({"version": self.version(), "sections": sections, "pools": pools})
    }

    /// Counts, in all and by level.
    pub fn stock(&self) -> Value {
        let mut all = LevelCounts::default();
        let mut levels: BTreeMap<&str, LevelCounts> = BTreeMap::new();
        for level in self.levels() {
            all.add(level);
            levels.entry(&level.level).or_default().add(level);
        }
        let view = |counts: &LevelCounts| json!({"free": counts.free, "held": counts.held, "claimed": counts.claimed, "sold": counts.sold});
        let levels: Map<String, Value> = levels.iter().map(|(id, counts)| ((*id).to_owned(), view(counts))).collect();
        let mut stock = view(&all);
        stock["blocked"] = json!(all.blocked);
        stock["levels"] = json!(levels);
        stock
    }

    /// Orders that the free places still make, rounded up; an order has `per_order_milli` thousandths of a place.
    pub fn orders_left(&self, per_order_milli: u64) -> u64 {
        let free: u64 = self.levels().map(|level| u64::from(level.free)).sum();
        (free * 1000).div_ceil(per_order_milli.max(1))
    }

    /// Holds and orders.
    pub fn shoppers(&self) -> u64 {
        let sections = self.sections.iter().map(|section| u64::from(section.holds));
        sections.chain(self.pools.iter().map(|pool| u64::from(pool.holds))).sum()
    }

    fn levels(&self) -> impl Iterator<Item = &LevelCounts> {
        self.sections.iter().flat_map(|section| &section.levels).chain(self.pools.iter().map(|pool| &pool.counts))
    }
}

fn seen(item: &Item) -> Option<Seen> {
    let number = |name| item.get(name).and_then(Stored::as_i64);
    Some(Seen { beat: u64::try_from(number(attr::BEAT)?).ok()?, wall: WallMs(number(attr::WALL)?) })
}
