//! An on-sale shopper by shopper: people and stock are made up, the pacing is the real one.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::pace::{ACTIVE_MS, BeatFacts, Claims, Learned, Operator, PaceState, Pulse, Rules, beat};
use crate::testing::Dice;
use crate::time::{EventMs, WallMs};

const SEATS: u64 = 50_000;
const CROWD: u64 = 2_000_000;
const HOLD_S: i64 = 600;
const WINDOW_S: i64 = 300;
const SESSION_S: i64 = 900;
/// How old the map is that a shopper looks at.
const MAP_S: usize = 2;

/// Who counts as inside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// As the rule has it.
    Active,
    /// Everybody with a session, buyers too (a guard is off).
    EverySession,
}

/// How people behave.
pub struct People {
    /// The operator's rate, if there is one.
    pub per_minute: Option<u32>,
    pub buy_percent: u64,
    /// A third of those who do not come in their window come later.
    pub no_show_percent: u64,
    /// Non-buyers take a hold too and let it expire.
    pub idle_holds: bool,
    pub counted: Inside,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    pub minutes_to_99: f64,
    /// Most shoppers who came in within four minutes.
    pub most_inside: u64,
    /// Clicks on a seat that was gone already.
    pub collisions: u64,
    pub learned: Learned,
}

/// What happens to a shopper next, in order of time (s).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    Claim { place: u64 },
    Late,
    Hold { buys: bool, leaves: i64 },
    Buy { seats: u64 },
    Expire { seats: u64 },
}

pub struct Sale {
    dice: Dice,
    people: People,
    state: PaceState,
    events: BinaryHeap<Reverse<(i64, Next)>>,
    free: u64,
    /// Free seats in the last seconds, newest first.
    shown: VecDeque<u64>,
    sold: u64,
    shoppers: u64,
    claims: Vec<(i64, u64)>,
    late_claims: Vec<i64>,
    late_waiting: u64,
    outcome: Outcome,
}

impl Sale {
    pub fn new(people: People) -> Self {
        let outcome = Outcome { minutes_to_99: f64::NAN, most_inside: 0, collisions: 0, learned: Learned::default() };
        Self {
            dice: Dice(1),
            people,
            state: PaceState::default(),
            events: BinaryHeap::new(),
            free: SEATS,
            shown: VecDeque::new(),
            sold: 0,
            shoppers: 0,
            claims: vec![],
            late_claims: vec![],
            late_waiting: 0,
            outcome,
        }
    }

    fn beat(&mut self, second: i64) {
        while self.events.peek().is_some_and(|Reverse((at, _))| *at <= second) {
            let Some(Reverse((at, next))) = self.events.pop() else { break };
            self.happen(at, next);
        }
        self.shown.push_front(self.free);
        self.shown.truncate(MAP_S + 1);
        let orders_left = (self.free * 2).div_ceil(5);
        let (claims, operator) = (self.count(second), Operator::default());
        let rate_per_minute = self.people.per_minute.unwrap_or_else(|| self.state.learned.rate(SEATS));
        let rules = Rules {
            joins_from: WallMs(0),
            opens: WallMs(0),
            ends: WallMs(i64::MAX),
            rate_per_minute,
            claim_window_ms: WINDOW_S * 1_000,
            beat_ms: 1_000,
        };
        let pulse = Pulse {
            event: EventMs(second * 1_000),
            orders_left,
            unsold: SEATS - self.sold,
            shoppers: if self.people.counted == Inside::Active { self.shoppers } else { 0 },
            orders: self.sold * 2 / 5,
            stock_age_ms: 1_000,
        };
        let facts = BeatFacts {
            now: WallMs(second * 1_000),
            rules: &rules,
            operator: &operator,
            drawn: true,
            given: CROWD,
            lanes: &[],
            claims,
            late_waiting: self.late_waiting,
            pulse: Ok(pulse),
        };
        let (next, admission) = beat(&self.state, &facts);
        assert!(admission.room >= admission.step + admission.late, "no room, no admission");
        self.outcome.learned = next.learned;
        self.outcome.most_inside = self.outcome.most_inside.max(claims.recent);
        self.admit(second, next.admitted, admission.late);
        self.state = next;
    }

