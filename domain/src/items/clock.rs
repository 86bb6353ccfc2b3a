//! The clock item: a beat and the event time at it.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key};
use crate::ids::EventId;
use crate::plan::Item;
use crate::time::{Clock, EventMs, WallMs};

/// The event's clock as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockItem {
    /// Event.
    pub event: EventId,
    /// Its clock.
    pub clock: Clock,
    /// Revocation epoch: access tokens of lower ones are refused.
    pub rev: u32,
}

impl ClockItem {
    /// The value of `k`.
    pub const KIND: &'static str = "clock";

    /// As stored. Beats stay far below 2⁶³.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::clock(&self.event), Self::KIND)
            .with(attr::BEAT, i64::try_from(self.clock.beat).unwrap_or(i64::MAX))
            .with(attr::WALL, self.clock.wall.0)
            .with(attr::EVENT_TIME, self.clock.event.0)
            .with(attr::RUN, self.clock.run_ms)
            .with(attr::REVISION, i64::from(self.rev))
            .done()
    }

    /// Reads a stored clock.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let clock = Clock {
            beat: u64::try_from(r.number(attr::BEAT)?).map_err(|_| r.bad(attr::BEAT))?,
            wall: WallMs(r.number(attr::WALL)?),
            event: EventMs(r.number(attr::EVENT_TIME)?),
            run_ms: r.number(attr::RUN)?,
        };
        let rev = if r.opt_number(attr::REVISION).is_some() { r.count(attr::REVISION)? } else { 0 };
        Ok(Self { event: r.partition_key("EVENT#")?, clock, rev })
    }
}
