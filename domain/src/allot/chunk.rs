//! Going on with a chunk of which some seats cannot change.

use super::mark::{Finding, Mark, Why};
use crate::ids::HoldId;
use crate::items::SeatState;

/// What an operator may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Seats that are nobody's.
    Free,
    /// Also seats that are held or being paid.
    HeldToo,
}

/// What came of it, seat by seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Seats that did not change.
    pub refused: Vec<Finding>,
    /// Seats that are tried once more, taken from these holds.
    pub taken: Vec<(crate::ids::SeatId, HoldId)>,
}

/// What is left to do of `mark` after these findings, each seat of which is either given up and noted, or, where the reach
/// allows it, taken from the hold that it was found in. `None`: nothing is left.
#[must_use]
pub fn sort(mark: &Mark, findings: Vec<Finding>, reach: Reach, outcome: &mut Outcome) -> Option<Mark> {
    let mut next = mark.clone();
    for finding in findings {
        let Some(at) = next.spots.iter().position(|spot| spot.seat == finding.seat) else { continue };
        let from = holder(&finding.why).filter(|_| reach == Reach::HeldToo && mark.change.keeps().is_some());
        match from {
            // Found elsewhere than a moment ago: it moves too fast to be taken, and is named.
            Some(from) if next.spots[at].from.is_none() => {
                outcome.taken.push((finding.seat, from.0));
                next.spots[at].from = Some(from);
            }
            _ => {
                outcome.taken.retain(|(seat, _)| *seat != finding.seat);
                next.spots.remove(at);
                outcome.refused.push(finding);
            }
        }
    }
    (!next.spots.is_empty()).then_some(next)
}

fn holder(why: &Why) -> Option<(HoldId, SeatState)> {
    match why {
        Why::Held(hold) => Some((*hold, SeatState::Held)),
        Why::BeingPaid(hold) => Some((*hold, SeatState::Claimed)),
        Why::Unknown | Why::Sold(_) | Why::Kept(_) | Why::Inconsistent => None,
    }
}
