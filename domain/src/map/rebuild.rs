//! A section's or pool's map from its seats or shares.

use std::collections::{BTreeMap, BTreeSet};

use super::pack::{Packed, pack};
use crate::ids::{ChannelId, EventId, PoolId, SectionId};
use crate::items::{LevelCounts, MapPool, MapSection, Seat, SeatState, Share};

/// Builds a section from all its seats, of all its blocks, in any order. An index that no seat has shows as blocked, and
/// so does a free seat of a channel: it is for that channel's buyers only, who find it in the channel's own bits.
#[must_use]
pub fn section(event: &EventId, section: &SectionId, seats: &[Seat]) -> MapSection {
    let len = seats.iter().map(|s| s.index as usize + 1).max().unwrap_or(0);
    let mut states = vec![Packed::Blocked; len];
    let mut levels: BTreeMap<&str, LevelCounts> = BTreeMap::new();
    for seat in seats {
        let state = for_anybody(seat);
        states[seat.index as usize] = state.into();
        count(levels.entry(&seat.level).or_default(), state);
    }
    let holds: BTreeSet<_> = seats.iter().filter_map(|s| s.hold).collect();
    MapSection {
        event: event.clone(),
        section: section.clone(),
        states: pack(&states),
        levels: levels.into_iter().map(|(level, counts)| LevelCounts { level: level.to_owned(), ..counts }).collect(),
        holds: u32::try_from(holds.len()).unwrap_or(u32::MAX),
        channels: channels(seats, len),
        sum: seats.iter().map(|s| s.version).sum(),
    }
}

/// What a seat is to a buyer without any channel.
fn for_anybody(seat: &Seat) -> SeatState {
    let reserved = seat.state == SeatState::Free && seat.channel.is_some();
    if reserved { SeatState::Blocked } else { seat.state }
}

/// Which seats of each channel are free, one bit a seat.
fn channels(seats: &[Seat], len: usize) -> Vec<(ChannelId, Vec<u8>)> {
    let mut channels: BTreeMap<&ChannelId, Vec<u8>> = BTreeMap::new();
    for seat in seats.iter().filter(|seat| seat.state == SeatState::Free) {
        let Some(channel) = &seat.channel else { continue };
        let bits = channels.entry(channel).or_insert_with(|| vec![0; len.div_ceil(8)]);
        bits[seat.index as usize / 8] |= 1 << (seat.index % 8);
    }
    channels.into_iter().map(|(channel, bits)| (channel.clone(), bits)).collect()
}

fn count(counts: &mut LevelCounts, state: SeatState) {
    let one = match state {
        SeatState::Free => &mut counts.free,
        SeatState::Held => &mut counts.held,
        SeatState::Claimed => &mut counts.claimed,
        SeatState::Sold => &mut counts.sold,
        SeatState::Blocked => &mut counts.blocked,
    };
    *one += 1;
}

/// Builds a pool from all its shares.
#[must_use]
pub fn pool(event: &EventId, pool: &PoolId, shares: &[Share]) -> MapPool {
    let mut counts =
        LevelCounts { level: shares.first().map(|s| s.level.clone()).unwrap_or_default(), ..LevelCounts::default() };
    for share in shares {
        let part = LevelCounts {
            free: share.free,
            held: share.held,
            claimed: share.claimed,
            sold: share.sold,
            ..LevelCounts::default()
        };
        counts.add(&part);
    }
    let holds = shares.iter().map(|s| s.holds).sum();
    MapPool { event: event.clone(), pool: pool.clone(), counts, holds, sum: shares.iter().map(|s| s.version).sum() }
}
