//! What the executor must know of an order's event: its clock, and its limit per card.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::time::{Clock, EventMs, WallMs};

/// The terms under which orders of one event are carried on.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The event's clock, read a moment ago.
    pub clock: Clock,
    /// Places that one card may buy; `None`: no limit.
    pub card_limit: Option<u32>,
}

impl Terms {
    /// Event time now.
    #[must_use]
    pub fn now(&self) -> EventMs {
        self.clock.now(wall_now())
    }
}

/// Wall time now.
#[must_use]
pub fn wall_now() -> WallMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    WallMs(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
