//! Limits by rate: so many calls in so long, as many of them at once as one likes.
//!
//! The generic cell rate algorithm: a meter keeps one number, the time at which it would be empty again.

use crate::time::WallMs;

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Calls, at least one.
    pub count: u32,
    /// In so many milliseconds.
    pub per_ms: i64,
}

impl Rate {
    /// The same rate with half as many at once: what it leaves is for others.
    #[must_use]
    pub const fn half(self) -> Self {
        Self { count: self.count.div_ceil(2), per_ms: self.per_ms / 2 }
    }

    /// What one call takes, in microseconds.
    fn step_us(self) -> i64 {
        self.per_ms.saturating_mul(1_000) / i64::from(self.count.max(1))
    }
}

/// How full a limit is. A new meter is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meter {
    /// When it is empty again, in microseconds since 1970.
    empty_us: i64,
}

impl Meter {
    /// Counts a call at `now`, or says in how many milliseconds one fits. A call that does not fit is not counted.
    pub fn take(&mut self, rate: Rate, now: WallMs) -> Result<(), i64> {
        let now_us = now.0.saturating_mul(1_000);
        let next_us = self.empty_us.max(now_us).saturating_add(rate.step_us());
        let over_us = next_us.saturating_sub(now_us).saturating_sub(rate.per_ms.saturating_mul(1_000));
        if over_us > 0 {
            return Err((over_us / 1_000).saturating_add(1));
        }
        self.empty_us = next_us;
        Ok(())
    }

    /// Whether it is empty: then it need not be kept.
    #[must_use]
    pub fn is_empty(&self, now: WallMs) -> bool {
        self.empty_us <= now.0.saturating_mul(1_000)
    }
}
