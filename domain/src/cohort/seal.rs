//! Closing a cohort in two steps: first who is in it (sealed), then in which order (drawn). Between the two a public beacon
//! may add what nobody could know before; without one both happen at once.

use super::{Cut, CutAnswer, LogAnswer, LogCut, Row, generation_of, is_early};
use crate::beacon::Round;
use crate::merkle::Hash;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A cohort whose people are fixed and whose order is not: all of a [`Row`] but its seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Cohort.
    pub k: u32,
    /// The cut's time.
    pub t: WallMs,
    /// One cut per log ever seen, ordered by shard and epoch.
    pub cuts: Vec<LogCut>,
    /// People in this cohort.
    pub n: u64,
    /// People in all cohorts before.
    pub base: u64,
}

/// The public randomness of an event's draws. Cohort 0 waits for it; later cohorts take the same, because waiting for a round
/// of their own would keep their numbers back by several seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeaconDraw {
    /// When cohort 0 was sealed; the round follows from it ([`crate::beacon::Chain::round_for`]).
    pub sealed: WallMs,
    /// The round.
    pub round: Round,
}

impl Sealed {
    /// The row that this cohort closes with.
    pub fn draw(self, secret: &[u8; 32], beacon: Option<BeaconDraw>) -> Row {
        let Self { k, t, cuts, n, base } = self;
        let randomness = beacon.map(|beacon| beacon.round.randomness());
        let seed = seed(secret, k, n, cuts.iter().map(|c| &c.root), randomness.as_ref());
        Row { k, t, cuts, n, base, seed, beacon }
    }

    /// The cut that sealed it.
    pub fn cut(&self) -> Cut {
        Cut { k: self.k, t: self.t }
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

/// Fixes who is in a cohort, or answers `None` if nobody came (then the same `k` is cut again later).
///
/// `generations[s]` is the newest generation granted to shard `s`, so its length is the number of shards. An answer counts if
/// it is to this very cut and of that generation: a shard that lost its storage after answering is asked again. A shard
/// without such an answer keeps its previous cut, except in cohort 0, which waits for all.
pub fn seal(
    prev: Option<&Row>,
    cut: &Cut,
    generations: &[u32],
    answers: &[CutAnswer],
) -> Result<Option<Sealed>, CloseRefused> {
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
    Ok(Some(Sealed { k: cut.k, t: cut.t, cuts, n, base: prev.map_or(0, Row::given) }))
}

/// Closes a cohort at once: the row to insert, or `None` if nobody came. `secret` is the event's draw secret. Public
/// randomness is the one that the row before used; cohort 0 of an event with a beacon is [`seal`]ed first and drawn later.
pub fn close(
    prev: Option<&Row>,
    cut: &Cut,
    generations: &[u32],
    answers: &[CutAnswer],
    secret: &[u8; 32],
) -> Result<Option<Row>, CloseRefused> {
    let sealed = seal(prev, cut, generations, answers)?;
    Ok(sealed.map(|sealed| sealed.draw(secret, prev.and_then(|row| row.beacon))))
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

/// SHA-256(secret ‖ k u32 BE ‖ n u64 BE ‖ roots in order ‖ the beacon's randomness, if any): the seed of a cohort's shuffle.
pub fn seed<'a>(
    secret: &[u8; 32],
    k: u32,
    n: u64,
    roots: impl Iterator<Item = &'a Hash>,
    randomness: Option<&[u8; 32]>,
) -> Hash {
    let start = Sha256::new().chain_update(secret).chain_update(k.to_be_bytes()).chain_update(n.to_be_bytes());
    let all = roots.fold(start, |hash, root| hash.chain_update(root));
    all.chain_update(randomness.map_or(&[][..], |random| random)).finalize().into()
}
