//! What is chosen is as good as the best of all there is, found by trying every set of free seats; told in other words than
//! the rule is written in.

use domain::choose::{Choice, ROWS, Wish, best};
use domain::layout::Layout;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::hall::hall;

/// Seats of the hall by section, row and position, with what is free.
struct Seats {
    places: Vec<(usize, usize, usize)>,
    free: Vec<bool>,
    /// Whether a seat and the next one of the list are side by side.
    linked: Vec<bool>,
}

/// Pieces, people alone, single seats, rows between: less is better.
type Class = (usize, usize, usize, usize);

impl Seats {
    fn of(drawn: &[Vec<String>]) -> Self {
        let (mut places, mut free, mut linked) = (Vec::new(), Vec::new(), Vec::new());
        for (section, rows) in drawn.iter().enumerate() {
            for (row, line) in rows.iter().enumerate() {
                let letters: Vec<(usize, char)> = line.chars().enumerate().filter(|(_, c)| *c != ' ').collect();
                for (n, (x, letter)) in letters.iter().enumerate() {
                    places.push((section, row, n));
                    free.push(*letter == '.');
                    linked.push(letters.get(n + 1).is_some_and(|(next, _)| *next == x + 1));
                }
            }
        }
        Self { places, free, linked }
    }

    fn single(&self, at: usize, free: &dyn Fn(usize) -> bool) -> bool {
        let before = at > 0 && self.linked[at - 1] && free(at - 1);
        free(at) && !before && !(self.linked[at] && free(at + 1))
    }

    /// How good a set of seats is; none if it is no choice at all.
    fn class(&self, set: u32) -> Option<Class> {
        let has = |at: usize| at < self.free.len() && set >> at & 1 == 1;
        let chosen: Vec<usize> = (0..self.free.len()).filter(|at| has(*at)).collect();
        if chosen.iter().any(|at| !self.free[*at]) {
            return None;
        }
        let starts = chosen.iter().filter(|at| **at == 0 || !self.linked[**at - 1] || !has(**at - 1));
        let lens: Vec<usize> =
            starts.map(|at| (*at..).take_while(|n| *n == *at || (self.linked[*n - 1] && has(*n))).count()).collect();
        let section = |at: &usize| self.places[*at].0;
        let rows: Vec<usize> = chosen.iter().map(|at| self.places[*at].1).collect();
        let span = rows.iter().max()? - rows.iter().min()?;
        if span >= ROWS || chosen.iter().any(|at| section(at) != section(&chosen[0])) {
            return None;
        }
        let alone = if lens.len() == 1 { 0 } else { lens.iter().filter(|len| **len == 1).count() };
        let (before, after) = (
            |at: usize| at < self.free.len() && self.free[at],
            |at: usize| at < self.free.len() && self.free[at] && !has(at),
        );
        let singles = (0..self.free.len()).filter(|at| self.single(*at, &after) && !self.single(*at, &before)).count();
        Some((lens.len(), alone, singles, span))
    }

    fn best(&self, quantity: usize, split: bool) -> Option<Class> {
        let sets = (1_u32..1 << self.free.len()).filter(|set| set.count_ones() as usize == quantity);
        sets.filter_map(|set| self.class(set)).filter(|class| split || class.0 == 1).min()
    }

    fn set_of(&self, choice: &Choice) -> u32 {
        let seats = choice
            .pieces
            .iter()
            .flat_map(|piece| (piece.start..piece.start + piece.len).map(|n| (choice.section, piece.row, n)));
        let at = seats.map(|place| self.places.iter().position(|known| *known == place).expect("a seat of the hall"));
        at.fold(0, |set, at| set | 1 << at)
    }
}

/// Rows with at most twelve seats in all, in one section or two, some seats taken, now and then an aisle.
fn drawn(dice: &mut StdRng) -> Vec<Vec<String>> {
    let mut left = dice.random_range(1..=12);
    let mut sections = vec![Vec::new()];
    while left > 0 {
        let len = dice.random_range(1..=left);
        left -= len;
        let taken = dice.random_range(0.0..0.8);
        let mut line = String::new();
        for n in 0..len {
            if n > 1 && n + 1 < len && dice.random_bool(0.05) {
                line.push_str("   ");
            }
            line.push(if dice.random_bool(taken) { 'x' } else { '.' });
        }
        if dice.random_bool(0.15) && !sections.last().is_none_or(Vec::is_empty) {
            sections.push(Vec::new());
        }
        sections.last_mut().expect("one at least").push(line);
    }
    sections
}

fn built(drawn: &[Vec<String>]) -> (Layout, Vec<Vec<u8>>) {
    let ids = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
    let lines: Vec<Vec<&str>> = drawn.iter().map(|rows| rows.iter().map(String::as_str).collect()).collect();
    let sections: Vec<(&str, &[&str])> = ids.into_iter().zip(lines.iter().map(Vec::as_slice)).collect();
    hall(&sections)
}

#[test]
fn what_is_chosen_is_as_good_as_the_best_of_all_there_is() {
    let (mut together, mut split, mut nowhere) = (0, 0, 0);
    for case in 0..4_000 {
        let mut dice = StdRng::seed_from_u64(case);
        let drawn = drawn(&mut dice);
        let (layout, states) = built(&drawn);
        let seats = Seats::of(&drawn);
        for quantity in 1..=6 {
            let wish = Wish { split: dice.random_bool(0.8), ..Wish::of(quantity) };
            let found = best(&layout, &states, &wish, 16);
            let classes: Vec<Class> =
                found.iter().map(|choice| seats.class(seats.set_of(choice)).expect("free seats")).collect();
            let wanted = seats.best(quantity, wish.split);
            assert_eq!(classes.first().copied(), wanted, "case {case}: {quantity} of {drawn:?}");
            assert!(
                classes.iter().all(|class| Some(*class) == wanted),
                "case {case}: {quantity} of {drawn:?}: {classes:?}"
            );
            assert!(found.iter().zip(&classes).all(|(choice, class)| choice.class() == *class), "told as it is");
            match wanted {
                None => nowhere += 1,
                Some((1, ..)) => together += 1,
                Some(_) => split += 1,
            }
        }
    }
    println!("{together} together, {split} split, {nowhere} nowhere");
    assert!(together > 5_000 && split > 1_000 && nowhere > 1_000, "{together} {split} {nowhere}: all of it was tried");
}

#[test]
fn choices_among_which_one_is_drawn_do_not_overlap_and_come_in_the_plans_order() {
    for case in 0..500 {
        let mut dice = StdRng::seed_from_u64(case);
        let drawn = drawn(&mut dice);
        let (layout, states) = built(&drawn);
        let seats = Seats::of(&drawn);
        let wish = Wish { split: false, ..Wish::of(dice.random_range(1..=3)) };
        let found = best(&layout, &states, &wish, 16);
        let all = found.iter().fold(0, |all, choice| {
            assert_eq!(all & seats.set_of(choice), 0, "case {case}");
            all | seats.set_of(choice)
        });
        assert_eq!(all.count_ones() as usize, found.len() * wish.quantity);
        let order: Vec<_> = found.iter().map(|choice| (choice.section, choice.pieces[0].row)).collect();
        assert!(order.is_sorted(), "case {case}");
    }
}
