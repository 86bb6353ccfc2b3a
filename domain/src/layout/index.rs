//! Blocks, and seats by id.

use std::collections::BTreeMap;

use super::{Layout, Section};
use crate::ids::{BlockId, SeatId, SectionId};

/// Seats of a block at most, unless a single row has more: one wanted section then spreads over several partitions.
pub const BLOCK_SEATS: usize = 500;

/// A run of rows whose seats share a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// Id: the section's, or `section~2` for its second run.
    pub id: BlockId,
    /// Position of the first row in the section.
    pub first_row: usize,
    /// How many rows.
    pub rows: usize,
    /// Index of the first seat in the section.
    pub first_seat: usize,
    /// How many seats.
    pub seats: usize,
}

/// The blocks of a section: as many whole rows in each as stay within [`BLOCK_SEATS`].
#[must_use]
pub fn blocks_of(section: &Section) -> Vec<BlockInfo> {
    let mut blocks: Vec<BlockInfo> = Vec::new();
    let mut seen = 0;
    for (at, row) in section.rows.iter().enumerate() {
        let fits = blocks.last().is_some_and(|b| b.seats + row.seats.len() <= BLOCK_SEATS);
        if !fits {
            blocks.push(block(section, blocks.len() + 1, at, seen));
        }
        if let Some(last) = blocks.last_mut() {
            last.rows += 1;
            last.seats += row.seats.len();
        }
        seen += row.seats.len();
    }
    blocks
}

fn block(section: &Section, n: usize, first_row: usize, first_seat: usize) -> BlockInfo {
    let name = if n == 1 { section.id.to_string() } else { format!("{}~{n}", section.id) };
    // A section id and `~` with up to three digits are within the alphabet and length of block ids.
    let id = name.parse().unwrap_or_else(|_| panic!("block id {name}"));
    BlockInfo { id, first_row, rows: 0, first_seat, seats: 0 }
}

/// The section that a block is of.
#[must_use]
pub fn section_of_block(block: &BlockId) -> Option<SectionId> {
    block.as_str().split('~').next()?.parse().ok()
}

/// Where a seat is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatPlace {
    /// Position of its section in the layout.
    pub section: usize,
    /// Position of its row in the section.
    pub row: usize,
    /// Position in the row.
    pub in_row: usize,
    /// Its block.
    pub block: BlockId,
    /// Index in the section, in map order.
    pub index: u32,
    /// Position of its level in the layout.
    pub level: usize,
    /// 0 ordinary, 1 accessible, 2 companion.
    pub kind: u8,
}

/// Seats of a layout by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatIndex {
    seats: BTreeMap<SeatId, SeatPlace>,
}

impl SeatIndex {
    /// Indexes a layout. Seats without a valid id, or with one that another seat has, are left out: an import refuses them.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let mut index = Self::default();
        for (at, section) in layout.sections.iter().enumerate() {
            index.add(at, section);
        }
        index
    }

    fn add(&mut self, at: usize, section: &Section) {
        let mut n = 0;
        for block in blocks_of(section) {
            for row in block.first_row..block.first_row + block.rows {
                for (in_row, seat) in section.rows[row].seats.iter().enumerate() {
                    let place = SeatPlace {
                        section: at,
                        row,
                        in_row,
                        block: block.id.clone(),
                        index: n,
                        level: seat.level,
                        kind: seat.kind,
                    };
                    n += 1;
                    if let Some(id) = seat.id_in(&section.id, &section.rows[row].label) {
                        self.seats.entry(id).or_insert(place);
                    }
                }
            }
        }
    }

    /// Where a seat is.
    #[must_use]
    pub fn get(&self, seat: &SeatId) -> Option<&SeatPlace> {
        self.seats.get(seat)
    }

    /// All seats, sorted by id.
    pub fn iter(&self) -> impl Iterator<Item = (&SeatId, &SeatPlace)> {
        self.seats.iter()
    }

    /// How many seats.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }
}
