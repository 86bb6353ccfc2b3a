//! Bins of time, of widths that people read off easily.

use crate::time::WallMs;
use serde::Serialize;

/// Widths in seconds.
const WIDTHS_S: [i64; 17] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, DAY_S];
const DAY_S: i64 = 86_400;

/// Bins of one width, side by side, each from its start up to the start of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// Start of the first bin, in milliseconds.
    pub from: i64,
    /// Width of a bin, in milliseconds.
    pub width_ms: i64,
    /// How many there are; at least one.
    pub bins: usize,
}

/// The smallest width of which `most` bins span so many milliseconds.
fn width_ms(span_ms: i64, most: usize) -> i64 {
    let most = i64::try_from(most).unwrap_or(i64::MAX).max(1);
    let least = span_ms.max(0) / most + 1;
    let known = WIDTHS_S.into_iter().map(|seconds| seconds * 1_000).find(|width| *width >= least);
    known.unwrap_or_else(|| (least / (DAY_S * 1_000) + 1).saturating_mul(DAY_S * 1_000))
}

impl Grid {
    /// At most `most` bins, and one for the alignment to whole widths, that reach from `from` to `to`, both included.
    pub fn over(from: i64, to: i64, most: usize) -> Self {
        let width_ms = width_ms(to.saturating_sub(from), most);
        let first = from.div_euclid(width_ms) * width_ms;
        let bins = usize::try_from(to.max(from).saturating_sub(first) / width_ms + 1).unwrap_or(1);
        Self { from: first, width_ms, bins }
    }

    /// The bin of a value; `None` before the first and behind the last.
    pub fn bin(&self, at: i64) -> Option<usize> {
        let bin = usize::try_from(at.saturating_sub(self.from).div_euclid(self.width_ms)).ok()?;
        (bin < self.bins).then_some(bin)
    }

    /// Where a bin begins.
    pub fn start(&self, bin: usize) -> i64 {
        let bin = i64::try_from(bin).unwrap_or(i64::MAX);
        self.from.saturating_add(bin.saturating_mul(self.width_ms))
    }

    /// The last moment of a bin.
    pub fn last(&self, bin: usize) -> WallMs {
        WallMs(self.start(bin.saturating_add(1)).saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round_and_never_too_many() {
        let minute = 60_000;
        for (from, to, width_ms, bins) in [
            (0, 0, 1_000, 1),
            (500, 24_499, 1_000, 25),
            (0, 18 * minute, 30_000, 37),
            (90_000, 90_000 + 60 * minute, 120_000, 31),
            (0, 24 * 60 * minute, 1_800_000, 49),
            (0, 300 * DAY_S * 1_000, 6 * DAY_S * 1_000, 51),
            (5_000, 1_000, 1_000, 1),
        ] {
            let grid = Grid::over(from, to, 60);
            assert_eq!((grid.width_ms, grid.bins), (width_ms, bins), "{from}..{to}");
            assert!(
                grid.bin(from).is_some() && grid.bin(to.max(from)).is_some() && grid.bin(from - 2 * width_ms).is_none()
            );
        }
    }

    #[test]
    fn bins_meet() {
        let grid = Grid::over(1_500, 9_999, 4);
        assert_eq!((grid.from, grid.width_ms, grid.bins), (0, 5_000, 2));
        assert_eq!((grid.bin(4_999), grid.bin(5_000), grid.bin(10_000), grid.bin(-1)), (Some(0), Some(1), None, None));
        assert_eq!((grid.start(1), grid.last(0)), (5_000, WallMs(4_999)));
    }
}
