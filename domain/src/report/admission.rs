//! How the line moved: places admitted over time against the length of the line.

use super::{Grid, MOST_BINS, Mark};
use crate::time::WallMs;
use serde::Serialize;

/// What happened in one bin of time, and how the line stood at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Start of the bin.
    pub from: WallMs,
    /// Places admitted in it, over all lines.
    pub admitted: u64,
    /// People whose turn had not come at its end.
    pub waiting: u64,
    /// People inside at its end.
    pub inside: u64,
    /// The rate in force at its end, places a minute.
    pub rate: u32,
    /// Free, held, being paid, sold at its end.
    pub stock: [u64; 4],
}

/// How the line stood at the last mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    /// People who joined.
    pub joined: u64,
    /// Turns given in the order of the line.
    pub admitted: u64,
    /// Turns given to those who had let theirs lapse.
    pub late: u64,
    /// Turns that were claimed.
    pub claimed: u64,
    /// People whose turn never came.
    pub waiting: u64,
}

/// The curve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Admission {
    /// Width of a bin, in milliseconds.
    pub width_ms: i64,
    /// The bins, from the opening to the last turn or sale.
    pub steps: Vec<Step>,
    /// How it ended.
    pub totals: Totals,
}

/// The curve of these marks.
pub(super) fn admission(opens: WallMs, marks: &[Mark]) -> Admission {
    let Some(last) = marks.last() else {
        return Admission { width_ms: 0, steps: Vec::new(), totals: Totals::default() };
    };
    let grid = Grid::over(opens.0, last_move(marks).unwrap_or(opens).0, MOST_BINS);
    let mut before = marks.first().map_or(0, |first| if first.at < opens { first.admitted_in_all() } else { 0 });
    let mut steps = Vec::with_capacity(grid.bins);
    for bin in 0..grid.bins {
        let Some(mark) = at(marks, grid.last(bin)) else { continue };
        steps.push(step(WallMs(grid.start(bin)), mark, before));
        before = mark.admitted_in_all();
    }
    Admission { width_ms: grid.width_ms, steps, totals: totals(last) }
}

fn step(from: WallMs, mark: &Mark, before: u64) -> Step {
    let Mark { inside, rate, stock, .. } = *mark;
    Step { from, admitted: mark.admitted_in_all().saturating_sub(before), waiting: mark.waiting(), inside, rate, stock }
}

fn totals(last: &Mark) -> Totals {
    let Mark { joined, late, claimed, .. } = *last;
    Totals { joined, admitted: last.admitted_in_all(), late, claimed, waiting: last.waiting() }
}

/// When a turn was given or the stock changed for the last time; what follows is rest.
fn last_move(marks: &[Mark]) -> Option<WallMs> {
    let moved =
        |pair: &[Mark]| matches!(pair, [a, b] if a.admitted_in_all() != b.admitted_in_all() || a.stock[3] < b.stock[3]);
    let at = marks.windows(2).rposition(moved)?;
    marks.get(at + 1).map(|mark| mark.at)
}

/// The mark in force at a time.
fn at(marks: &[Mark], time: WallMs) -> Option<&Mark> {
    marks.get(marks.partition_point(|mark| mark.at <= time).checked_sub(1)?)
}
