//! Places for a party in several pieces, when it fits nowhere in one.
//!
//! No stretch of free seats has room for all, so two pieces never come from one stretch: together they would be one piece
//! less. What is left is how many seats each stretch gives, which a table over stretches and people answers exactly.

use std::ops::Range;

use super::line::{Line, lines};
use super::{Choice, Piece, Wish};
use crate::layout::Section;

/// Over how many rows that follow each other a party may be split.
pub const ROWS: usize = 3;

/// Seats side by side, and for each number of them the best place, with the single seats that it leaves.
struct Stretch {
    row: usize,
    /// The place for one, for two, …
    places: Vec<(usize, usize)>,
}

/// Some of the party seated: how well, and where.
#[derive(Clone)]
struct Seated {
    /// Pieces, people alone, single seats left.
    cost: (usize, usize, usize),
    pieces: Vec<Piece>,
}

/// The rows of a section, with the stretches in each, as start and length, and their lengths, the longest first.
struct Hall<'a> {
    section: usize,
    rows: Vec<(Line<'a>, Vec<(usize, usize)>)>,
    lens: Vec<Vec<usize>>,
}

/// The best choices, all of one class, in the plan's order.
///
/// Lengths alone tell where fewest pieces are enough, which is in few rows: only there is looked closer.
pub(super) fn best<'a>(
    sections: impl Iterator<Item = (usize, &'a Section, &'a [u8])>,
    wish: &Wish,
    most: usize,
) -> Vec<Choice> {
    let halls: Vec<Hall<'a>> = sections.map(|(at, s, states)| Hall::of(at, s, states, wish)).collect();
    let mut best: Vec<Choice> = Vec::new();
    for (hall, near) in fewest(&halls, wish.quantity) {
        let seated = seat(&hall.stretches(near, wish.quantity), wish.quantity);
        let choice = seated.map(|s| Choice { section: hall.section, pieces: s.pieces, singles: s.cost.2 });
        choice.into_iter().for_each(|choice| keep(&mut best, choice));
    }
    best.truncate(most.max(1));
    best
}

/// Every one to [`ROWS`] rows that follow each other in which the party needs the fewest pieces of all.
fn fewest<'a, 'b>(halls: &'a [Hall<'b>], people: usize) -> Vec<(&'a Hall<'b>, Range<usize>)> {
    let (mut least, mut found) = (usize::MAX, Vec::new());
    for (hall, near) in halls.iter().flat_map(|hall| hall.near().map(move |near| (hall, near))) {
        let Some(pieces) = least_pieces(&hall.lens[near.clone()], people, least) else { continue };
        if pieces < least {
            found.clear();
        }
        least = pieces;
        found.push((hall, near));
    }
    found
}

impl<'a> Hall<'a> {
    fn of(section: usize, of: &'a Section, states: &'a [u8], wish: &Wish) -> Self {
        let with = |line: Line<'a>| {
            let stretches = line.stretches(wish);
            (line, stretches)
        };
        let rows: Vec<_> = lines(of, states).map(with).collect();
        let lens = rows.iter().map(|(_, stretches)| longest_first(stretches)).collect();
        Self { section, rows, lens }
    }

    fn near(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.rows.len();
        (0..rows).flat_map(move |first| (1..=ROWS.min(rows - first)).map(move |n| first..first + n))
    }

    fn stretches(&self, near: Range<usize>, people: usize) -> Vec<Stretch> {
        let of = |row: usize| {
            let (line, stretches) = &self.rows[row];
            stretches
                .iter()
                .map(move |(start, len)| Stretch { row, places: places(line, *start, people.min(*len), *len) })
        };
        near.flat_map(of).collect()
    }
}

fn longest_first(stretches: &[(usize, usize)]) -> Vec<usize> {
    let mut lens: Vec<usize> = stretches.iter().map(|(_, len)| *len).collect();
    lens.sort_unstable_by(|a, b| b.cmp(a));
    lens
}

/// Keeps a choice if it is as good as those before, alone if it is better.
fn keep(best: &mut Vec<Choice>, choice: Choice) {
    match best.first().map(|first| choice.class().cmp(&first.class())) {
        Some(std::cmp::Ordering::Greater) => {}
        Some(std::cmp::Ordering::Less) => *best = vec![choice],
        _ if best.contains(&choice) => {}
        _ => best.push(choice),
    }
}

/// The place in a stretch for one, for two, … up to `most`: start and single seats left.
fn places(line: &Line<'_>, start: usize, most: usize, len: usize) -> Vec<(usize, usize)> {
    let place = |n: usize| {
        let starts = (start..=start + len - n).map(|from| (line.singles_beside(from, n), from));
        starts.min().map_or((start, 0), |(singles, from)| (from, singles))
    };
    (1..=most).map(place).collect()
}

/// The fewest pieces that seat everybody, whoever sits alone; none if there is no room, or `most` are not enough.
fn least_pieces(rows: &[Vec<usize>], people: usize, most: usize) -> Option<usize> {
    let (mut used, mut seated) = ([0; ROWS], 0);
    for pieces in 0..=most {
        if seated >= people {
            return Some(pieces);
        }
        let next = rows.iter().zip(&mut used).filter_map(|(lens, used)| Some((*lens.get(*used)?, used)));
        let (len, used) = next.max_by_key(|(len, _)| *len)?;
        seated += len;
        *used += 1;
    }
    None
}

fn seat(stretches: &[Stretch], people: usize) -> Option<Seated> {
    let mut table: Vec<Option<Seated>> = vec![None; people + 1];
    table[0] = Some(Seated { cost: (0, 0, 0), pieces: Vec::new() });
    for stretch in stretches {
        for n in (1..=people).rev() {
            for (more, (start, singles)) in (1..).zip(&stretch.places).take(n) {
                let Some(before) = &table[n - more] else { continue };
                let (pieces, alone, left) = before.cost;
                let cost = (pieces + 1, alone + usize::from(more == 1), left + singles);
                if table[n].as_ref().is_none_or(|known| cost < known.cost) {
                    let piece = Piece { row: stretch.row, start: *start, len: more };
                    let pieces = before.pieces.iter().copied().chain([piece]).collect();
                    table[n] = Some(Seated { cost, pieces });
                }
            }
        }
    }
    table.pop().flatten()
}
