//! When an announced opening may move. It is announced, never backdated.

use super::Refused;
use crate::edge_event::EdgeEvent;
use crate::time::WallMs;

/// An opening closer than this is not postponed any more, in milliseconds: a shard that hears of it too late would already
/// have put arrivals behind the draw.
pub const LAST_CALL_MS: i64 = 5_000;

/// Whether the opening of `event` may become `opens`. Ladder: the announced one lies ahead; an earlier one is a notice ahead
/// and fans may join before it; a later one is not a surprise of the last moment and lies before the end.
pub fn new_opening(event: &EdgeEvent, opens: WallMs, now: WallMs) -> Result<(), Refused> {
    let (old, earliest_ms) = (event.opens_at_ms, now.plus(event.notice_ms));
    match () {
        () if now >= old => Err(Refused::Opened),
        () if opens < old && opens < earliest_ms => Err(Refused::TooSoon { earliest_ms }),
        () if opens < event.joins_from_ms => Err(Refused::BeforeJoins),
        () if opens > old && old < now.plus(LAST_CALL_MS) => Err(Refused::TooLate),
        () if opens >= event.ends_at_ms => Err(Refused::AfterEnd),
        () => Ok(()),
    }
}
