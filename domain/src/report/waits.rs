//! How long people waited for their turn.
//!
//! A wait runs from the cut of the fan's cohort to the mark at which the fan's place was admitted. The cut of cohort 0 is the
//! opening: what people stood there before is theirs, and nobody's turn could have come. A later cohort is cut a beat after
//! its people came at the latest, so a wait is short by a beat at most; it is long by the distance of the marks at most.

use super::{Grid, Mark};
use crate::time::WallMs;
use serde::Serialize;

/// Most bins of the histogram.
const MOST_BINS: usize = 12;

/// What a wait needs of a cohort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cohort {
    /// The cut's time.
    pub cut: WallMs,
    /// People before it.
    pub base: u64,
    /// People in it.
    pub people: u64,
}

/// A line that admits people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// 0 for the main line, else the lane's number.
    pub number: usize,
    /// Its cohorts, in order.
    pub cohorts: Vec<Cohort>,
}

/// So many people waited between these times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// At least so long, in milliseconds.
    pub from_ms: i64,
    /// Less than that.
    pub to_ms: i64,
    /// How many.
    pub people: u64,
}

/// The waits. Quantiles are by nearest rank, in milliseconds; 0 where nobody waited.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Waits {
    /// People whose wait is known.
    pub people: u64,
    /// People who had their turn while nothing was noted.
    pub unknown: u64,
    /// Half waited no longer.
    pub p50_ms: i64,
    /// Nine in ten waited no longer.
    pub p90_ms: i64,
    /// Ninety-nine in a hundred waited no longer.
    pub p99_ms: i64,
    /// The longest.
    pub max_ms: i64,
    /// Largest distance of marks between which somebody had a turn, in milliseconds: how exact this is.
    pub exact_ms: i64,
    /// The histogram.
    pub bins: Vec<Bin>,
}

/// Equal waits of several people: how long, in milliseconds, and how many.
type Stretch = (i64, u64);

/// The waits of everybody who had a turn.
pub(super) fn waits(lines: &[Line], marks: &[Mark]) -> Waits {
    let mut all: Vec<Stretch> = lines.iter().flat_map(|line| of_line(line, marks)).collect();
    all.sort_unstable();
    let people = all.iter().map(|(_, people)| people).sum();
    let unknown = marks.first().map_or(0, Mark::admitted_in_all);
    let rank = |permille| quantile(&all, people, permille);
    Waits {
        people,
        unknown,
        p50_ms: rank(500),
        p90_ms: rank(900),
        p99_ms: rank(990),
        max_ms: rank(1_000),
        exact_ms: exact_ms(marks),
        bins: histogram(&all),
    }
}

/// Each stretch of places that was admitted between two marks, cohort by cohort.
fn of_line(line: &Line, marks: &[Mark]) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut cohorts = line.cohorts.iter().peekable();
    for (before, mark) in marks.iter().zip(marks.iter().skip(1)) {
        let (from, to) = (before.admitted_of(line.number), mark.admitted_of(line.number));
        if to <= from {
            continue;
        }
        while let Some(cohort) = cohorts.peek() {
            let end = cohort.base.saturating_add(cohort.people);
            let people = end.min(to).saturating_sub(cohort.base.max(from));
            if people > 0 {
                found.push((mark.at.since(cohort.cut).max(0), people));
            }
            if end > to {
                break;
            }
            cohorts.next();
        }
    }
    found
}

/// The value that so many in a thousand do not exceed.
fn quantile(sorted: &[Stretch], people: u64, permille: u64) -> i64 {
    let rank = people.saturating_mul(permille).div_ceil(1_000).max(1);
    let mut seen = 0_u64;
    let found = sorted.iter().find(|(_, people)| {
        seen = seen.saturating_add(*people);
        seen >= rank
    });
    found.or(sorted.last()).map_or(0, |(wait, _)| *wait)
}

fn exact_ms(marks: &[Mark]) -> i64 {
    let pairs = marks.iter().zip(marks.iter().skip(1));
    let moved = pairs.filter(|(before, mark)| mark.admitted_in_all() > before.admitted_in_all());
    let open = moved.filter(|(before, _)| before.admitted_in_all() > 0);
    open.map(|(before, mark)| mark.at.since(before.at)).max().unwrap_or(0)
}

fn histogram(sorted: &[Stretch]) -> Vec<Bin> {
    let Some((longest, _)) = sorted.last() else { return Vec::new() };
    let grid = Grid::over(0, *longest, MOST_BINS);
    let bin = |bin| Bin { from_ms: grid.start(bin), to_ms: grid.start(bin + 1), people: 0 };
    let mut bins: Vec<Bin> = (0..grid.bins).map(bin).collect();
    for (wait, people) in sorted {
        if let Some(bin) = grid.bin(*wait).and_then(|at| bins.get_mut(at)) {
            bin.people = bin.people.saturating_add(*people);
        }
    }
    bins
}
