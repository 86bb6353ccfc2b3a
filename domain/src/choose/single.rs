//! The single-seat rule for seats that a fan picked.

use super::line::lines;
use super::{Party, Wish, together};
use crate::layout::{SeatPlace, Section};

/// A section is nearly sold out, and free of the rule, when less than one seat in so many is free.
pub const NEARLY: usize = 10;

/// The seats, by row and position, that this choice would leave single although the fan could choose otherwise. `states` is
/// how the section is for this fan, with the chosen seats and those of the hold that gives way as free.
#[must_use]
pub fn stranded(section: &Section, states: &[u8], chosen: &[&SeatPlace]) -> Vec<(usize, usize)> {
    let mut singles = Vec::new();
    for (row, line) in lines(section, states).enumerate() {
        let taken: Vec<usize> = chosen.iter().filter(|place| place.row == row).map(|place| place.in_row).collect();
        let (Some(first), Some(last)) = (taken.iter().min(), taken.iter().max()) else { continue };
        singles.extend(line.singles(*first, last + 1, |at| taken.contains(&at)).into_iter().map(|at| (row, at)));
    }
    if singles.is_empty() || is_free_of_it(section, states, chosen) { Vec::new() } else { singles }
}

fn is_free_of_it(section: &Section, states: &[u8], chosen: &[&SeatPlace]) -> bool {
    if chosen.iter().any(|place| place.kind != 0) {
        return true;
    }
    let any = Wish { party: Party::Mixed { accessible: 0, companion: 0 }, ..Wish::of(1) };
    let free: usize =
        lines(section, states).map(|line| (0..line.len()).filter(|at| line.suits(&any, *at)).count()).sum();
    let levels = Some(chosen.iter().map(|place| place.level).collect());
    let otherwise = Wish { levels, ..Wish::of(chosen.len()) };
    free * NEARLY < section.seat_count() || !together::is_clean(section, states, &otherwise)
}
