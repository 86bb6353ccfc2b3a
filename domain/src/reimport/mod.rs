//! Importing an event, for the first time or again: from what the table has to what the new plan wants, one conditional write
//! for each item, so that a sale in between always wins.
//!
//! Nothing that somebody has is lost or moved: a seat that is held, being paid, sold, blocked or kept for the house stays where it
//! is, or the import is refused with every such seat named. Prices, levels, positions and channels may change under anybody, since a hold
//! keeps the prices it was made at. A pool never gets fewer places than are taken.
//!
//! An import goes in parts. Before the first it writes a *fence* with a number of its own, and every part asks for that number:
//! an import that another one has overtaken writes nothing any more. The fence also remembers every block and pool that may have items, so that an
//! import that broke off leaves nothing behind that the next one does not find.

//!
//! A map is replaced only by one that was built from a higher sum of versions. So what a removed item counted passes to one that stays, in
//! the same part: whatever breaks off, sums rise.

mod changes;
mod fence;
mod obstacle;
mod pools;
mod seats;

pub use changes::{Changes, Report};
pub use fence::{Begin, Fence, Overtaken, PART, part};
pub use obstacle::Obstacle;

use crate::ids::EventId;
use crate::items::{Seat, Share};
use crate::plan_import::PoolDef;

/// What a new plan wants.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Event.
    pub event: &'a EventId,
    /// Every seat, never held.
    pub seats: &'a [Seat],
    /// Pools.
    pub pools: &'a [PoolDef],
}

/// What is to be written so that the stored items become those that are wanted.
///
/// # Errors
/// Everything that stands in the way.
pub fn compare(wanted: Wanted<'_>, seats: &[Seat], shares: &[Share]) -> Result<Changes, Vec<Obstacle>> {
    let mut changes = Changes::default();
    let mut obstacles = seats::compare(wanted.event, wanted.seats, seats, &mut changes);
    obstacles.extend(pools::compare(wanted.event, wanted.pools, shares, &mut changes));
    if obstacles.is_empty() { Ok(changes) } else { Err(obstacles) }
}
