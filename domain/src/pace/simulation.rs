//! The on-sale it is sized by, shopper by shopper: the real pacing against simulated people and stock.

use super::*;
use crate::testing::Dice;
use crate::time::EventMs;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const SEATS: u64 = 50_000;
const CROWD: u64 = 2_000_000;
const RULES: Rules = Rules {
    joins_from: WallMs(0),
    opens: WallMs(0),
    ends: WallMs(i64::MAX),
    rate_per_minute: 2_000,
    claim_window_ms: 300_000,
    beat_ms: 1_000,
};
const HOLD_S: i64 = 600;

/// How people behave.
struct People {
    buy_percent: u64,
    no_show_percent: u64,
    /// Non-buyers take a hold too and let it expire.
    idle_holds: bool,
}

/// What happens to a shopper next, in order of time (s).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    Claim { place: u64 },
    Hold { buys: bool, leaves: i64 },
    Buy { seats: u64 },
    Expire { seats: u64 },
}

struct Sale {
    dice: Dice,
    people: People,
    state: PaceState,
    events: BinaryHeap<Reverse<(i64, Next)>>,
    free: u64,
    sold: u64,
    shoppers: u64,
    claims: Vec<(i64, u64)>,
    most_inside: u64,
}

impl Sale {
    fn new(people: People) -> Self {
        let (state, events) = (PaceState::default(), BinaryHeap::new());
        Self { dice: Dice(1), people, state, events, free: SEATS, sold: 0, shoppers: 0, claims: vec![], most_inside: 0 }
    }

    fn beat(&mut self, second: i64) {
        while self.events.peek().is_some_and(|Reverse((at, _))| *at <= second) {
            let Some(Reverse((at, next))) = self.events.pop() else { break };
            self.happen(at, next);
        }
        let now = WallMs(second * 1_000);
        let orders_left = (self.free * 2).div_ceil(5);
        let pulse = Pulse {
            event: EventMs(now.0),
            orders_left,
            unsold: SEATS - self.sold,
            shoppers: self.shoppers,
            stock_age_ms: 1_000,
        };
        let lapsed = self.state.lapsed;
        let claims = Claims {
            in_window: self.claims.iter().filter(|(_, place)| *place > lapsed).count() as u64,
            late_in_window: 0,
            recent: self.claims.iter().filter(|(at, _)| *at > second - 240).count() as u64,
        };
        let operator = Operator::default();
        let facts = BeatFacts {
            now,
            rules: &RULES,
            operator: &operator,
            drawn: true,
            given: CROWD,
            claims,
            late_waiting: 0,
            pulse: Ok(pulse),
        };
        let (next, admission) = beat(&self.state, &facts);
        assert!(admission.room > 0 || admission.step == 0, "no room, no admission");
        self.most_inside = self.most_inside.max(admission.inside);
        for place in self.state.admitted + 1..=next.admitted {
            if !self.dice.chance(self.people.no_show_percent) {
                let at = second + 1 + self.dice.below(10) as i64;
                self.events.push(Reverse((at, Next::Claim { place })));
            }
        }
        self.state = next;
    }

    fn happen(&mut self, at: i64, next: Next) {
        match next {
            Next::Claim { place } => self.claim(at, place),
            Next::Hold { buys, leaves } => self.hold(at, buys, leaves),
            Next::Buy { seats } => self.sold += seats,
            Next::Expire { seats } => (self.free, self.shoppers) = (self.free + seats, self.shoppers - 1),
        }
    }

    /// Four minutes inside on average; a buyer finds seats somewhere in the middle of it.
    fn claim(&mut self, at: i64, place: u64) {
        self.claims.push((at, place));
        let inside = 120 + self.dice.below(241) as i64;
        let buys = self.dice.chance(self.people.buy_percent);
        if buys || self.people.idle_holds {
            let found = at + inside * (20 + self.dice.below(61) as i64) / 100;
            self.events.push(Reverse((found, Next::Hold { buys, leaves: at + inside })));
        }
    }

    fn hold(&mut self, at: i64, buys: bool, leaves: i64) {
        let seats = (1 + self.dice.below(4)).min(self.free);
        if seats == 0 {
            return;
        }
        (self.free, self.shoppers) = (self.free - seats, self.shoppers + 1);
        let next = if buys { (leaves, Next::Buy { seats }) } else { (at + HOLD_S, Next::Expire { seats }) };
        self.events.push(Reverse(next));
    }

    /// Runs until everything is sold; answers the minutes until 99 % and prints the curve.
    fn run(&mut self, name: &str) -> f64 {
        let mut at_99 = None;
        println!("{name}\nminute  admitted     sold  inside");
        for second in 0..3_600 * 3 {
            self.beat(second);
            if second % 60 == 59 && self.sold < SEATS {
                let inside = self.claims.iter().filter(|(at, _)| *at > second - 240).count();
                println!("{:6}  {:8} {:8}  {inside:6}", second / 60 + 1, self.state.admitted, self.sold);
            }
            if at_99.is_none() && self.sold * 100 >= SEATS * 99 {
                at_99 = Some(second as f64 / 60.0);
            }
            if self.sold == SEATS {
                println!(
                    "all sold after {:.1} min, 99 % after {:.1} min",
                    second as f64 / 60.0,
                    at_99.unwrap_or(f64::NAN)
                );
                return at_99.unwrap_or(f64::NAN);
            }
        }
        panic!("stuck: {} of {SEATS} sold, {} admitted, {} free", self.sold, self.state.admitted, self.free)
    }
}

#[test]
fn the_sizing_figures_sell_99_percent_within_18_minutes() {
    let mut sale = Sale::new(People { buy_percent: 80, no_show_percent: 0, idle_holds: false });
    let minutes = sale.run("2,000 a minute, 80 % buy, 4 minutes inside");
    assert!((12.5..=18.0).contains(&minutes), "{minutes} minutes");
}

#[test]
fn no_shows_and_expiring_holds_slow_it_down_but_never_stop_it() {
    let mut sale = Sale::new(People { buy_percent: 80, no_show_percent: 10, idle_holds: true });
    let minutes = sale.run("the same with 10 % no-shows, and non-buyers who let holds expire");
    assert!(minutes < 45.0, "{minutes} minutes");
}
