//! Choosing seats: which ones are best for a party, and which choices would leave a seat that nobody can use.
//!
//! Works on the map as a buyer may take its seats; it may be a moment old, the hold's own conditions decide.
//!
//! **The single-seat rule.** An ordinary seat is *single* if it is free and neither of its neighbours in the row is: an
//! aisle, the end of the row, a taken seat and a wheelchair place are all as good as a wall. A choice may not leave a seat
//! single that was not so before, unless the fan cannot do otherwise: in the whole section there is no place for as many side
//! by side, of the same price levels, that leaves none; or the section is nearly sold out ([`NEARLY`]). Parties with a
//! wheelchair or companion place are free of it. So do others that sell seats by map: "only if there's no other way to
//! select the same number of seats" (<https://docs.seats.io/docs/renderer/config-selectionvalidators/>, read November 2026),
//! "as the seats fill up, the policy gets more lenient" (<https://seatyourself.biz/documentation/isolated-seat-protection/>).
//!
//! **Best.** In this order: in one piece; leaving no single seat; by the plan's order of sections and rows; in the row, at a
//! multiple of the party's size from where the free seats begin, so that parties of one size fill it without gaps; near the
//! middle. Shoppers ask all at once, so one of the best few is to be taken by chance; the few do not overlap.
//! A party that nowhere fits in one piece may be split over at most [`ROWS`] rows of one section that follow each other, in as
//! few pieces as possible, with as few people alone as possible.

mod few;
mod line;
mod single;
mod split;
mod together;
mod wish;

pub use few::{FEWEST, MOST, few};
pub use single::{NEARLY, stranded};
pub use split::ROWS;
pub use wish::{Party, Wish};

use crate::ids::SeatId;
use crate::layout::{Layout, SeatIndex, Section};

/// Seats side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Position of the row in its section.
    pub row: usize,
    /// Position of the first seat in its row.
    pub start: usize,
    /// How many seats.
    pub len: usize,
}

/// Seats for a party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Position of the section in the layout.
    pub section: usize,
    /// The party's pieces, in the order of their rows; one, if it sits together.
    pub pieces: Vec<Piece>,
    /// How many seats it leaves single.
    pub singles: usize,
}

impl Choice {
    /// How many people sit alone although they are not.
    #[must_use]
    pub fn alone(&self) -> usize {
        if self.pieces.len() == 1 { 0 } else { self.pieces.iter().filter(|piece| piece.len == 1).count() }
    }

    /// Over how many rows it goes, beside the first.
    #[must_use]
    pub fn span(&self) -> usize {
        let rows = || self.pieces.iter().map(|piece| piece.row);
        rows().max().unwrap_or(0) - rows().min().unwrap_or(0)
    }

    /// What is compared first: choices of one class may stand for each other.
    #[must_use]
    pub fn class(&self) -> (usize, usize, usize, usize) {
        (self.pieces.len(), self.alone(), self.singles, self.span())
    }

    /// The seats' ids. A seat without one is left out: an import refuses such.
    #[must_use]
    pub fn seats(&self, layout: &Layout) -> Vec<SeatId> {
        let Some(section) = layout.sections.get(self.section) else { return Vec::new() };
        let of = |piece: &Piece| {
            let row = section.rows.get(piece.row)?;
            let seats = row.seats.get(piece.start..piece.start + piece.len)?;
            Some(seats.iter().filter_map(|seat| seat.id_in(&section.id, &row.label)))
        };
        self.pieces.iter().filter_map(of).flatten().collect()
    }
}

/// The best few choices, best first, all of one class; none if there is no place for the party. `states` tells how the
/// seats of a section are for this buyer, as on the map; `most` is how many are wanted.
#[must_use]
pub fn best(layout: &Layout, states: &[Vec<u8>], wish: &Wish, most: usize) -> Vec<Choice> {
    let sections = || {
        let all = layout.sections.iter().enumerate().zip(states);
        all.filter(|((_, section), _)| wish.wants(&section.id))
            .map(|((at, section), states)| (at, section, &states[..]))
    };
    let together = together::best(sections(), wish, most);
    if !together.is_empty() || !wish.may_split() {
        return together;
    }
    split::best(sections(), wish, most)
}

/// How many seats there are for this wish, in any constellation.
#[must_use]
pub fn suitable(layout: &Layout, states: &[Vec<u8>], wish: &Wish) -> usize {
    let of = |(section, states): (&Section, &Vec<u8>)| {
        line::lines(section, states)
            .map(|line| (0..line.len()).filter(|at| line.suits(wish, *at)).count())
            .sum::<usize>()
    };
    let wanted = layout.sections.iter().zip(states).filter(|(section, _)| wish.wants(&section.id));
    wanted.map(of).sum()
}

/// Whether these seats are side by side in one row.
#[must_use]
pub fn side_by_side(layout: &Layout, index: &SeatIndex, seats: &[SeatId]) -> bool {
    let places: Option<Vec<_>> = seats.iter().map(|seat| index.get(seat)).collect();
    let Some(places) = places else { return false };
    let mut at: Vec<(usize, usize, usize)> = places.iter().map(|p| (p.section, p.row, p.in_row)).collect();
    at.sort_unstable();
    let linked = |pair: &[(usize, usize, usize)]| {
        let [(section, row, left), (other, next, right)] = *pair else { return false };
        let seats = layout.sections.get(section).and_then(|section| section.rows.get(row));
        (section, row, left + 1) == (other, next, right)
            && seats.is_some_and(|row| line::links(row).get(left) == Some(&true))
    };
    at.windows(2).all(linked)
}
