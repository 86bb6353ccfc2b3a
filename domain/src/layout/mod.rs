//! The compact layout of a venue: what browsers draw and what seats are looked up in.
//!
//! Sections, rows and seats stand in *map order*; a seat's index in its section is its position in the packed map.
//! Prices shown here are all-in. This module reads no plan files and compresses nothing.

mod index;
mod json;

pub use index::{BLOCK_SEATS, BlockInfo, SeatIndex, SeatPlace, blocks_of, section_of_block};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ids::{PoolId, SeatId, SectionId};

/// A venue as it is drawn. Coordinates are the plan's units with two decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Names the content, see [`Layout::seal`].
    pub version: String,
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Price levels; seats refer to them by position.
    pub levels: Vec<Level>,
    /// Sections.
    pub sections: Vec<Section>,
    /// Standing pools.
    pub pools: Vec<Pool>,
}

/// A price level as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// CSS colour.
    pub color: String,
    /// Price with fee, in minor units.
    pub total_minor: i64,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Id.
    pub id: SectionId,
    /// Name.
    pub name: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Label.
    pub label: String,
    /// Seats, neighbours side by side. Written as `[label, x, y, level, kind]`, and with the id as a sixth element
    /// when it is not `section-row-label`.
    pub seats: Vec<Seat>,
}

/// A seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// Label within its row.
    pub label: String,
    /// Centre.
    pub x: f64,
    /// Centre.
    pub y: f64,
    /// Position of its level in [`Layout::levels`].
    pub level: usize,
    /// 0 ordinary, 1 accessible, 2 companion.
    pub kind: u8,
    /// Id, when it is not `section-row-label`.
    pub id: Option<SeatId>,
}

/// A standing pool and where it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    /// Id.
    pub id: PoolId,
    /// Name.
    pub name: String,
    /// Places.
    pub capacity: u32,
    /// Position of its level in [`Layout::levels`].
    pub level: usize,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Seat {
    /// The seat's id in its section and row.
    #[must_use]
    pub fn id_in(&self, section: &SectionId, row: &str) -> Option<SeatId> {
        match &self.id {
            Some(id) => Some(id.clone()),
            None => implied_id(section, row, &self.label),
        }
    }
}

/// The id that a seat has when none is written: `section-row-label`.
#[must_use]
pub fn implied_id(section: &SectionId, row: &str, label: &str) -> Option<SeatId> {
    format!("{section}-{row}-{label}").parse().ok()
}

impl Layout {
    /// Sets the version to 16 hexadecimal digits of the content's SHA-256.
    pub fn seal(&mut self) {
        self.version.clear();
        // A layout is plain data: it always serialises.
        let json = serde_json::to_vec(self).unwrap_or_default();
        self.version = Sha256::digest(json)[..8].iter().map(|b| format!("{b:02x}")).collect();
    }

    /// How many seats it has.
    #[must_use]
    pub fn seat_count(&self) -> usize {
        self.sections.iter().map(Section::seat_count).sum()
    }

    /// The section of this id.
    #[must_use]
    pub fn section(&self, id: &SectionId) -> Option<&Section> {
        self.sections.iter().find(|s| &s.id == id)
    }
}

impl Section {
    /// How many seats it has.
    #[must_use]
    pub fn seat_count(&self) -> usize {
        self.rows.iter().map(|r| r.seats.len()).sum()
    }
}

#[cfg(test)]
mod tests;
