//! Places for a whole party in one piece.

use super::line::{Line, lines};
use super::{Choice, Piece, Wish};
use crate::layout::Section;

/// A place for the party in a row, and how it compares with others there.
struct Window {
    singles: usize,
    /// Away from where parties of this size fill the stretch without gaps; away from the middle of the row; the start.
    rank: (usize, usize, usize),
    start: usize,
}

/// The best places, best first, all leaving as few single seats as the first one.
pub(super) fn best<'a>(
    sections: impl Iterator<Item = (usize, &'a Section, &'a [u8])>,
    wish: &Wish,
    most: usize,
) -> Vec<Choice> {
    // By how many single seats they leave: none, one, two.
    let mut found: [Vec<Choice>; 3] = Default::default();
    for (at, section, states) in sections {
        for (row, line) in lines(section, states).enumerate() {
            for window in apart(windows(&line, wish), wish.quantity) {
                let piece = Piece { row, start: window.start, len: wish.quantity };
                let list = &mut found[window.singles.min(2)];
                list.push(Choice { section: at, pieces: vec![piece], singles: window.singles });
            }
        }
        if found[0].len() >= most {
            break;
        }
    }
    let mut best = found.into_iter().find(|list| !list.is_empty()).unwrap_or_default();
    best.truncate(most.max(1));
    best
}

/// Whether there is a place that leaves no single seat.
pub(super) fn is_clean(section: &Section, states: &[u8], wish: &Wish) -> bool {
    lines(section, states).any(|line| windows(&line, wish).iter().any(|window| window.singles == 0))
}

fn windows(line: &Line<'_>, wish: &Wish) -> Vec<Window> {
    let mut windows = Vec::new();
    if !line.may_seat(wish) {
        return windows;
    }
    for (first, len) in line.stretches(wish) {
        for start in first..(first + len + 1).saturating_sub(wish.quantity) {
            if wish.met_by(line.kinds(start, wish.quantity)) {
                let singles = line.singles_beside(start, wish.quantity);
                let off_centre = (2 * start + wish.quantity).abs_diff(line.len());
                windows.push(Window {
                    singles,
                    rank: ((start - first) % wish.quantity.max(1), off_centre, start),
                    start,
                });
            }
        }
    }
    windows
}

/// The best windows of a row that do not overlap.
fn apart(mut windows: Vec<Window>, len: usize) -> Vec<Window> {
    windows.sort_unstable_by_key(|window| (window.singles, window.rank));
    let mut kept: Vec<Window> = Vec::new();
    for window in windows {
        if kept.iter().all(|other| other.start.abs_diff(window.start) >= len) {
            kept.push(window);
        }
    }
    kept
}
