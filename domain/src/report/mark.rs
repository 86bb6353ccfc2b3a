//! The course of the line: one mark where something changed, few enough to keep.
//!
//! A mark holds until the next one. Marks are kept a second apart at first; when there are too many, every second of them goes
//! and the distance doubles, so that they stay bounded however long an on-sale lasts. Before the opening only the last one
//! stays. Counts that only grow (`failed`, `stood_ms`) are in the mark itself, so thinning loses none of them.

use crate::lane::MAX_LANES;
use crate::status::Phase;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// Most marks that are kept of an on-sale. Twenty minutes at a second's distance, a day at some two minutes'.
pub const MOST_MARKS: usize = 1_200;

/// How the line stood after a beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Wall time; never falls from mark to mark.
    pub at: WallMs,
    /// Where the on-sale stood.
    pub phase: Phase,
    /// Places of the main line that had their turn.
    pub admitted: u64,
    /// The same of each lane beside it.
    #[serde(default, skip_serializing_if = "nobody")]
    pub lanes: [u64; MAX_LANES],
    /// Turns given to the late lane.
    pub late: u64,
    /// People in all lines that admit, with a number or not.
    pub joined: u64,
    /// People counted inside.
    pub inside: u64,
    /// Sessions opened.
    pub claimed: u64,
    /// The rate in force, places a minute.
    pub rate: u32,
    /// Seats and standing places: free, in holds, being paid, sold.
    pub stock: [u64; 4],
    /// Beats that failed so far.
    pub failed: u64,
    /// For how long the line stood, paused or stopped, after its opening, in milliseconds.
    pub stood_ms: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn nobody(lanes: &[u64; MAX_LANES]) -> bool {
    *lanes == [0; MAX_LANES]
}

/// What a beat knows.
#[derive(Debug, Clone, Copy)]
pub struct Now {
    /// The mark but for what follows from the one before; `failed` and `stood_ms` are not read.
    pub mark: Mark,
    /// Whether this beat failed.
    pub failed: bool,
    /// The opening.
    pub opens: WallMs,
}

impl Mark {
    /// The mark after a beat, given the one after the beat before. A clock that went back stands still here.
    pub fn after(before: Option<&Self>, now: &Now) -> Self {
        let Some(before) = before else {
            return Self { failed: u64::from(now.failed), stood_ms: 0, ..now.mark };
        };
        let at = now.mark.at.max(before.at);
        let stands = matches!(before.phase, Phase::Paused | Phase::Stopped);
        let stood = if stands { at.since(before.at.max(now.opens)).max(0) } else { 0 };
        let failed = before.failed.saturating_add(u64::from(now.failed));
        Self { at, failed, stood_ms: before.stood_ms.saturating_add(stood), ..now.mark }
    }

    /// Places that had their turn, over all lines.
    pub fn admitted_in_all(&self) -> u64 {
        self.lanes.iter().fold(self.admitted, |sum, lane| sum.saturating_add(*lane))
    }

    /// People in line whose turn has not come.
    pub fn waiting(&self) -> u64 {
        self.joined.saturating_sub(self.admitted_in_all())
    }

    /// Places of a line, 0 the main one, that had their turn.
    pub fn admitted_of(&self, line: usize) -> u64 {
        match line.checked_sub(1) {
            None => self.admitted,
            Some(lane) => self.lanes.get(lane).copied().unwrap_or_default(),
        }
    }

    fn before_the_opening(&self) -> bool {
        matches!(self.phase, Phase::Scheduled | Phase::Prequeue)
    }

    /// Whether nothing changed but time.
    fn says_what(&self, before: &Self) -> bool {
        Self { at: before.at, stood_ms: before.stood_ms, ..*self } == *before
    }
}

/// What to do with a new mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// It says what the newest says.
    Nothing,
    /// It stands behind the newest.
    Add,
    /// It takes the newest one's place.
    Replace,
}

/// What to do with `mark`, given the newest mark that is kept and the distance in force.
pub fn keep(newest: Option<&Mark>, mark: &Mark, apart_ms: i64) -> Keep {
    let Some(newest) = newest else { return Keep::Add };
    let slot = |mark: &Mark| mark.at.0.div_euclid(apart_ms.max(1));
    match () {
        () if mark.says_what(newest) => Keep::Nothing,
        () if newest.before_the_opening() && mark.before_the_opening() => Keep::Replace,
        () if mark.at == newest.at => Keep::Replace,
        () if newest.before_the_opening() => Keep::Add,
        () if slot(mark) == slot(newest) => Keep::Replace,
        () => Keep::Add,
    }
}

/// Marks at a larger distance: the last of each slot, and the one from before the opening.
pub fn thin(marks: &[Mark], apart_ms: i64) -> Vec<Mark> {
    let mut kept: Vec<Mark> = Vec::new();
    for mark in marks {
        match keep(kept.last(), mark, apart_ms) {
            Keep::Nothing => {}
            Keep::Add => kept.push(*mark),
            Keep::Replace => {
                kept.pop();
                kept.push(*mark);
            }
        }
    }
    kept
}
