//! Pacing: how many places have their turn at each beat, and which phase the on-sale is in.
//!
//! `room = max(0, target − inside)`, with `target = 2 × orders_left` (at least [`FLOOR`] while anything is left) and
//! `step = min(rate × time since the last good beat (at most 2 s) + carry, room)`. Places are dense, so admitting `step`
//! places admits exactly that many people.
//!
//! An event may have lanes: lines of their own, whose places are dense too. A step is shared among the lines in which people
//! wait ([`crate::lane::Credits`]); who is inside is counted over all of them.
//!
//! Which phase follows which is drawn in [`crate::operate`].
//!
//! **Invariants:** no room, no admission; a failed beat admits nobody; the admitted place never goes back and never passes
//! the places given.

mod beat;
mod facts;
#[cfg(test)]
mod histories;
mod lanes;
mod late;
mod learn;
mod ring;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod turns;

pub use beat::{Admission, beat};
pub use facts::{BeatFacts, BeatFailure, Claims, LaneFacts, Operator, Pulse, Rules};
pub use lanes::Progress;
pub use late::share_late;
pub use learn::Learned;
pub use ring::{Mark, Ring};
pub use turns::turns_left;

use crate::lane::{Credits, MAX_LANES};
use crate::status::Phase;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// People who may be inside at the tail, so that the last seats do not wait for a handful of undecided shoppers.
pub const FLOOR: u64 = 20;
/// Shoppers per order left that may be inside (half of them buy, roughly, before the stock moves).
pub const SHOPPERS_PER_ORDER: u64 = 2;
/// Longest time one beat catches up for.
pub const LONGEST_STEP_MS: i64 = 2_000;
/// Time after which a shopper with neither hold nor order counts as idle, in event ms.
pub const ACTIVE_MS: i64 = 240_000;
/// The late lane's part of each step: one in this many.
pub const LATE_PART: u64 = 5;
/// Stock older than this fails the beat (or three beats where the beat is slower).
pub const STALE_MS: i64 = 5_000;

/// What the Pacer keeps from beat to beat, durably.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PaceState {
    /// Places up to this one have had their turn.
    pub admitted: u64,
    /// Places up to this one have let their turn lapse, unless they claimed it: they are served by the late lane.
    pub lapsed: u64,
    /// Turns given to the late lane so far.
    pub late_admitted: u64,
    /// Unused part of the rate, in 1/60,000 places.
    pub carry: i64,
    /// Unused part of the late lane, in [`LATE_PART`]ths of a place.
    pub late_carry: u64,
    /// Wall time of the last good beat, from which the next step is measured.
    pub last_good: Option<WallMs>,
    /// Failed beats in a row.
    pub failed: u32,
    /// Why the last beat failed.
    pub failure: Option<BeatFailure>,
    /// Nothing was left and nothing held at the last good beat.
    pub sold_out: bool,
    /// What the people so far have taught.
    #[serde(default)]
    pub learned: Learned,
    /// The last minutes, in event time.
    pub ring: Ring,
    /// The lanes beside the main line.
    #[serde(default)]
    pub lanes: [Progress; MAX_LANES],
    /// What each line is owed of the turns, the main line first.
    #[serde(default)]
    pub credits: Credits,
}

impl PaceState {
    /// The same with a coarser memory of the last minutes, for a second place to keep it in.
    pub fn copy(&self) -> Self {
        Self { ring: self.ring.coarse(), ..self.clone() }
    }

    /// The phase at `now`. Ladder: closed, stopped, sold out, paused by an operator, before the opening, paused by failed
    /// beats, draw not done, open.
    ///
    /// Before the opening failed beats do not show: nobody is admitted anyway, and joining goes on.
    pub fn phase(&self, rules: &Rules, operator: &Operator, drawn: bool, now: WallMs) -> Phase {
        let failing = self.failed >= 2;
        match () {
            () if operator.closed || now >= rules.ends => Phase::Closed,
            () if operator.stopped.is_some() => Phase::Stopped,
            () if self.sold_out => Phase::SoldOut,
            () if operator.paused.is_some() => Phase::Paused,
            () if now < rules.joins_from => Phase::Scheduled,
            () if now < rules.opens => Phase::Prequeue,
            () if failing => Phase::Paused,
            () if !drawn => Phase::Drawing,
            () => Phase::Open,
        }
    }

    /// Why the line stands, for the status file: the operator's reason, `origin` or `stock`.
    pub fn pause_reason<'a>(&self, operator: &'a Operator) -> Option<&'a str> {
        let failure = self.failure.filter(|_| self.failed >= 2).map(BeatFailure::reason);
        operator.stopped.as_deref().or(operator.paused.as_deref()).or(failure)
    }
}
