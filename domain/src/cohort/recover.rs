//! How a Pacer that lost its storage comes back: from what its shards have, and not before every one of them has spoken.
//!
//! ```text
//! Pacer (empty)                          LineShard
//!   ask, beat 0 ───────────────────────▶ what it has
//!   note beat B, above all that was seen
//!   ask, beat B ───────────────────────▶ promise, durably: nothing below B acts any more; what it has
//!   take rows, facts, generations; go on with beat B + 1
//! ```
//!
//! A row that no shard has was told to nobody, so it may be closed again; one that some shard has stands. The promise keeps a
//! late message of the lost life from bringing such a row afterwards. A shard that is out of reach may be the only one that
//! has the newest row, so the Pacer waits for it; one whose own storage is empty has nothing to wait for.

use super::{Grants, Row};
use serde::{Deserialize, Serialize};

/// How far the beat jumps over the highest that a shard has seen: beats that were written, and never reached a shard.
pub const BEAT_JUMP: u64 = 1_000;

/// Whether a message of this beat comes too late for a shard that has heard, or promised, `heard`.
pub const fn is_late(beat: u64, heard: u64) -> bool {
    beat < heard
}

/// What a shard tells a Pacer that lost its storage, after it has promised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remains {
    /// The shard.
    pub shard: u16,
    /// The highest beat it had heard or promised before this question.
    pub seen: u64,
    /// The generation it lives in; `None` if its own storage is empty.
    pub generation: Option<u32>,
    /// The newest row it has.
    pub newest: Option<Row>,
}

/// What a Pacer without storage does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// No shard knows the event: it is new.
    New,
    /// Note this beat, then ask all shards to promise it.
    Ask(u64),
    /// Everything is known: go on after `beat`.
    Restore {
        /// The last beat that counts as over.
        beat: u64,
        /// The shard that has all rows up to the newest, if there is one.
        rows: Option<u16>,
        /// The generations.
        grants: Grants,
    },
}

/// Why a Pacer without storage must wait.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotRecover {
    /// These shards are out of reach, and may have what no other has.
    #[error("restoring: waiting for shards {0:?}")]
    Silent(Vec<u16>),
    /// Two shards have different rows of one cohort. That cannot be; a person has to look.
    #[error("restoring: shards disagree about cohort {0}")]
    Torn(u32),
}

/// Judges the shards' answers to a question with beat `asked` (0 at first).
///
/// Ladder: all have answered; somebody knows the event; all have promised a beat above everything seen; rows agree.
pub fn recover(shards: u16, asked: u64, remains: &[Remains]) -> Result<Recovery, CannotRecover> {
    let silent: Vec<_> = (0..shards).filter(|shard| remains.iter().all(|told| told.shard != *shard)).collect();
    if !silent.is_empty() {
        return Err(CannotRecover::Silent(silent));
    }
    if remains.iter().all(|told| told.generation.is_none() && told.seen == 0) {
        return Ok(Recovery::New);
    }
    let seen = remains.iter().map(|told| told.seen).max().unwrap_or_default();
    if asked == 0 || asked < seen {
        return Ok(Recovery::Ask(seen.saturating_add(BEAT_JUMP)));
    }
    let newest = newest(remains)?;
    Ok(Recovery::Restore { beat: asked, rows: newest, grants: Grants::restored(asked, remains) })
}

/// The shard with the newest row; those that have one of the same cohort must have the same.
fn newest(remains: &[Remains]) -> Result<Option<u16>, CannotRecover> {
    let rows = || remains.iter().filter_map(|told| Some((told.shard, told.newest.as_ref()?)));
    let Some((shard, newest)) = rows().max_by_key(|(_, row)| row.k) else { return Ok(None) };
    match rows().any(|(_, row)| row.k == newest.k && row != newest) {
        true => Err(CannotRecover::Torn(newest.k)),
        false => Ok(Some(shard)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::WallMs;

    fn row(k: u32, base: u64) -> Option<Row> {
        Some(Row { k, t: WallMs(9), cuts: vec![], n: 0, base, seed: [0; 32], beacon: None })
    }

    fn told(shard: u16, seen: u64, generation: Option<u32>, newest: Option<Row>) -> Remains {
        Remains { shard, seen, generation, newest }
    }

    #[test]
    fn every_rung() {
        let empty = |shard| told(shard, 0, None, None);
        let lives = |shard, newest| told(shard, 40, Some(0), newest);
        let silent = CannotRecover::Silent(vec![1]);
        let ask = |beat| Ok(Recovery::Ask(beat));
        let torn = vec![lives(0, row(3, 7)), lives(1, row(3, 8))];
        let cases = [
            ("nobody knows it", 0, vec![empty(0), empty(1)], Ok(Recovery::New)),
            ("out of reach", 1_040, vec![lives(0, row(3, 7))], Err(silent.clone())),
            ("out of reach, the other is empty", 0, vec![empty(0)], Err(silent)),
            ("first round", 0, vec![lives(0, None), empty(1)], ask(1_040)),
            ("begun before the first beat", 0, vec![told(0, 0, Some(0), None), empty(1)], ask(1_000)),
            ("overtaken", 1_039, vec![lives(0, None), told(1, 1_040, None, None)], ask(2_040)),
            ("rows disagree", 1_040, torn, Err(CannotRecover::Torn(3))),
        ];
        for (name, asked, remains, want) in cases {
            assert_eq!(recover(2, asked, &remains), want, "{name}");
        }
    }

    #[test]
    fn the_newest_row_of_any_shard_counts() {
        let remains = [told(0, 1_040, Some(2), row(3, 7)), told(1, 12, None, None), told(2, 12, Some(0), row(4, 9))];
        let grants = Grants::restored(1_040, &remains);
        assert_eq!(recover(3, 1_040, &remains), Ok(Recovery::Restore { beat: 1_040, rows: Some(2), grants }));
        let none = [told(0, 5, Some(0), None)];
        assert!(matches!(recover(1, 5, &none), Ok(Recovery::Restore { rows: None, .. })));
    }
}
