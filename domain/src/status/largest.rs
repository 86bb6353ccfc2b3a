//! How large an event's status file can become: known before the event is stored, so that no beat fails for it.

use super::{Band, Phase, Status};
use crate::ids::EventId;
use crate::time::WallMs;

/// More places, people or turns than any line has: ten digits.
const MANY: u64 = 9_999_999_999;
/// The last millisecond that takes 13 digits, in the year 2286.
const LATE: WallMs = WallMs(9_999_999_999_999);

/// Bytes of the largest status file of an event with these price levels and so many lanes, without its texts.
pub fn largest_bytes<'a>(event: &EventId, levels: impl Iterator<Item = &'a str>, lanes: usize) -> usize {
    let status = largest(event, levels, lanes);
    let unsigned = serde_json::to_vec(&status).map_or(usize::MAX, |bytes| bytes.len());
    // `,"sig":"…"` with 86 characters; the texts stand as `null` in it, which counts.
    unsigned.saturating_add(8 + 86 + 1)
}

/// Every field at its longest.
pub(super) fn largest<'a>(event: &EventId, levels: impl Iterator<Item = &'a str>, lanes: usize) -> Status {
    Status {
        v: 1,
        event: event.clone(),
        beat: MANY,
        phase: Phase::Scheduled,
        clock: (LATE.0, LATE.0, 1_200_000),
        opens: LATE,
        admitted: MANY,
        given: MANY,
        joined: MANY,
        turns: MANY,
        moved: Some(LATE),
        rate: crate::operate::RATE_MAX,
        bands: levels.map(|level| (level.to_owned(), Band::Many)).collect(),
        draw: Some("A".repeat(43)),
        rev: u32::MAX,
        why: None,
        msg: None,
        fresh: LATE,
        next: 30_000,
        // It gives way to the draw. While it stands nobody has a number, which saves more than its name takes.
        seal: None,
        lanes: vec![(MANY, MANY); lanes],
    }
}
