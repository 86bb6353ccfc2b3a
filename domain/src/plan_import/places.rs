//! Seats and shares of an imported event, as nobody ever held them.

use super::{EventDefinition, PoolDef};
use crate::ids::{EventId, SeatId};
use crate::items::{Seat, Share};
use crate::layout::{Layout, SeatIndex, SeatPlace};

/// All seats of a layout, sorted by id.
#[must_use]
pub fn seats_of(event: &EventId, layout: &Layout) -> Vec<Seat> {
    let index = SeatIndex::of(layout);
    let seat =
        |(id, p): (&SeatId, &SeatPlace)| Seat::fresh(event, &p.block, id, &layout.levels[p.level].id, p.index, p.kind);
    index.iter().map(seat).collect()
}

/// How many places each share of a pool has; the first ones have a place more when it does not divide.
pub(crate) fn spread(pool: &PoolDef) -> impl Iterator<Item = u32> {
    let (each, more) = (pool.capacity / pool.shares.max(1), pool.capacity % pool.shares.max(1));
    (0..pool.shares).map(move |n| each + u32::from(n < more))
}

/// All shares of an event's pools.
#[must_use]
pub fn shares_of(definition: &EventDefinition) -> Vec<Share> {
    let of = |pool: &PoolDef| {
        let share = |(n, capacity)| Share::fresh(&definition.id, &pool.id, n, capacity, &pool.level);
        (0..).zip(spread(pool)).map(share).collect::<Vec<_>>()
    };
    definition.pools.iter().flat_map(of).collect()
}
