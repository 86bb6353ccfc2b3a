//! The Pacer's side: what to cut next, the row that closes a cohort, and the number that follows from it.

use super::{BeaconDraw, Cut, Entry};
use crate::merkle::Hash;
use crate::shuffle::compute_shuffled_index;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// What one row takes of one log: the entries `from..to`, and the root over all entries below `to`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogCut {
    /// Shard of the log.
    pub shard: u16,
    /// Epoch of the log.
    pub epoch: u32,
    /// First index of this cohort: the cut of the row before.
    pub from: u64,
    /// The cut: first index that is *not* of this cohort. Equal to `from` if the log has nobody in it.
    pub to: u64,
    /// Merkle root over the entries `0..to`.
    #[serde(with = "crate::bytes32")]
    pub root: Hash,
}

impl LogCut {
    /// Whether this cut takes the entry into its cohort.
    pub fn has(&self, shard: u16, epoch: u32, index: u64) -> bool {
        (self.shard, self.epoch) == (shard, epoch) && (self.from..self.to).contains(&index)
    }
}

/// A closed cohort. Inserting it is the close; it never changes afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Cohort, from 0 without gaps.
    pub k: u32,
    /// The cut's time; for cohort 0 the opening.
    pub t: WallMs,
    /// One cut per log ever seen, ordered by shard and epoch.
    pub cuts: Vec<LogCut>,
    /// People in this cohort.
    pub n: u64,
    /// People in all cohorts before.
    pub base: u64,
    /// Seed of this cohort's shuffle.
    #[serde(with = "crate::bytes32")]
    pub seed: Hash,
    /// The public randomness in the seed; `None` where the organiser drew alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconDraw>,
}

impl Row {
    /// The cut this row closed.
    pub fn cut(&self) -> Cut {
        Cut { k: self.k, t: self.t }
    }

    /// Places given after this row: `base + n`.
    pub fn given(&self) -> u64 {
        self.base.saturating_add(self.n)
    }

    /// This row's cut of a log, if the log had been seen.
    pub fn log(&self, shard: u16, epoch: u32) -> Option<&LogCut> {
        self.cuts.iter().find(|c| (c.shard, c.epoch) == (shard, epoch))
    }

    /// Whether this row *or an earlier one* numbers the entry.
    pub fn numbered(&self, shard: u16, epoch: u32, index: u64) -> bool {
        self.log(shard, epoch).is_some_and(|log| index < log.to)
    }

    /// The place (from 1) of an entry that belongs to this cohort: `base + shuffle(n, seed, o + i) + 1`, where `o` counts the
    /// cohort's entries in the logs before and `i` the entry's index since the log's previous cut. `None` for other entries.
    pub fn place_of(&self, shard: u16, epoch: u32, index: u64) -> Option<u64> {
        let shuffled = compute_shuffled_index(self.position(shard, epoch, index)?, self.n, &self.seed)?;
        self.base.checked_add(shuffled)?.checked_add(1)
    }

    /// The position (from 0) of an entry of this cohort before the shuffle: `o + i`. `None` for other entries.
    pub fn position(&self, shard: u16, epoch: u32, index: u64) -> Option<u64> {
        let mut offset = 0_u64;
        for log in &self.cuts {
            if (log.shard, log.epoch) == (shard, epoch) {
                let i = index.checked_sub(log.from).filter(|_| index < log.to)?;
                return offset.checked_add(i);
            }
            offset = offset.checked_add(log.to.checked_sub(log.from)?)?;
        }
        None
    }

    /// [`Row::place_of`] for an entry of `shard`.
    pub fn place_of_entry(&self, shard: u16, entry: &Entry) -> Option<u64> {
        self.place_of(shard, entry.epoch, entry.index)
    }
}

/// The row that numbers an entry, among rows in any order.
pub fn covering<'a>(rows: impl IntoIterator<Item = &'a Row>, shard: u16, epoch: u32, index: u64) -> Option<&'a Row> {
    rows.into_iter().find(|row| row.cuts.iter().any(|cut| cut.has(shard, epoch, index)))
}

/// The cut to send to every shard at wall time `now`, after the newest row `prev`; `None` while the line is not to be numbered
/// yet. Cohort 0 is cut at the opening, `grace_ms` after it, so that arrival stamps from before it still count.
pub fn next_cut(prev: Option<&Row>, opening: WallMs, grace_ms: i64, now: WallMs) -> Option<Cut> {
    match prev {
        None => (now >= opening.plus(grace_ms.max(0))).then_some(Cut { k: 0, t: opening }),
        Some(row) => Some(Cut { k: row.k.checked_add(1)?, t: now.max(row.t.plus(1)) }),
    }
}