    /// The gauges that shards would answer.
    fn count(&self, second: i64) -> Claims {
        let counted = if self.people.counted == Inside::Active { ACTIVE_MS / 1_000 } else { SESSION_S };
        let since = |ago: i64| second - ago;
        let recent = self.claims.iter().filter(|(at, _)| *at > since(counted)).count();
        let late = |ago: i64| self.late_claims.iter().filter(|at| **at > since(ago)).count() as u64;
        Claims {
            in_window: self.claims.iter().filter(|(_, place)| *place > self.state.lapsed).count() as u64,
            late_in_window: late(WINDOW_S),
            recent: recent as u64 + late(counted),
            opened: self.claims.len() as u64,
            late_opened: self.late_claims.len() as u64,
        }
    }

    fn admit(&mut self, second: i64, admitted: u64, late: u64) {
        for place in self.state.admitted + 1..=admitted {
            if !self.dice.chance(self.people.no_show_percent) {
                let at = second + 1 + self.dice.below(10) as i64;
                self.events.push(Reverse((at, Next::Claim { place })));
            } else if self.dice.chance(33) {
                self.events.push(Reverse((second + WINDOW_S + 1 + self.dice.below(300) as i64, Next::Late)));
            }
        }
        for _ in 0..late {
            self.late_waiting -= 1;
            self.late_claims.push(second);
            self.shop(second);
        }
    }

    fn happen(&mut self, at: i64, next: Next) {
        match next {
            Next::Claim { place } => {
                self.claims.push((at, place));
                self.shop(at);
            }
            Next::Late => self.late_waiting += 1,
            Next::Hold { buys, leaves } => self.hold(at, buys, leaves),
            Next::Buy { seats } => self.sold += seats,
            Next::Expire { seats } => (self.free, self.shoppers) = (self.free + seats, self.shoppers - 1),
        }
    }

    /// Four minutes inside on average; a buyer finds seats somewhere in the middle of it.
    fn shop(&mut self, at: i64) {
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
            self.outcome.collisions += 1;
            return;
        }
        // A click hits any seat that was free on the map; those taken since are gone.
        let shown = self.shown.back().copied().unwrap_or(self.free).max(self.free);
        while self.dice.below(shown) >= self.free {
            self.outcome.collisions += 1;
        }
        (self.free, self.shoppers) = (self.free - seats, self.shoppers + 1);
        let next = if buys { (leaves, Next::Buy { seats }) } else { (at + HOLD_S, Next::Expire { seats }) };
        self.events.push(Reverse(next));
    }

    /// Runs until everything is sold, and prints the curve.
    pub fn run(mut self, name: &str) -> Outcome {
        println!("{name}\nminute  admitted     sold  inside  collisions");
        for second in 0..3_600 * 3 {
            self.beat(second);
            if second % 60 == 59 && self.sold < SEATS {
                let inside = self.count(second).recent;
                let (minute, admitted, collisions) = (second / 60 + 1, self.state.admitted, self.outcome.collisions);
                println!("{minute:6}  {admitted:8} {:8}  {inside:6}  {collisions:10}", self.sold);
            }
            if self.outcome.minutes_to_99.is_nan() && self.sold * 100 >= SEATS * 99 {
                self.outcome.minutes_to_99 = second as f64 / 60.0;
            }
            if self.sold == SEATS {
                println!("all sold after {:.1} minutes", second as f64 / 60.0);
                return self.outcome;
            }
        }
        panic!("stuck: {} of {SEATS} sold, {} admitted, {} free", self.sold, self.state.admitted, self.free)
    }
}
