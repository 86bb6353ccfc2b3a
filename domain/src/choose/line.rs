//! A row as a buyer may take it.

use std::cell::OnceCell;

use super::Wish;
use crate::layout::{Row, Section};
use crate::map::{self, Packed};

/// A row, which of its seats are free, and which of them are neighbours.
pub(super) struct Line<'a> {
    row: &'a Row,
    open: Vec<bool>,
    /// Whether a seat and the next one are side by side; measured once somebody asks, which of most rows nobody does.
    links: OnceCell<Vec<bool>>,
}

/// A gap of more than so many usual distances is an aisle.
const AISLE: f64 = 1.75;

/// The rows of a section.
pub(super) fn lines<'a>(section: &'a Section, states: &'a [u8]) -> impl Iterator<Item = Line<'a>> {
    section.rows.iter().scan(0, |first, row| {
        let start = *first;
        *first += row.seats.len();
        let open = (start..*first).map(|at| map::get(states, at) == Packed::Free).collect();
        Some(Line { row, open, links: OnceCell::new() })
    })
}

/// Whether each seat and the next one are side by side: not much farther apart than most of their row are.
pub(super) fn links(row: &Row) -> Vec<bool> {
    // Squares are as good to compare, and need no roots.
    let distance = |pair: &[crate::layout::Seat]| (pair[1].x - pair[0].x).powi(2) + (pair[1].y - pair[0].y).powi(2);
    let distances: Vec<f64> = row.seats.windows(2).map(distance).collect();
    let mut sorted = distances.clone();
    let middle = sorted.len() / 2;
    let usual = if sorted.is_empty() { 0.0 } else { *sorted.select_nth_unstable_by(middle, f64::total_cmp).1 };
    distances.into_iter().map(|distance| distance <= usual * (AISLE * AISLE)).collect()
}

impl Line<'_> {
    pub(super) fn len(&self) -> usize {
        self.row.seats.len()
    }

    fn links(&self) -> &[bool] {
        self.links.get_or_init(|| links(self.row))
    }

    fn kind(&self, at: usize) -> u8 {
        self.row.seats.get(at).map_or(0, |seat| seat.kind)
    }

    pub(super) fn level(&self, at: usize) -> usize {
        self.row.seats.get(at).map_or(0, |seat| seat.level)
    }

    pub(super) fn kinds(&self, start: usize, len: usize) -> impl Iterator<Item = u8> {
        (start..start + len).map(|at| self.kind(at))
    }

    /// Free, and what the wish is for.
    pub(super) fn suits(&self, wish: &Wish, at: usize) -> bool {
        self.open.get(at) == Some(&true) && wish.takes(self.level(at), self.kind(at))
    }

    /// Whether so many suitable seats follow each other, be there an aisle between them or not.
    pub(super) fn may_seat(&self, wish: &Wish) -> bool {
        let mut run = 0;
        let longer = |at: usize| {
            run = if self.suits(wish, at) { run + 1 } else { 0 };
            run >= wish.quantity
        };
        (0..self.len()).any(longer)
    }

    /// Stretches of suitable seats side by side, as start and length.
    pub(super) fn stretches(&self, wish: &Wish) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for at in (0..self.len()).filter(|at| self.suits(wish, *at)) {
            match found.last_mut() {
                Some((start, len)) if *start + *len == at && self.links()[at - 1] => *len += 1,
                _ => found.push((at, 1)),
            }
        }
        found
    }

    /// An ordinary seat that is free once `taken` are not.
    fn left(&self, at: usize, taken: &impl Fn(usize) -> bool) -> bool {
        self.open.get(at) == Some(&true) && self.kind(at) == 0 && !taken(at)
    }

    fn single(&self, at: usize, taken: &impl Fn(usize) -> bool) -> bool {
        let linked = |to_next: Option<usize>| to_next.and_then(|at| self.links().get(at)) == Some(&true);
        let before = || linked(at.checked_sub(1)) && self.left(at - 1, taken);
        let after = || linked(Some(at)) && self.left(at + 1, taken);
        self.left(at, taken) && !before() && !after()
    }

    /// Seats that become single when `taken` are taken; only those near `from..to` are looked at.
    pub(super) fn singles(&self, from: usize, to: usize, taken: impl Fn(usize) -> bool) -> Vec<usize> {
        let near = from.saturating_sub(1)..(to + 1).min(self.len());
        near.filter(|at| self.single(*at, &taken) && !self.single(*at, &|_| false)).collect()
    }

    /// How many seats become single when those from `start` on are taken.
    pub(super) fn singles_beside(&self, start: usize, len: usize) -> usize {
        let taken = |at: usize| (start..start + len).contains(&at);
        let edges = [start.checked_sub(1), Some(start + len)];
        edges.into_iter().flatten().filter(|at| self.single(*at, &taken) && !self.single(*at, &|_| false)).count()
    }
}
