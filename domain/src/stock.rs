//! Stock: what is left, as the map says it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::items::LevelCounts;
use crate::map::Map;

/// Places by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Anybody may take them.
    pub free: u64,
    /// In holds.
    pub held: u64,
    /// Being paid.
    pub claimed: u64,
    /// Sold.
    pub sold: u64,
    /// Not for sale.
    #[serde(default)]
    pub blocked: u64,
}

impl Counts {
    fn add(&mut self, counts: &LevelCounts) {
        self.free += u64::from(counts.free);
        self.held += u64::from(counts.held);
        self.claimed += u64::from(counts.claimed);
        self.sold += u64::from(counts.sold);
        self.blocked += u64::from(counts.blocked);
    }

    /// All places.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.free + self.held + self.claimed + self.sold + self.blocked
    }
}

/// The stock of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stock {
    /// All places.
    #[serde(flatten)]
    pub all: Counts,
    /// By price level.
    pub levels: BTreeMap<String, Counts>,
    /// Holds and orders that have places, a section or pool each counted by itself.
    #[serde(skip)]
    pub shoppers: u64,
}

/// Adds a map up.
#[must_use]
pub fn of(map: &Map) -> Stock {
    let mut stock = Stock::default();
    let sections = map.sections.iter().flat_map(|s| &s.levels);
    for counts in sections.chain(map.pools.iter().map(|p| &p.counts)) {
        stock.all.add(counts);
        stock.levels.entry(counts.level.clone()).or_default().add(counts);
    }
    let holds = map.sections.iter().map(|s| s.holds).chain(map.pools.iter().map(|p| p.holds));
    stock.shoppers = holds.map(u64::from).sum();
    stock
}

impl Stock {
    /// The same without so many free places that are somebody's already.
    #[must_use]
    pub fn without(&self, places: u32) -> Self {
        let free = self.all.free.saturating_sub(places.into());
        Self { all: Counts { free, ..self.all }, ..self.clone() }
    }

    /// Orders that the free places still make, rounded up. `tickets_per_order` is at least one.
    #[must_use]
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Far below 2⁵², never negative.
    pub fn orders_left(&self, tickets_per_order: f64) -> u64 {
        (self.all.free as f64 / tickets_per_order.max(1.0)).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::{MapPool, MapSection};

    fn map() -> Map {
        let event: crate::ids::EventId = "e".parse().expect("id");
        let front = LevelCounts { level: "front".into(), free: 5, held: 1, claimed: 2, sold: 3, blocked: 4 };
        let section = MapSection {
            event: event.clone(),
            section: "A".parse().expect("id"),
            states: vec![],
            levels: vec![front],
            holds: 3,
            channels: vec![],
            due: None,
            sum: 1,
        };
        let counts = LevelCounts { level: "standing".into(), free: 1, sold: 9, ..LevelCounts::default() };
        let pool = MapPool { event, pool: "floor".parse().expect("id"), counts, holds: 2, sum: 1 };
        Map { sections: vec![section], pools: vec![pool], seen: None }
    }

    #[test]
    fn sections_and_pools_add_up() {
        let stock = of(&map());
        assert_eq!(stock.all, Counts { free: 6, held: 1, claimed: 2, sold: 12, blocked: 4 });
        assert_eq!((stock.shoppers, stock.all.total()), (5, 25));
        assert_eq!(stock.levels["front"].free, 5);
    }

    #[test]
    fn orders_left_round_up() {
        assert_eq!(of(&map()).orders_left(2.5), 3);
        assert_eq!(Stock::default().orders_left(2.5), 0);
    }

    #[test]
    fn the_wire_form_is_flat() {
        let json = serde_json::to_value(of(&map())).expect("plain data");
        assert_eq!((&json["free"], &json["levels"]["front"]["sold"]), (&6.into(), &3.into()));
    }
}
