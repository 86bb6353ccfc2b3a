//! How a beat's turns are shared among the lanes.
//!
//! Turn by turn: every lane in which people wait earns its share, and the turn goes to the lane that is behind and whose next
//! turn is due first (the quota method: deadlines of a stream of turns at each lane's share). While the same lanes wait, no
//! lane is ever a whole turn away from its exact share. A lane with nobody waiting earns nothing and owes nothing, so its share
//! flows to the others at once.

use serde::{Deserialize, Serialize};

/// What each lane is owed, in percent of a turn; carried from beat to beat.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Credits(Vec<i64>);

/// A lane as one turn sees it.
#[derive(Debug, Clone, Copy)]
struct Claim {
    share: i64,
    waiting: u64,
}

impl Credits {
    /// Shares `turns` among lanes with these `shares` (percent, at least 1 each) and so many people `waiting`: turns for each
    /// lane. They sum to `turns`, or to all who wait if that is less. Both lists have an element for each lane.
    pub fn split(&mut self, turns: u64, shares: &[u8], waiting: &[u64]) -> Vec<u64> {
        let claim = |(share, waiting): (&u8, &u64)| Claim { share: i64::from(*share).max(1), waiting: *waiting };
        let mut claims: Vec<Claim> = shares.iter().zip(waiting).map(claim).collect();
        self.0.resize(claims.len(), 0);
        let all: u64 = waiting.iter().fold(0, |sum, lane| sum.saturating_add(*lane));
        for _ in 0..turns.min(all) {
            self.settle(&claims);
            if let Some(lane) = self.next(&claims)
                && let Some(claim) = claims.get_mut(lane)
            {
                claim.waiting -= 1;
            }
        }
        waiting.iter().zip(&claims).map(|(before, claim)| before - claim.waiting).collect()
    }

    /// A lane without people is owed nothing.
    fn settle(&mut self, claims: &[Claim]) {
        let idle = self.0.iter_mut().zip(claims).filter(|(_, claim)| claim.waiting == 0);
        idle.for_each(|(credit, _)| *credit = 0);
    }

    /// Gives one turn: the lane that gets it.
    fn next(&mut self, claims: &[Claim]) -> Option<usize> {
        let sum: i64 = claims.iter().filter(|claim| claim.waiting > 0).map(|claim| claim.share).sum();
        let waiting = || claims.iter().enumerate().filter(|(_, claim)| claim.waiting > 0);
        for (lane, claim) in waiting() {
            *self.0.get_mut(lane)? += claim.share;
        }
        let behind = |lane: &usize| self.0.get(*lane).is_some_and(|credit| *credit > 0);
        let due = |lane: usize, claim: &Claim| {
            self.0.get(lane).map_or(i64::MAX, |credit| (sum - credit + claim.share - 1).div_euclid(claim.share))
        };
        let key = |(lane, claim): &(usize, &Claim)| (!behind(lane), due(*lane, claim));
        let (lane, _) = waiting().min_by_key(key)?;
        *self.0.get_mut(lane)? -= sum;
        Some(lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    /// Shares of two to five lanes that sum to 100.
    fn shares(dice: &mut Dice) -> Vec<u8> {
        let mut shares: Vec<u8> = (0..1 + dice.below(4)).map(|_| 1 + dice.below(24) as u8).collect();
        shares.insert(0, 100 - shares.iter().sum::<u8>());
        shares
    }

    #[test]
    fn shares_as_a_table() {
        type Case<'a> = (&'a str, u64, &'a [u8], &'a [u64], &'a [u64]);
        let cases: [Case<'_>; 7] = [
            ("by share", 10, &[70, 30], &[99, 99], &[7, 3]),
            ("an empty lane costs nothing", 10, &[70, 30], &[99, 0], &[10, 0]),
            ("the main line may be empty", 10, &[70, 30], &[0, 99], &[0, 10]),
            ("a short lane hands on the rest", 10, &[50, 30, 20], &[1, 99, 99], &[1, 6, 3]),
            ("nobody waits", 10, &[70, 30], &[0, 0], &[0, 0]),
            ("no turns", 0, &[70, 30], &[9, 9], &[0, 0]),
            ("fewer people than turns", 10, &[70, 30], &[2, 3], &[2, 3]),
        ];
        for (name, turns, shares, waiting, want) in cases {
            assert_eq!(Credits::default().split(turns, shares, waiting), want, "{name}");
        }
    }

    #[test]
    fn shares_hold_within_one_turn_at_any_time() {
        for seed in 0..300 {
            let mut dice = Dice(seed);
            let (shares, mut credits) = (shares(&mut dice), Credits::default());
            let (mut turns, mut got) = (0, vec![0; shares.len()]);
            for _ in 0..200 {
                let step = dice.below(7);
                turns += step;
                let given = credits.split(step, &shares, &vec![u64::MAX >> 8; shares.len()]);
                got.iter_mut().zip(&given).for_each(|(sum, lane)| *sum += lane);
                for (lane, share) in got.iter().zip(&shares) {
                    let away = (*lane as f64 - turns as f64 * f64::from(*share) / 100.0).abs();
                    assert!(away < 1.0, "seed {seed}: {got:?} of {turns} at {shares:?}");
                }
            }
        }
    }

    #[test]
    fn random_crowds_lose_no_turn_and_starve_nobody() {
        for seed in 0..300 {
            let mut dice = Dice(seed);
            let (shares, mut credits) = (shares(&mut dice), Credits::default());
            let (mut waiting, mut dry) = (vec![0_u64; shares.len()], vec![0_u64; shares.len()]);
            for _ in 0..2_000 {
                waiting.iter_mut().for_each(|lane| *lane += if dice.chance(40) { dice.below(6) } else { 0 });
                let step = dice.below(6);
                let given = credits.split(step, &shares, &waiting);
                assert_eq!(given.iter().sum::<u64>(), step.min(waiting.iter().sum()), "seed {seed}: work-conserving");
                for (lane, share) in shares.iter().enumerate() {
                    assert!(given[lane] <= waiting[lane], "seed {seed}");
                    dry[lane] = if given[lane] > 0 || waiting[lane] == 0 { 0 } else { dry[lane] + step };
                    waiting[lane] -= given[lane];
                    // The exact share gives a turn in every 100/share turns; twice that when the set of lanes changes.
                    assert!(
                        dry[lane] * u64::from(*share) <= 200 + 10 * u64::from(*share),
                        "seed {seed}: lane {lane} starves"
                    );
                }
            }
        }
    }

    #[test]
    fn an_idle_lane_saves_nothing_up() {
        let mut credits = Credits::default();
        credits.split(1_000, &[50, 50], &[5_000, 0]);
        assert_eq!(credits.split(10, &[50, 50], &[99, 99]), [5, 5]);
    }
}
