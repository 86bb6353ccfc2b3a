//! Best available: seats side by side in one row, by the plan's order, chosen from the packed map.
//!
//! The map may be a moment old; the hold's own conditions decide. Shoppers ask all at once, so one of the
//! best few is chosen at random.

use std::collections::BTreeMap;

use domain::ids::{ChannelId, EventId, SeatId};
use domain::layout::{Row, Section};
use domain::map::{self, Packed};
use domain::price::SeatWish;
use rand::seq::IndexedRandom as _;
use serde::Deserialize;

use crate::app::App;
use crate::events::Event;
use crate::problem::Problem;

/// What is wished for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    quantity: usize,
    level: Option<String>,
    #[serde(default)]
    accessible: bool,
    /// How many of the places are of which price type; the others are of the usual one.
    #[serde(default)]
    types: BTreeMap<String, usize>,
}

/// Among how many of the best places one is chosen.
const FEW: usize = 16;

/// Picks seats.
///
/// # Errors
/// There is no such level, or nothing is left together; or the table failed.
pub async fn pick(
    app: &App,
    event: &EventId,
    terms: &Event,
    wish: &Wish,
    shown: &[ChannelId],
) -> Result<Vec<SeatWish>, Problem> {
    if wish.quantity == 0 || wish.quantity > terms.definition.limits.per_account as usize {
        let limit = terms.definition.limits.per_account;
        return Err(Problem::LimitExceeded { limit, committed: 0 });
    }
    let wanted = Wanted::new(terms, wish)?;
    let seats = app.table.map(event).await?;
    let mut found = Found::default();
    for section in &terms.venue.layout.sections {
        let states = seats.sections.iter().find(|item| item.section == section.id).map(|item| item.states_for(shown));
        wanted.section(section, &states.unwrap_or_default(), &mut found);
        if found.good.len() >= FEW {
            break;
        }
    }
    let seats = found.choose().ok_or(Problem::NoneTogether)?;
    let usual =
        seats.len().checked_sub(wish.types.values().sum()).ok_or(Problem::BadRequest("more types than places"))?;
    let types = wish.types.iter().flat_map(|(name, n)| std::iter::repeat_n(Some(name.clone()), *n));
    let types = std::iter::repeat_n(None, usual).chain(types);
    Ok(seats.into_iter().zip(types).map(|(seat, price_type)| SeatWish { seat, price_type }).collect())
}

struct Wanted {
    quantity: usize,
    level: Option<usize>,
    accessible: bool,
}

#[derive(Default)]
struct Found {
    /// Places that leave no single seat behind.
    good: Vec<Vec<SeatId>>,
    /// Places that do.
    poor: Vec<Vec<SeatId>>,
}

impl Found {
    fn choose(mut self) -> Option<Vec<SeatId>> {
        self.good.truncate(FEW);
        self.poor.truncate(FEW);
        let best = if self.good.is_empty() { self.poor } else { self.good };
        best.choose(&mut rand::rng()).cloned()
    }
}

impl Wanted {
    fn new(terms: &Event, wish: &Wish) -> Result<Self, Problem> {
        let position = |id: &String| {
            terms.venue.layout.levels.iter().position(|level| level.id == *id).ok_or(Problem::PlaceUnknown)
        };
        let level = wish.level.as_ref().map(position).transpose()?;
        Ok(Self { quantity: wish.quantity, level, accessible: wish.accessible })
    }

    fn section(&self, section: &Section, states: &[u8], found: &mut Found) {
        let mut first = 0;
        for row in &section.rows {
            let usable: Vec<bool> = (0..row.seats.len())
                .map(|at| map::get(states, first + at) == Packed::Free && self.suits(row, at))
                .collect();
            for (start, len) in runs(&usable) {
                self.run(section, row, start, len, found);
            }
            first += row.seats.len();
        }
    }

    fn suits(&self, row: &Row, at: usize) -> bool {
        let Some(seat) = row.seats.get(at) else { return false };
        self.level.is_none_or(|level| seat.level == level) && (seat.kind != 0) == self.accessible
    }

    /// Places at both ends of a run of free seats; those in its middle would only cut it up.
    fn run(&self, section: &Section, row: &Row, start: usize, len: usize, found: &mut Found) {
        let Some(rest) = len.checked_sub(self.quantity) else { return };
        let list = if rest == 1 { &mut found.poor } else { &mut found.good };
        let ends = if rest == 0 { vec![start] } else { vec![start, start + rest] };
        for from in ends {
            let seats = row.seats[from..from + self.quantity].iter();
            list.extend(seats.map(|seat| seat.id_in(&section.id, &row.label)).collect::<Option<Vec<_>>>());
        }
    }
}

/// Runs of `true` as start and length.
fn runs(usable: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in usable.iter().enumerate().filter(|(_, usable)| **usable) {
        match runs.last_mut() {
            Some((start, len)) if *start + *len == at => *len += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::layout::Seat;

    fn section(seats: usize) -> Section {
        let seat = |n: usize| Seat { label: n.to_string(), x: 0.0, y: 0.0, level: 0, kind: 0, id: None };
        let row = Row { label: "1".to_owned(), seats: (1..=seats).map(seat).collect() };
        Section { id: "A".parse().expect("id"), name: "A".to_owned(), x: 0.0, y: 0.0, rows: vec![row] }
    }

    #[test]
    fn places_are_side_by_side_and_leave_no_single_seat_if_possible() {
        let wanted = |quantity| Wanted { quantity, level: None, accessible: false };
        // Seats 1 to 8; the third and the last are taken: runs of two and of four.
        let states = [0b00_01_00_00, 0b10_00_00_00];
        let table = [
            (2, vec!["A-1-1 A-1-2", "A-1-4 A-1-5", "A-1-6 A-1-7"], vec![]),
            (3, vec![], vec!["A-1-4 A-1-5 A-1-6", "A-1-5 A-1-6 A-1-7"]),
            (5, vec![], vec![]),
        ];
        for (quantity, good, poor) in table {
            let mut found = Found::default();
            wanted(quantity).section(&section(8), &states, &mut found);
            let text = |places: &[Vec<SeatId>]| -> Vec<String> {
                places.iter().map(|seats| seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect()
            };
            assert_eq!(
                (text(&found.good), text(&found.poor)),
                (good.into_iter().map(String::from).collect(), poor.into_iter().map(String::from).collect()),
                "{quantity}"
            );
        }
    }
}
