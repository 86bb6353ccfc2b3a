//! A section's or pool's map from its seats or shares.

use std::collections::{BTreeMap, BTreeSet};

use super::pack::{Packed, pack};
use crate::ids::{ChannelId, EventId, PoolId, SectionId};
use crate::items::{LevelCounts, MapPool, MapSection, Seat, SeatState, Share};
use crate::time::EventMs;

/// How much a change of a seat counts in a section's sum, against a hold that has become overdue: whoever has seen more
/// changes knows better, and of two who have seen the same, who looked later.
const CHANGE: i64 = 1 << 16;

/// A section at a time at which no hold is overdue yet.
#[must_use]
pub fn section(event: &EventId, section: &SectionId, seats: &[Seat]) -> MapSection {
    section_at(event, section, seats, EventMs(i64::MIN))
}

/// Builds a section from all its seats, of all its blocks, in any order, as they can be taken at `now`: a seat whose hold is
/// overdue counts as free, whether or not the hold was swept. An index that no seat has shows as blocked, and so does a free
/// seat of a channel: it is for that channel's buyers only, who find it in the channel's own bits.
#[must_use]
pub fn section_at(event: &EventId, section: &SectionId, seats: &[Seat], now: EventMs) -> MapSection {
    let len = seats.iter().map(|s| s.index as usize + 1).max().unwrap_or(0);
    let mut states = vec![Packed::Blocked; len];
    let mut levels: BTreeMap<&str, LevelCounts> = BTreeMap::new();
    let overdue = seats.iter().filter(|seat| is_overdue(seat, now)).count();
    let sum: i64 = seats.iter().map(|s| s.version).sum();
    for seat in seats {
        let state = for_anybody(seat, now);
        states[seat.index as usize] = state.into();
        count(levels.entry(&seat.level).or_default(), state);
    }
    let current = || seats.iter().filter(|seat| !is_overdue(seat, now));
    let holds: BTreeSet<_> = current().filter_map(|s| s.hold).collect();
    MapSection {
        event: event.clone(),
        section: section.clone(),
        states: pack(&states),
        levels: levels.into_iter().map(|(level, counts)| LevelCounts { level: level.to_owned(), ..counts }).collect(),
        holds: u32::try_from(holds.len()).unwrap_or(u32::MAX),
        channels: channels(seats, len, now),
        due: current().filter(|seat| seat.state == SeatState::Held).filter_map(|seat| seat.until).min(),
        sum: sum.saturating_mul(CHANGE).saturating_add(i64::try_from(overdue).unwrap_or(CHANGE).min(CHANGE - 1)),
    }
}

/// Held, and until before `now`: anybody may take it, see [`crate::seat::takeable`].
fn is_overdue(seat: &Seat, now: EventMs) -> bool {
    seat.state == SeatState::Held && seat.until.is_some_and(|until| until < now)
}

fn is_free(seat: &Seat, now: EventMs) -> bool {
    seat.state == SeatState::Free || is_overdue(seat, now)
}

/// What a seat is to a buyer without any channel.
fn for_anybody(seat: &Seat, now: EventMs) -> SeatState {
    match seat.channel {
        None if is_free(seat, now) => SeatState::Free,
        Some(_) if is_free(seat, now) => SeatState::Blocked,
        _ => seat.state,
    }
}

/// Which seats of each channel are free, one bit a seat.
fn channels(seats: &[Seat], len: usize, now: EventMs) -> Vec<(ChannelId, Vec<u8>)> {
    let mut channels: BTreeMap<&ChannelId, Vec<u8>> = BTreeMap::new();
    for seat in seats.iter().filter(|seat| is_free(seat, now)) {
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
