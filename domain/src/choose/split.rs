//! Places for a party in several pieces, when it fits nowhere in one.
//!
//! No stretch of free seats has room for all, so two pieces never come from one stretch: together they would be one piece
//! less. What is left is how many seats each stretch gives, which a table over stretches and people answers exactly.

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

/// Rows that follow each other, in which the party can be seated.
struct Near<'a> {
    section: usize,
    stretches: Vec<&'a Stretch>,
    /// The fewest pieces that seat everybody, whoever sits alone.
    pieces: usize,
}

/// The best choices, all of one class, in the plan's order.
pub(super) fn best<'a>(
    sections: impl Iterator<Item = (usize, &'a Section, &'a [u8])>,
    wish: &Wish,
    most: usize,
) -> Vec<Choice> {
    let all: Vec<(usize, Vec<Stretch>)> = sections.map(|(at, s, states)| (at, stretches(s, states, wish))).collect();
    let near: Vec<Near<'_>> = all.iter().flat_map(|(at, stretches)| near(*at, stretches, wish.quantity)).collect();
    let fewest = near.iter().map(|near| near.pieces).min();
    let mut best: Vec<Choice> = Vec::new();
    for near in near.iter().filter(|near| Some(near.pieces) == fewest) {
        let seated = seat(&near.stretches, wish.quantity);
        let choice = seated.map(|s| Choice { section: near.section, pieces: s.pieces, singles: s.cost.2 });
        choice.into_iter().for_each(|choice| keep(&mut best, choice));
    }
    best.truncate(most.max(1));
    best
}

/// Every one to [`ROWS`] rows of a section that have seats for everybody.
fn near(section: usize, stretches: &[Stretch], people: usize) -> Vec<Near<'_>> {
    let rows = stretches.last().map_or(0, |stretch| stretch.row + 1);
    let of = |(first, rows): (usize, usize)| {
        let near = stretches.iter().skip_while(|s| s.row < first).take_while(|s| s.row < first + rows);
        let stretches: Vec<&Stretch> = near.collect();
        least_pieces(&stretches, people).map(|pieces| Near { section, stretches, pieces })
    };
    (0..rows).flat_map(|first| (1..=ROWS.min(rows - first)).map(move |n| (first, n))).filter_map(of).collect()
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

fn stretches(section: &Section, states: &[u8], wish: &Wish) -> Vec<Stretch> {
    let of = |(row, line): (usize, Line<'_>)| {
        let stretch =
            |(start, len): (usize, usize)| Stretch { row, places: places(&line, start, len.min(wish.quantity), len) };
        line.stretches(wish).into_iter().map(stretch).collect::<Vec<_>>()
    };
    lines(section, states).enumerate().flat_map(of).collect()
}

/// The place in a stretch for one, for two, … up to `most`: start and single seats left.
fn places(line: &Line<'_>, start: usize, most: usize, len: usize) -> Vec<(usize, usize)> {
    let place = |n: usize| {
        let starts = (start..=start + len - n).map(|from| (line.singles_beside(from, n), from));
        starts.min().map_or((start, 0), |(singles, from)| (from, singles))
    };
    (1..=most).map(place).collect()
}

/// The fewest pieces that seat everybody, whoever sits alone.
fn least_pieces(stretches: &[&Stretch], people: usize) -> Option<usize> {
    let mut lens: Vec<usize> = stretches.iter().map(|s| s.places.len()).collect();
    lens.sort_unstable_by(|a, b| b.cmp(a));
    let mut seated = 0;
    let needed = lens.into_iter().take_while(|len| {
        let goes_on = seated < people;
        seated += len;
        goes_on
    });
    let pieces = needed.count();
    (seated >= people).then_some(pieces)
}

fn seat(stretches: &[&Stretch], people: usize) -> Option<Seated> {
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
