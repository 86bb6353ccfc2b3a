//! What the on-sale teaches about its people: how many turns are claimed, and how many of those who come in buy.
//!
//! Both begin as expectations that weigh as much as [`PRIOR`] people, so that the first few do not decide. They are gauges
//! over the whole on-sale: nothing is lost or counted twice if a beat is missing.

use super::Claims;
use crate::hold::HOLD_MS;
use serde::{Deserialize, Serialize};

/// People that the expectations weigh.
const PRIOR: u64 = 100;
/// Everybody, in thousandths.
const ALL: u64 = 1_000;
/// Expected part of those who come in that buys, in thousandths.
const EXPECTED_BUYS: u64 = 400;
/// The least that is believed, in thousandths: sessions that a shard lost with its storage look like people who never came.
const LEAST_SHOWS: u64 = 500;
const LEAST_BUYS: u64 = 50;
/// Highest derived rate, places a minute.
const HIGHEST_RATE: u128 = 1_000_000;

/// Shares of people, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Of all turns, those claimed within their window; the others are no-shows.
    pub shows: u32,
    /// Of those who came in, and have had time to, the ones who bought.
    pub buys: u32,
}

impl Default for Learned {
    fn default() -> Self {
        Self::from(0, &Claims::default(), 0)
    }
}

impl Learned {
    /// From the turns that have lapsed, the claims (of which `in_window` is counted above that place), and the orders sold.
    pub fn from(lapsed: u64, claims: &Claims, orders: u64) -> Self {
        let claimed = claims.opened.saturating_sub(claims.in_window);
        let came = claims.opened.saturating_add(claims.late_opened).saturating_sub(claims.recent);
        Self {
            shows: share(claimed, lapsed, ALL).max(LEAST_SHOWS) as u32, // at most 1,000
            buys: share(orders, came, EXPECTED_BUYS).max(LEAST_BUYS) as u32,
        }
    }

    /// How many of so many turns will be claimed, rounded up.
    pub fn coming(&self, turns: u64) -> u64 {
        turns.saturating_mul(self.shows.into()).div_ceil(ALL)
    }

    /// Of a million turns, those that end with an order; at least one.
    pub fn buying_turns_ppm(&self) -> u64 {
        (u64::from(self.shows) * u64::from(self.buys)).max(1)
    }

    /// The rate where the operator sets none, in places a minute: `(seats / conversion) / hold time`, and more by as many as do
    /// not come. 50,000 seats, 40 % and ten minutes make 12,500, which is 208 a second.
    pub fn rate(&self, seats: u64) -> u32 {
        let people = u128::from(seats) * u128::from(ALL * ALL) / u128::from(self.buys.max(1) * self.shows.max(1));
        let per_minute = people * 60_000 / HOLD_MS.unsigned_abs() as u128;
        per_minute.clamp(1, HIGHEST_RATE) as u32
    }
}

/// `part` of `whole` in thousandths, with the expectation mixed in; at most all.
fn share(part: u64, whole: u64, expected: u64) -> u64 {
    let parts = part.min(whole).saturating_mul(ALL).saturating_add(PRIOR * expected);
    parts / whole.saturating_add(PRIOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(opened: u64, in_window: u64, recent: u64) -> Claims {
        Claims { opened, in_window, recent, ..Claims::default() }
    }

    #[test]
    fn expectations_give_way_to_what_happens() {
        let cases = [
            ("nothing yet", 0, claims(0, 0, 0), 0, (1_000, 400)),
            ("claims of the present window tell nothing", 0, claims(50, 50, 50), 0, (1_000, 400)),
            ("all came, all bought", 9_900, claims(9_900, 0, 0), 9_900, (1_000, 994)),
            ("a tenth did not come, four fifths of the others bought", 10_000, claims(9_000, 0, 0), 7_200, (900, 795)),
            ("nobody came: not believed", 10_000, claims(0, 0, 0), 0, (500, 400)),
            ("nobody bought", 10_000, claims(10_000, 0, 0), 0, (1_000, 50)),
        ];
        for (name, lapsed, claims, orders, (shows, buys)) in cases {
            assert_eq!(Learned::from(lapsed, &claims, orders), Learned { shows, buys }, "{name}");
        }
    }

    #[test]
    fn the_derived_rate_is_the_sizing_formula() {
        let cases =
            [(50_000, 1_000, 400, 12_500), (50_000, 900, 800, 6_944), (0, 1_000, 400, 1), (300, 1_000, 400, 75)];
        for (seats, shows, buys, want) in cases {
            assert_eq!(Learned { shows, buys }.rate(seats), want, "{seats} seats");
        }
    }

    #[test]
    fn part_of_the_turns_is_coming() {
        let learned = Learned { shows: 900, buys: 400 };
        assert_eq!((learned.coming(0), learned.coming(1), learned.coming(1_000)), (0, 1, 900));
    }
}
