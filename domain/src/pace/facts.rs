//! What a beat decides from. The Pacer reads these after its last await, and commits without another.

use crate::time::{EventMs, WallMs};
use serde::{Deserialize, Serialize};

/// The event's rules for pacing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// From when fans may join, wall time.
    pub joins_from: WallMs,
    /// The opening, wall time.
    pub opens: WallMs,
    /// The end, wall time.
    pub ends: WallMs,
    /// Places per minute.
    pub rate_per_minute: u32,
    /// How long a turn may be claimed, event ms.
    pub claim_window_ms: i64,
    /// Length of a beat, ms.
    pub beat_ms: i64,
}

/// What operators have ordered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Operator {
    /// Paused, with this reason.
    pub paused: Option<String>,
    /// Stopped in an emergency, with this reason.
    pub stopped: Option<String>,
    /// Closed for good.
    pub closed: bool,
}

/// Claimed turns, as gauges: each shard counts its own sessions, the Pacer adds up the last answers. Nothing is lost or counted
/// twice if an answer is missing or repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Claims {
    /// Sessions of places above what has lapsed in their lane ([`super::PaceState::lapsed`]), opened in their own turn.
    pub in_window: u64,
    /// Sessions opened within the last claim window through the late lane.
    pub late_in_window: u64,
    /// Sessions opened within the last [`super::ACTIVE_MS`] of event time, in either way.
    pub recent: u64,
    /// All sessions ever opened in their own turn.
    #[serde(default)]
    pub opened: u64,
    /// All sessions ever opened through the late lane.
    #[serde(default)]
    pub late_opened: u64,
}

impl std::ops::Add for Claims {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            in_window: self.in_window.saturating_add(other.in_window),
            late_in_window: self.late_in_window.saturating_add(other.late_in_window),
            recent: self.recent.saturating_add(other.recent),
            opened: self.opened.saturating_add(other.opened),
            late_opened: self.late_opened.saturating_add(other.late_opened),
        }
    }
}

/// What a good pulse tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pulse {
    /// Event time at this beat.
    pub event: EventMs,
    /// Sellable free seats divided by tickets per order, rounded up.
    pub orders_left: u64,
    /// Seats and standing places not sold yet and not blocked: free, held or claimed.
    pub unsold: u64,
    /// Holds and orders so far that are live, claimed or sold.
    pub shoppers: u64,
    /// Orders that the seats sold so far make.
    pub orders: u64,
    /// Age of the stock these figures come from, ms.
    pub stock_age_ms: i64,
}

/// Why a beat failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BeatFailure {
    /// No good answer from the origin in time.
    Pulse,
    /// The Pacer could not commit.
    Commit,
    /// The stock was too old.
    Stock,
}

impl BeatFailure {
    /// The word in the status file.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Pulse | Self::Commit => "origin",
            Self::Stock => "stock",
        }
    }
}

/// A lane beside the main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneFacts {
    /// Its share of the rate, in percent.
    pub share_percent: u8,
    /// Places given in it.
    pub given: u64,
}

/// Everything a beat decides from.
#[derive(Debug, Clone, Copy)]
pub struct BeatFacts<'a> {
    /// Wall time of the beat.
    pub now: WallMs,
    /// The event's rules.
    pub rules: &'a Rules,
    /// What operators ordered, read after the last await.
    pub operator: &'a Operator,
    /// Whether cohort 0 is closed.
    pub drawn: bool,
    /// Places given: [`crate::cohort::Row::given`] of the newest row.
    pub given: u64,
    /// The lanes beside the main line, in their order.
    pub lanes: &'a [LaneFacts],
    /// Claimed turns over all shards.
    pub claims: Claims,
    /// People waiting in the late lane over all shards.
    pub late_waiting: u64,
    /// The pulse, or why there is none.
    pub pulse: Result<Pulse, BeatFailure>,
}
