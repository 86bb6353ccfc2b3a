//! Two kinds of time, both whole milliseconds: *wall* time, and *event* time, which stands still while an on-sale is paused
//! or its origin is out, so that neither burns anybody's ten minutes (design: booking, "Time").

use serde::{Deserialize, Serialize};

/// Wall time: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WallMs(pub i64);

/// Event time: milliseconds on the event's own clock, see [`Clock`]. Starts at the wall time of the event's first beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventMs(pub i64);

macro_rules! arithmetic {
    ($name:ident) => {
        impl $name {
            /// This time moved by `ms` milliseconds (negative: earlier), saturating.
            pub const fn plus(self, ms: i64) -> Self {
                Self(self.0.saturating_add(ms))
            }
            /// Milliseconds from `earlier` to this time (negative if `earlier` is later), saturating.
            pub const fn since(self, earlier: Self) -> i64 {
                self.0.saturating_sub(earlier.0)
            }
        }
    };
}
arithmetic!(WallMs);
arithmetic!(EventMs);

/// How long event time runs on after a beat at the usual beat of one second.
pub const RUN_MS: i64 = 3_000;

/// How far event time may run past a beat that arrived: 3 s, or two beats where the beat is slower than that.
pub fn run_ms(beat_ms: i64) -> i64 {
    beat_ms.saturating_mul(2).max(RUN_MS)
}

/// The event clock as the last beat left it. Anyone who holds a copy computes the same event time from it.
///
/// Event time advances with wall time for at most `run_ms` after the beat, then stands until the next beat. So it stops by
/// itself when beats stop, and never jumps back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Number of the beat that wrote this clock; only higher beats replace it.
    pub beat: u64,
    /// Wall time of that beat.
    pub wall: WallMs,
    /// Event time at that beat.
    pub event: EventMs,
    /// How many milliseconds event time may run past the beat; 0 while paused.
    pub run_ms: i64,
}

impl Clock {
    /// An event's first clock: event time starts equal to wall time and does not run before the first tick.
    pub const fn start(wall: WallMs) -> Self {
        Self { beat: 0, wall, event: EventMs(wall.0), run_ms: 0 }
    }

    /// Event time at wall time `wall`. Wall times before the beat answer the beat's own event time.
    pub fn now(&self, wall: WallMs) -> EventMs {
        self.event.plus(wall.since(self.wall).clamp(0, self.run_ms.max(0)))
    }

    /// The clock after beat `beat` at `wall`, or `None` if `beat` is not higher (a late or repeated beat changes nothing).
    ///
    /// `run_ms` is [`run_ms`] of the beat length, or 0 while paused. A wall clock that went back does not take time back.
    pub fn tick(&self, beat: u64, wall: WallMs, run_ms: i64) -> Option<Self> {
        if beat <= self.beat {
            return None;
        }
        Some(Self { beat, wall: wall.max(self.wall), event: self.now(wall), run_ms: run_ms.max(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { beat: 7, wall: WallMs(1_000), event: EventMs(500), run_ms: 3_000 };

    #[test]
    fn event_time_runs_within_bounds() {
        for (wall, event) in [(0, 500), (1_000, 500), (1_001, 501), (4_000, 3_500), (4_001, 3_500), (i64::MAX, 3_500)] {
            assert_eq!(CLOCK.now(WallMs(wall)), EventMs(event), "at wall {wall}");
        }
    }

    #[test]
    fn only_higher_beats_tick() {
        assert_eq!(CLOCK.tick(7, WallMs(2_000), 3_000), None);
        assert_eq!(CLOCK.tick(6, WallMs(2_000), 3_000), None);
        let next = CLOCK.tick(9, WallMs(2_000), 3_000);
        assert_eq!(next, Some(Clock { beat: 9, wall: WallMs(2_000), event: EventMs(1_500), run_ms: 3_000 }));
    }

    #[test]
    fn a_pause_stops_event_time_and_a_gap_costs_nothing() {
        let paused = CLOCK.tick(8, WallMs(2_000), 0).expect("8 is higher than 7");
        assert_eq!(paused.now(WallMs(900_000)), EventMs(1_500));
        let resumed = paused.tick(9, WallMs(900_000), 3_000).expect("9 is higher than 8");
        assert_eq!(resumed.now(WallMs(900_100)), EventMs(1_600));
    }

    #[test]
    fn a_wall_clock_that_goes_back_takes_no_time_back() {
        let next = CLOCK.tick(8, WallMs(10), 3_000).expect("8 is higher than 7");
        assert_eq!((next.wall, next.event), (WallMs(1_000), EventMs(500)));
    }

    /// B-66: a reader whose wall clock is two minutes wrong is off by at most what time may run on after a beat.
    #[test]
    fn a_reader_with_a_wrong_clock_is_hardly_off() {
        let right = CLOCK.now(WallMs(2_000));
        for skew_ms in [-120_000, -1, 0, 1, 120_000] {
            let off = CLOCK.now(WallMs(2_000 + skew_ms)).since(right);
            assert!(off.abs() <= CLOCK.run_ms, "a skew of {skew_ms} ms counts {off} ms");
        }
    }

    #[test]
    fn slow_beats_run_two_beats() {
        assert_eq!([run_ms(1_000), run_ms(1_500), run_ms(30_000)], [3_000, 3_000, 60_000]);
    }
}
