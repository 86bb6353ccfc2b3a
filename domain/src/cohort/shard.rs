//! A shard's side: which log and time an arrival gets, and what a cut answers.
//!
//! Kept by the shard durably: each entry (epoch, index, time, pseudonym), and this [`Shard`] after each cut. `len` and `last`
//! of the logs also follow from the entries, so a join writes its entry only and [`Shard::with_logs`] restores the rest.

use super::{early_epoch, entry_leaf, later_epoch};
use crate::merkle::{Frontier, Hash};
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// One arrival in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Epoch of the log.
    pub epoch: u32,
    /// Index in the log, from 0, without gaps.
    pub index: u64,
    /// Time it counts from; never decreases within a log.
    pub time: WallMs,
}

/// What the Merkle tree takes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// See [`super::pseudonym`].
    pub pseudonym: [u8; 32],
    /// The entry's time.
    pub time: WallMs,
}

/// Length and last time of a log, as its entries tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogLen {
    /// Number of entries.
    pub len: u64,
    /// Time of the last entry; 0 if there is none.
    pub last: WallMs,
}

/// One log of a shard: the entries' count and last time, and the tree below the last cut.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Log {
    /// Number of entries.
    pub len: u64,
    /// Time of the last entry.
    pub last: WallMs,
    /// The tree over the entries below the last cut.
    pub cut: Frontier,
}

/// The Pacer's request to cut cohort `k` at time `t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Cohort to be closed.
    pub k: u32,
    /// The cut: entries below this time belong to cohort `k` or an earlier one. For cohort 0 the opening.
    pub t: WallMs,
}

/// A shard's answer to a cut: for each log of its generation, length and root below the cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutAnswer {
    /// The shard that answers.
    pub shard: u16,
    /// The cut it answers to.
    pub cut: Cut,
    /// The logs of the shard's generation, early log first.
    pub logs: Vec<LogAnswer>,
}

/// One log below a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogAnswer {
    /// Epoch of the log.
    pub epoch: u32,
    /// Entries below the cut.
    pub len: u64,
    /// Merkle root over them.
    #[serde(with = "crate::bytes32")]
    pub root: Hash,
}

/// Entries to load for a cut: of `epoch`, from index `from`, with time below `below` (or all of them).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRange {
    /// Epoch of the log.
    pub epoch: u32,
    /// First index wanted.
    pub from: u64,
    /// Only entries before this time; `None` means all.
    pub below: Option<WallMs>,
}

/// Why a shard does not cut. None of these changes anything; the Pacer goes on with the shard's previous cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutRefused {
    /// An older cut than one already made: a late or repeated message.
    #[error("cohort {} at {} was already cut", .0.k, .0.t.0)]
    Stale(Cut),
    /// The leaves handed in do not continue the log at its last cut; the caller loaded the wrong range.
    #[error("the entries do not continue the log at its last cut")]
    Leaves,
}

/// The durable state of one shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the shard, from 0.
    pub shard: u16,
    /// Generation, granted by the Pacer; a new one after each loss of storage.
    pub generation: u32,
    /// Those who came before the opening.
    pub early: Log,
    /// Those who came from the opening on.
    pub later: Log,
    /// The highest cut made.
    pub last_cut: Option<Cut>,
}

impl Shard {
    /// A shard with empty logs in a generation that the Pacer granted to it alone. `closed` is the cut of the Pacer's newest
    /// row at that moment: once cohort 0 is closed, a new generation has no early entries.
    pub fn new(shard: u16, generation: u32, closed: Option<Cut>) -> Self {
        Self { shard, generation, early: Log::default(), later: Log::default(), last_cut: closed }
    }

    /// This state with the logs' lengths as the stored entries tell them (after a restart).
    pub fn with_logs(mut self, early: LogLen, later: LogLen) -> Self {
        (self.early.len, self.early.last) = (early.len, early.last);
        (self.later.len, self.later.last) = (later.len, later.last);
        self
    }

    /// The entry that an arrival at `at` gets (`at` is now, or the time of its arrival stamp). Write it, then [`Shard::record`].
    ///
    /// Before the early log is cut, arrivals before `opening` go there. All others go to the later log, and are moved up to
    /// its last entry and the last cut, before any cut to the opening.
    pub fn append(&self, opening: WallMs, at: WallMs) -> Entry {
        if at < opening && self.last_cut.is_none() {
            return Entry { epoch: early_epoch(self.generation), index: self.early.len, time: at.max(self.early.last) };
        }
        // Once the draw is cut, the cut knows the opening better than a shard that has not heard of a new one.
        let floor = self.last_cut.map_or(opening, |cut| cut.t);
        Entry { epoch: later_epoch(self.generation), index: self.later.len, time: at.max(floor).max(self.later.last) }
    }

    /// Takes a written entry into the state. An entry that is not the next of its log is ignored.
    pub fn record(&mut self, entry: &Entry) {
        let log = if entry.epoch == early_epoch(self.generation) { &mut self.early } else { &mut self.later };
        if entry.index == log.len {
            (log.len, log.last) = (log.len + 1, entry.time);
        }
    }

    /// The entries to load before [`Shard::cut`]: for cohort 0 the rest of the early log, then the later log below `t`.
    pub fn cut_range(&self, cut: &Cut) -> CutRange {
        match cut.k {
            0 => CutRange { epoch: early_epoch(self.generation), from: self.early.cut.len(), below: None },
            _ => CutRange { epoch: later_epoch(self.generation), from: self.later.cut.len(), below: Some(cut.t) },
        }
    }

    /// Cuts: the state to store *before* the answer is sent, and the answer. `leaves` are the entries of [`Shard::cut_range`].
    ///
    /// Asked again for the same cut it answers the same; asked for an older one it refuses. A higher `t` for the same cohort
    /// is a new attempt of a Pacer that crashed before its close, and simply cuts further.
    pub fn cut(&self, cut: &Cut, leaves: &[Leaf]) -> Result<(Self, CutAnswer), CutRefused> {
        let newest = self.last_cut.map_or((cut.k, cut.t), |last| (last.k, last.t));
        if let Some(last) = self.last_cut.filter(|last| (cut.k, cut.t) < newest || cut.t < last.t) {
            return Err(CutRefused::Stale(last));
        }
        if cut.k == 0 && self.early.cut.len() + leaves.len() as u64 != self.early.len {
            return Err(CutRefused::Leaves);
        }
        if cut.k > 0 && leaves.iter().any(|leaf| leaf.time >= cut.t) {
            return Err(CutRefused::Leaves);
        }
        let mut next = Self { last_cut: Some(*cut), ..self.clone() };
        let tree = if cut.k == 0 { &mut next.early.cut } else { &mut next.later.cut };
        leaves.iter().for_each(|leaf| tree.push(entry_leaf(&leaf.pseudonym, leaf.time)));
        let answer = next.answer(cut);
        Ok((next, answer))
    }

    fn answer(&self, cut: &Cut) -> CutAnswer {
        let of = |epoch, log: &Log| LogAnswer { epoch, len: log.cut.len(), root: log.cut.root() };
        let logs = vec![of(early_epoch(self.generation), &self.early), of(later_epoch(self.generation), &self.later)];
        CutAnswer { shard: self.shard, cut: *cut, logs }
    }
}
