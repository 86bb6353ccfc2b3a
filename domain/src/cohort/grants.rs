//! Which generation each shard lives in, as the Pacer keeps it.
//!
//! **Invariants:** no generation is granted twice, by whatever life of the Pacer's storage; a generation is never higher than
//! the beat in which it is granted, so that a restored Pacer, whose beat is above all earlier ones, grants new ones.

use super::{CutAnswer, Remains, generation_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The generations of one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Grant {
    /// The highest ever granted.
    highest: u32,
    /// The one whose answers count.
    in_force: u32,
}

/// The generations granted to an event's shards.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grants(BTreeMap<u16, Grant>);

impl Grants {
    /// Grants a shard a generation that nobody else has or had; it is in force from now on. `None` if this would be more
    /// grants than beats: the shard asks again in the next beat.
    pub fn grant(&mut self, shard: u16, beat: u64) -> Option<u32> {
        let next = self.0.get(&shard).map_or(0, |grant| grant.highest.saturating_add(1));
        if u64::from(next) > beat {
            return None;
        }
        self.0.insert(shard, Grant { highest: next, in_force: next });
        Some(next)
    }

    /// What a Pacer that lost its storage begins with, at a beat above all earlier ones: each shard lives in the generation
    /// it tells; one that lost its storage too lives in none, until it is granted one that was never granted before.
    pub fn restored(beat: u64, remains: &[Remains]) -> Self {
        let highest = u32::try_from(beat.saturating_sub(1)).unwrap_or(u32::MAX);
        let grant = |told: &Remains| (told.shard, Grant { highest, in_force: told.generation.unwrap_or(highest) });
        Self(remains.iter().map(grant).collect())
    }

    /// Learns from answers to a cut that was sent when `asked` was in force.
    ///
    /// A shard may live in an older generation than the last one granted, if that grant was lost on the way. If it was made
    /// before the shard was asked, the answer proves that its storage is there, and that the grant will never be used.
    pub fn heard(&mut self, asked: &Self, answers: &[CutAnswer]) {
        for answer in answers {
            let Some(lives) = answer.logs.first().map(|log| generation_of(log.epoch)) else { continue };
            let then = asked.0.get(&answer.shard).map(|grant| grant.in_force);
            if let Some(grant) = self.0.get_mut(&answer.shard)
                && lives < grant.in_force
                && then == Some(grant.in_force)
            {
                grant.in_force = lives;
            }
        }
    }

    /// The generation in force of each of so many shards; of one that never began, the first.
    pub fn in_force(&self, shards: u16) -> Vec<u32> {
        (0..shards).map(|shard| self.0.get(&shard).map_or(0, |grant| grant.in_force)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cohort::{Cut, LogAnswer, early_epoch};
    use crate::time::WallMs;

    fn answer(generation: u32) -> CutAnswer {
        let log = LogAnswer { epoch: early_epoch(generation), len: 0, root: [0; 32] };
        CutAnswer { shard: 0, cut: Cut { k: 0, t: WallMs(1) }, logs: vec![log] }
    }

    #[test]
    fn no_more_grants_than_beats_and_none_twice() {
        let mut grants = Grants::default();
        let asked = [(0, Some(0)), (0, None), (1, Some(1)), (1, None), (7, Some(2)), (7, Some(3))];
        for (beat, want) in asked {
            assert_eq!(grants.grant(0, beat), want, "beat {beat}");
        }
        assert_eq!((grants.grant(1, 7), grants.in_force(3)), (Some(0), vec![3, 0, 0]));
    }

    #[test]
    fn a_restored_pacer_grants_what_was_never_granted() {
        let told = |shard, generation| Remains { shard, seen: 9, generation, newest: None };
        let mut grants = Grants::restored(1_009, &[told(0, Some(4)), told(1, None)]);
        assert_eq!(grants.in_force(2), [4, 1_008]);
        assert_eq!((grants.grant(1, 1_009), grants.grant(0, 1_010)), (Some(1_009), Some(1_009)));
    }

    #[test]
    fn an_answer_corrects_only_a_grant_that_was_made_before_it_was_asked_for() {
        let mut grants = Grants::default();
        grants.grant(0, 0);
        let before = grants.clone();
        grants.grant(0, 5);
        let unsure = grants.clone();
        grants.heard(&before, &[answer(0)]);
        assert_eq!(grants, unsure, "the shard may have lost its storage after it answered");
        grants.heard(&unsure, &[answer(0)]);
        assert_eq!(grants.in_force(1), [0]);
        assert_eq!(grants.grant(0, 5), Some(2), "the unused grant stays used up");
    }
}
