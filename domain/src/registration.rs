//! The registration lottery: days ahead fans register, a draw orders them, the first are invited, the rest wait in drawn order.
//!
//! A registration is an entry in a line of the same kind as the on-sale's ([`crate::lane::REGISTRATION`]): its opening is the
//! draw, its only cohort is cohort 0, a place in it is a *rank*. Invited is who has a rank up to a bound that only grows: as
//! many as the operator invites, and one more for each invited fan who withdraws.

use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// An event's registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// From when fans may register, wall time.
    pub opens_at_ms: WallMs,
    /// The draw; from then on nobody registers.
    pub draws_at_ms: WallMs,
    /// How many are invited by the draw.
    pub invited: u64,
}

/// Where a registration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Not yet.
    Scheduled,
    /// Fans may register and withdraw.
    Open,
    /// Registering is over; the draw is being made.
    Drawing,
    /// Everybody has a rank.
    Drawn,
}

impl Registration {
    /// The stage at `now`; `drawn` tells whether the cohort is closed.
    pub fn stage(&self, now: WallMs, drawn: bool) -> Stage {
        match () {
            () if drawn => Stage::Drawn,
            () if now < self.opens_at_ms => Stage::Scheduled,
            () if now < self.draws_at_ms => Stage::Open,
            () => Stage::Drawing,
        }
    }
}

/// The rank up to which fans are invited. `wanted` invitations were ordered in all; `withdrawn` of those with a rank up to
/// `before`, the bound so far, have withdrawn; `registered` people have a rank. The bound never goes back.
pub fn invited_up_to(before: u64, wanted: u64, withdrawn: u64, registered: u64) -> u64 {
    wanted.saturating_add(withdrawn).min(registered).max(before)
}

/// Whether a registration is invited.
pub fn is_invited(rank: Option<u64>, withdrawn: bool, bound: u64) -> bool {
    rank.is_some_and(|rank| rank <= bound) && !withdrawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    #[test]
    fn stages_in_their_order() {
        let registration = Registration { opens_at_ms: WallMs(10), draws_at_ms: WallMs(20), invited: 5 };
        let cases = [
            (9, false, Stage::Scheduled),
            (10, false, Stage::Open),
            (19, false, Stage::Open),
            (20, false, Stage::Drawing),
            (21, true, Stage::Drawn),
        ];
        for (now, drawn, want) in cases {
            assert_eq!(registration.stage(WallMs(now), drawn), want, "{now}");
        }
    }

    #[test]
    fn invitations_that_are_given_back_flow_on_in_drawn_order() {
        for seed in 0..200 {
            let mut dice = Dice(seed);
            let registered = dice.below(50);
            let mut withdrawn = vec![false; registered as usize];
            let (mut bound, mut wanted) = (0, 0);
            for _ in 0..100 {
                wanted += if dice.chance(10) { dice.below(5) } else { 0 };
                if registered > 0 && dice.chance(20) {
                    withdrawn[dice.below(registered) as usize] = true;
                }
                let gone = withdrawn[..bound as usize].iter().filter(|gone| **gone).count() as u64;
                let next = invited_up_to(bound, wanted, gone, registered);
                assert!(next >= bound && next <= registered, "seed {seed}");
                bound = next;
            }
            for _ in 0..60 {
                let gone = withdrawn[..bound as usize].iter().filter(|gone| **gone).count() as u64;
                bound = invited_up_to(bound, wanted, gone, registered);
            }
            let invited = (1..=registered)
                .filter(|rank| is_invited(Some(*rank), withdrawn[*rank as usize - 1], bound))
                .count() as u64;
            let there = withdrawn.iter().filter(|gone| !**gone).count() as u64;
            assert_eq!(invited, wanted.min(there), "seed {seed}: exactly as many as wanted, while there are people");
        }
    }

    #[test]
    fn nobody_is_invited_without_a_rank() {
        assert!(!is_invited(None, false, 10) && !is_invited(Some(11), false, 10) && !is_invited(Some(3), true, 10));
        assert!(is_invited(Some(10), false, 10));
    }
}
