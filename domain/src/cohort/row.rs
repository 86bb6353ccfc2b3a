//! The Pacer's side: what to cut next, the row that closes a cohort, and the number that follows from it.

use super::{Cut, CutAnswer, Entry, LogAnswer, generation_of, is_early};
use crate::merkle::Hash;
use crate::shuffle::compute_shuffled_index;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

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
        let mut offset = 0_u64;
        for log in &self.cuts {
            if (log.shard, log.epoch) == (shard, epoch) {
                let i = index.checked_sub(log.from).filter(|_| index < log.to)?;
                let shuffled = compute_shuffled_index(offset.checked_add(i)?, self.n, &self.seed)?;
                return self.base.checked_add(shuffled)?.checked_add(1);
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
    rows.into_iter().find(|row| row.log(shard, epoch).is_some_and(|log| (log.from..log.to).contains(&index)))
}

/// The cut to send to every shard at wall time `now`, after the newest row `prev`; `None` while the line is not to be numbered
/// yet. Cohort 0 is cut at the opening, `grace_ms` after it, so that arrival stamps from before it still count.
pub fn next_cut(prev: Option<&Row>, opening: WallMs, grace_ms: i64, now: WallMs) -> Option<Cut> {
    match prev {
        None => (now >= opening.plus(grace_ms.max(0))).then_some(Cut { k: 0, t: opening }),
        Some(row) => Some(Cut { k: row.k.checked_add(1)?, t: now.max(row.t.plus(1)) }),
    }
}

/// Why a cohort cannot be closed now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloseRefused {
    /// The cut does not follow the newest row (a message from before a restart).
    #[error("cohort {got} does not follow; expected {want}")]
    NotNext {
        /// The cohort asked for.
        got: u32,
        /// The cohort that is next.
        want: u32,
    },
    /// Cohort 0 waits for all shards; these have not answered in their present generation.
    #[error("the draw waits for shards {0:?}")]
    Waiting(Vec<u16>),
}

/// Closes a cohort: the row to insert, or `None` if nobody came (then there is no row, and the same `k` is cut again later).
///
/// `generations[s]` is the newest generation granted to shard `s`, so its length is the number of shards. An answer counts if
/// it is to this very cut and of that generation: a shard that lost its storage after answering is asked again. A shard
/// without such an answer keeps its previous cut, except in cohort 0, which waits for all.
/// `secret` is the event's draw secret, `beacon` the public randomness of the cut or empty.
pub fn close(
    prev: Option<&Row>,
    cut: &Cut,
    generations: &[u32],
    answers: &[CutAnswer],
    secret: &[u8; 32],
    beacon: &[u8],
) -> Result<Option<Row>, CloseRefused> {
    let want = prev.map_or(0, |row| row.k.saturating_add(1));
    if cut.k != want {
        return Err(CloseRefused::NotNext { got: cut.k, want });
    }
    let good: Vec<_> = answers.iter().filter(|a| a.cut == *cut && in_generation(a, generations)).collect();
    let waiting = (0..generations.len() as u16).filter(|s| good.iter().all(|a| a.shard != *s)).collect::<Vec<_>>();
    if cut.k == 0 && !waiting.is_empty() {
        return Err(CloseRefused::Waiting(waiting));
    }
    let cuts = extend(prev, cut.k, &good);
    let n = cuts.iter().map(|c| c.to - c.from).sum();
    if n == 0 && cut.k > 0 {
        return Ok(None);
    }
    let seed = seed(secret, cut.k, n, cuts.iter().map(|c| &c.root), beacon);
    Ok(Some(Row { k: cut.k, t: cut.t, cuts, n, base: prev.map_or(0, Row::given), seed }))
}

fn in_generation(answer: &CutAnswer, generations: &[u32]) -> bool {
    let granted = generations.get(usize::from(answer.shard));
    granted.is_some_and(|g| answer.logs.iter().all(|log| generation_of(log.epoch) == *g))
}

/// The previous row's cuts moved on by the answers. Cohort 0 takes early logs only; afterwards early logs stand still. An
/// answer never shortens a log.
fn extend(prev: Option<&Row>, k: u32, answers: &[&CutAnswer]) -> Vec<LogCut> {
    let kept = prev.into_iter().flat_map(|row| &row.cuts);
    let mut cuts: BTreeMap<_, _> = kept.map(|c| ((c.shard, c.epoch), LogCut { from: c.to, ..c.clone() })).collect();
    for answer in answers {
        for &LogAnswer { epoch, len, root } in answer.logs.iter().filter(|log| is_early(log.epoch) == (k == 0)) {
            let new = LogCut { shard: answer.shard, epoch, from: 0, to: 0, root };
            let cut = cuts.entry((answer.shard, epoch)).or_insert(new);
            if len > cut.to {
                (cut.to, cut.root) = (len, root);
            }
        }
    }
    cuts.into_values().collect()
}

/// SHA-256(secret ‖ k u32 BE ‖ n u64 BE ‖ roots in order ‖ beacon): the seed of a cohort's shuffle.
pub fn seed<'a>(secret: &[u8; 32], k: u32, n: u64, roots: impl Iterator<Item = &'a Hash>, beacon: &[u8]) -> Hash {
    let start = Sha256::new().chain_update(secret).chain_update(k.to_be_bytes()).chain_update(n.to_be_bytes());
    roots.fold(start, |hash, root| hash.chain_update(root)).chain_update(beacon).finalize().into()
}
