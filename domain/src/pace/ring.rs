//! The last minutes of the line in event time: who had a turn when, and how many shoppers there were.

use super::ACTIVE_MS;
use crate::lane::MAX_LANES;
use crate::time::EventMs;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The state after one good beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mark {
    /// Event time of the beat.
    pub at: EventMs,
    /// Places admitted by then.
    pub admitted: u64,
    /// Late turns given by then.
    pub late: u64,
    /// Shoppers with a hold or an order then.
    pub shoppers: u64,
    /// Places admitted by then in each lane beside the main line.
    #[serde(default, skip_serializing_if = "nobody")]
    pub lanes: [u64; MAX_LANES],
}

fn nobody(lanes: &[u64; MAX_LANES]) -> bool {
    *lanes == [0; MAX_LANES]
}

/// Marks, oldest first. Beats that change nothing share a mark with the one before if they are close to it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ring(VecDeque<Mark>);

/// Marks are kept at this distance at least, in event ms; so a ring of the usual five minutes has at most some 300 marks.
const APART_MS: i64 = 1_000;
/// The distance in a coarse ring.
const COARSE_MS: i64 = 15_000;

impl Ring {
    /// The newest mark that is at least `ago_ms` old at `now`; before there is one, the state before the first turn.
    pub fn before(&self, now: EventMs, ago_ms: i64) -> Mark {
        let old = self.0.iter().rev().find(|mark| now.since(mark.at) >= ago_ms);
        old.copied().unwrap_or(Mark { at: now.plus(-ago_ms), shoppers: self.first_shoppers(), ..Mark::default() })
    }

    /// Holds that were there before the first mark (of a rehearsal, say) are no growth.
    fn first_shoppers(&self) -> u64 {
        self.0.front().map_or(0, |mark| mark.shoppers)
    }

    /// Adds a mark and forgets what no window reaches any more; one mark older than the longest window stays.
    pub fn push(&mut self, mark: Mark, claim_window_ms: i64) {
        let longest = claim_window_ms.max(ACTIVE_MS);
        let crowded = self.0.len() >= 2 && self.0.iter().nth_back(1).is_some_and(|m| mark.at.since(m.at) < APART_MS);
        if crowded {
            self.0.pop_back(); // the newest figures stand for this second
        }
        self.0.push_back(mark);
        while self.0.get(1).is_some_and(|second| mark.at.since(second.at) >= longest) {
            self.0.pop_front();
        }
    }

    /// A ring with fewer marks, the newest among them. Older marks stand for younger ones, so people count as inside for
    /// longer, never shorter.
    pub fn coarse(&self) -> Self {
        let mut kept: VecDeque<Mark> = VecDeque::new();
        for mark in &self.0 {
            if kept.back().is_none_or(|last| mark.at.since(last.at) >= COARSE_MS) {
                kept.push_back(*mark);
            }
        }
        kept.extend(self.0.back().filter(|newest| kept.back() != Some(newest)));
        Self(kept)
    }

    /// Number of marks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no good beat has been marked yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
