//! The seat map as a shop sends it, in plain words: what a program of a few lines can write.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::ids::{ChannelId, PoolId, SectionId};
use crate::layout::{Layout, Section};
use crate::map::code::Rows;
use crate::map::pack::{Packed, len_bytes};
use crate::map::{Map, MapSection};

/// Seats that a map may have.
pub const MOST_SEATS: usize = 1_000_000;
/// The largest version: numbers up to this one are exact in JavaScript.
pub const MOST_VERSION: i64 = (1 << 53) - 1;

/// A seat map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// Rises with every change.
    pub version: i64,
    /// Sections, all of the layout's.
    #[serde(default)]
    pub sections: BTreeMap<SectionId, SheetSection>,
    /// Pools.
    #[serde(default)]
    pub pools: BTreeMap<PoolId, SheetPool>,
}

/// A section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetSection {
    /// How many seats each row has, in map order.
    pub rows: Rows,
    /// Two bits a seat in map order, lowest bits first, in base64.
    pub states: String,
    /// Seats that are free for a channel's buyers: one bit a seat, lowest bits first, in base64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub channels: BTreeMap<ChannelId, String>,
}

/// A pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetPool {
    /// Free places.
    pub free: u32,
}

/// Why a map is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// Not of the agreed form.
    #[error("the map cannot be read: {0}")]
    Form(String),
    /// Counts that are not of the agreed form.
    #[error("the counts of the map cannot be read: {0}")]
    Counts(String),
    /// A version below 0 or above [`MOST_VERSION`].
    #[error("the map's version {0} is none")]
    Version(i64),
    /// More seats than [`MOST_SEATS`].
    #[error("the map has more than {MOST_SEATS} seats")]
    TooLarge,
    /// Bytes that are not those of the rows' seats.
    #[error("section {0}: its states are not those of its rows' seats")]
    States(SectionId),
    /// Bits that cannot be read, or of seats that are not there.
    #[error("section {0}: the seats of channel {1} are not among its own")]
    Channel(SectionId, ChannelId),
}

impl Sheet {
    /// Reads a map that a shop has sent.
    ///
    /// # Errors
    /// It makes no sense; nothing of it is taken then.
    pub fn read(json: &serde_json::Value) -> Result<Self, SheetError> {
        let sheet = Self::deserialize(json).map_err(|error| SheetError::Form(error.to_string()))?;
        checked(sheet.version)?;
        let mut left = MOST_SEATS;
        for (id, section) in &sheet.sections {
            left = section.seats().and_then(|seats| left.checked_sub(seats)).ok_or(SheetError::TooLarge)?;
            section.check(id)?;
        }
        Ok(sheet)
    }

    /// A map as the sections of the layout have it; one that was never built shows as blocked.
    #[must_use]
    pub fn of(map: &Map, layout: &Layout) -> Self {
        let section = |section: &Section| {
            let known = map.sections.iter().find(|known| known.section == section.id);
            (section.id.clone(), SheetSection::of(section, known))
        };
        let pools = map.pools.iter().map(|pool| (pool.pool.clone(), SheetPool { free: pool.counts.free }));
        Self { version: map.version(), sections: layout.sections.iter().map(section).collect(), pools: pools.collect() }
    }
}

impl SheetSection {
    fn of(section: &Section, known: Option<&MapSection>) -> Self {
        let rows: Rows = section.rows.iter().map(|row| row.seats.len()).collect();
        let mut states = known.map(|known| known.states.clone()).unwrap_or_default();
        fit(&mut states, rows.iter().sum());
        let channels = known.iter().flat_map(|known| &known.channels);
        let channels = channels.map(|(channel, bits)| (channel.clone(), STANDARD.encode(bits))).collect();
        Self { states: STANDARD.encode(states), channels, rows }
    }

    /// How many seats it has, if that is a number.
    pub(super) fn seats(&self) -> Option<usize> {
        self.rows.iter().try_fold(0_usize, |sum, seats| sum.checked_add(*seats))
    }

    fn check(&self, id: &SectionId) -> Result<(), SheetError> {
        let seats = self.seats().unwrap_or_default();
        let states = STANDARD.decode(&self.states).ok().filter(|bytes| bytes.len() == len_bytes(seats));
        states.ok_or_else(|| SheetError::States(id.clone()))?;
        let odd = |bits: &String| !STANDARD.decode(bits).is_ok_and(|bits| bits.len() <= seats.div_ceil(8));
        let odd = self.channels.iter().find(|(_, bits)| odd(bits));
        odd.map_or(Ok(()), |(channel, _)| Err(SheetError::Channel(id.clone(), channel.clone())))
    }

    /// The bytes of a text that was checked.
    pub(super) fn bytes(text: &str) -> Vec<u8> {
        STANDARD.decode(text).unwrap_or_default()
    }
}

/// The version, if it is one.
pub(super) fn checked(version: i64) -> Result<i64, SheetError> {
    if (0..=MOST_VERSION).contains(&version) { Ok(version) } else { Err(SheetError::Version(version)) }
}

/// Cuts or fills up the packed states of a section to those of so many seats. What is not known is blocked.
fn fit(states: &mut Vec<u8>, seats: usize) {
    let known = (states.len() * 4).min(seats);
    states.resize(len_bytes(seats), 0);
    (known..seats).for_each(|seat| crate::map::set(states, seat, Packed::Blocked));
    (seats..states.len() * 4).for_each(|rest| crate::map::set(states, rest, Packed::Free));
}
