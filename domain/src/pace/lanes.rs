//! The lanes beside the main line: each has its own admitted and lapsed places, all share one step.

use super::{BeatFacts, LaneFacts, Mark, PaceState};
use crate::lane::MAX_LANES;
use serde::{Deserialize, Serialize};

/// How far a lane has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Places up to this one have had their turn.
    pub admitted: u64,
    /// Places up to this one have let their turn lapse, unless they claimed it.
    pub lapsed: u64,
}

impl PaceState {
    /// Turns given in their own order, over all lines.
    pub fn admitted_in_all(&self) -> u64 {
        self.lanes.iter().fold(self.admitted, |sum, lane| sum.saturating_add(lane.admitted))
    }

    /// Turns past their window, over all lines.
    pub fn lapsed_in_all(&self) -> u64 {
        self.lanes.iter().fold(self.lapsed, |sum, lane| sum.saturating_add(lane.lapsed))
    }

    /// Lets the turns lapse that were given before `old`.
    pub(super) fn lapse(&mut self, old: &Mark) {
        self.lapsed = self.lapsed.max(old.admitted);
        for (lane, admitted) in self.lanes.iter_mut().zip(old.lanes) {
            lane.lapsed = lane.lapsed.max(admitted);
        }
    }

    /// Places admitted by lane, for a [`Mark`].
    pub(super) fn lanes_admitted(&self) -> [u64; MAX_LANES] {
        self.lanes.map(|lane| lane.admitted)
    }

    /// How many wait for their first turn: in the main line, then in each lane.
    pub(super) fn waiting(&self, facts: &BeatFacts<'_>) -> Vec<u64> {
        let lanes = facts.lanes.iter().zip(&self.lanes).map(|(lane, is)| lane.given.saturating_sub(is.admitted));
        std::iter::once(facts.given.saturating_sub(self.admitted)).chain(lanes).collect()
    }

    /// Gives so many turns, each line its share; what one does not need flows to the others.
    pub(super) fn share(&mut self, turns: u64, waiting: &[u64], lanes: &[LaneFacts]) {
        let all = lanes.iter().fold(100_u8, |left, lane| left.saturating_sub(lane.share_percent));
        let shares: Vec<u8> = std::iter::once(all).chain(lanes.iter().map(|lane| lane.share_percent)).collect();
        let mut given = self.credits.split(turns, &shares, waiting).into_iter();
        self.admitted += given.next().unwrap_or_default();
        self.lanes.iter_mut().zip(given).for_each(|(lane, turns)| lane.admitted += turns);
    }
}
