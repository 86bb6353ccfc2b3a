//! How much is free where: for whoever needs no single seat, and for pages to which the map does not come.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SheetError;
use super::sheet::checked;
use crate::ids::{PoolId, SectionId};
use crate::map::{Map, MapSection};

/// Free places. A shop may send them without a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Rises with every change: the map's version, where there is a map.
    pub version: i64,
    /// Free seats of each section by price level.
    #[serde(default)]
    pub sections: BTreeMap<SectionId, BTreeMap<String, u32>>,
    /// Free places of each pool.
    #[serde(default)]
    pub pools: BTreeMap<PoolId, u32>,
}

impl Counts {
    /// The counts of a map.
    #[must_use]
    pub fn of(map: &Map) -> Self {
        let levels = |section: &MapSection| section.levels.iter().map(|of| (of.level.clone(), of.free)).collect();
        let sections = map.sections.iter().map(|section| (section.section.clone(), levels(section)));
        let pools = map.pools.iter().map(|pool| (pool.pool.clone(), pool.counts.free));
        Self { version: map.version(), sections: sections.collect(), pools: pools.collect() }
    }

    /// Reads counts that a shop has sent.
    ///
    /// # Errors
    /// They make no sense; nothing of them is taken then.
    pub fn read(json: &serde_json::Value) -> Result<Self, SheetError> {
        let counts = Self::deserialize(json).map_err(|error| SheetError::Counts(error.to_string()))?;
        checked(counts.version).map(|_| counts)
    }
}
