//! States as they are when a stadium sells: 1 % of the seats blocked, a fifth of the taken ones held. Seeded, so always the same.

use domain::map::code::Rows;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

const FREE: u8 = 0;
const BLOCKED: u8 = 3;

fn taken(dice: &mut StdRng) -> u8 {
    if dice.random_bool(0.2) { 1 } else { 2 }
}

/// Every seat by itself.
pub fn independent(sections: &[Rows], share: f64, seed: u64) -> Vec<u8> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut state = || match () {
        () if dice.random_bool(0.01) => BLOCKED,
        () if dice.random_bool(share) => taken(&mut dice),
        () => FREE,
    };
    (0..sections.iter().flatten().sum()).map(|_| state()).collect()
}

/// Parties of two to four side by side, most of them in the first row that has room and beside somebody; blocked seats in runs.
pub fn clumped(sections: &[Rows], share: f64, seed: u64) -> Vec<u8> {
    let mut hall = Hall::of(sections, seed);
    let total = hall.states.len();
    hall.block(total / 100);
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Some thousands.
    hall.sell((total as f64 * share) as usize);
    hall.states
}

struct Hall {
    /// Rows of each section, as first seat and number of seats.
    sections: Vec<Vec<(usize, usize)>>,
    states: Vec<u8>,
    dice: StdRng,
}

impl Hall {
    fn of(sections: &[Rows], seed: u64) -> Self {
        let mut at = 0;
        let mut row = |seats: &usize| {
            at += seats;
            (at - seats, *seats)
        };
        let sections: Vec<Vec<_>> = sections.iter().map(|rows| rows.iter().map(&mut row).collect()).collect();
        Self { sections, states: vec![FREE; at], dice: StdRng::seed_from_u64(seed) }
    }

    fn block(&mut self, seats: usize) {
        while self.states.iter().filter(|state| **state == BLOCKED).count() < seats {
            let section = self.anywhere();
            let (first, len) = *self.sections[section].choose(&mut self.dice).expect("a section has rows");
            let run = self.dice.random_range(6..=15).min(len);
            let from = first + self.dice.random_range(0..=len - run);
            self.states[from..from + run].fill(BLOCKED);
        }
    }

    /// The section of a seat by chance: large ones sell more.
    fn anywhere(&mut self) -> usize {
        let seat = self.dice.random_range(0..self.states.len());
        self.sections.iter().rposition(|rows| rows[0].0 <= seat).expect("the first one begins at 0")
    }

    fn sell(&mut self, seats: usize) {
        let mut left = seats;
        while left > 0 {
            let section = self.anywhere();
            // A party that finds no room together goes away; somebody alone comes.
            let party = self.dice.random_range(2..=4).min(left);
            left -= if self.seat(section, party) { party } else { usize::from(self.seat(section, 1)) };
        }
    }

    fn seat(&mut self, section: usize, party: usize) -> bool {
        let rows = self.sections[section].clone();
        let skipped = rows.iter().position(|_| self.dice.random_bool(0.75)).unwrap_or(0);
        let found = rows[skipped..].iter().chain(&rows).find_map(|row| self.in_row(*row, party));
        let Some(from) = found else { return false };
        let state = taken(&mut self.dice);
        self.states[from..from + party].fill(state);
        true
    }

    fn in_row(&mut self, (first, len): (usize, usize), party: usize) -> Option<usize> {
        let free = |from: &usize| self.states[*from..from + party].iter().all(|state| *state == FREE);
        let free: Vec<usize> = (first..(first + len + 1).saturating_sub(party)).filter(free).collect();
        let end = first + len;
        let beside = |from: &usize| {
            *from == first || from + party == end || self.states[from - 1] != FREE || self.states[from + party] != FREE
        };
        let beside: Vec<usize> = free.iter().copied().filter(beside).collect();
        let cosy = self.dice.random_bool(0.7);
        beside.choose(&mut self.dice).filter(|_| cosy).or_else(|| free.choose(&mut self.dice)).copied()
    }
}
