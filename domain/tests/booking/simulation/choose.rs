//! Which operation comes next: dice, with a look at what there is to act on.

use super::dice::Dice;
use super::fans;
use super::import::LAYOUTS;
use super::op::{Fault, Op, Trouble, Verb};
use super::stage::Stage;
use crate::provider::Card;
use crate::shop::SEATS;

const FANS: u32 = 4;
/// What happens to orders: in some schedules hardly anything else does.
const OF_ORDERS: [Verb; 7] = [Verb::Claim, Verb::Cancel, Verb::Work, Verb::Step, Verb::Bank, Verb::Forget, Verb::Pass];
const TROUBLES: [Trouble; 6] =
    [Trouble::Busy, Trouble::Lost, Trouble::Before, Trouble::After, Trouble::Short, Trouble::LostShort];
/// How often each verb is drawn in a schedule that has it.
const WEIGHTS: [(Verb, usize); 21] = [
    (Verb::Take, 12),
    (Verb::Look, 3),
    (Verb::Release, 3),
    (Verb::Extend, 3),
    (Verb::Claim, 9),
    (Verb::Cancel, 4),
    (Verb::Work, 5),
    (Verb::Step, 30),
    (Verb::Bank, 6),
    (Verb::Hint, 1),
    (Verb::Forget, 1),
    (Verb::Pass, 4),
    (Verb::Sweep, 5),
    (Verb::Block, 2),
    (Verb::Unblock, 2),
    (Verb::Assign, 2),
    (Verb::Plan, 2),
    (Verb::Part, 4),
    (Verb::Beat, 2),
    (Verb::Survey, 2),
    (Verb::Draw, 2),
];

/// Draws the operations of one schedule.
pub struct Chooser {
    dice: Dice,
    weights: Vec<(Verb, usize)>,
    /// In per cent of operations.
    faults: usize,
    /// Seats that are fought for.
    seats: u32,
    fans: u32,
    /// What was asked for under the keys of holds, to be asked for again.
    asked: Vec<Op>,
    count: u32,
}

impl Chooser {
    /// Some schedules lack some verbs, such as a sweeper that stands still: rare courses become common.
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let narrow = dice.chance(30);
        let mut weigh = |verb: &Verb, w: &usize| match dice.below(10) {
            _ if narrow && *verb == Verb::Cancel => w * 3,
            _ if narrow && !OF_ORDERS.contains(verb) => w.div_ceil(5),
            0 | 1 => w / 5,
            2 => w * 3,
            _ => *w,
        };
        let weights = WEIGHTS.iter().map(|(verb, w)| (*verb, weigh(verb, w))).collect();
        let (faults, seats) = (dice.pick(&[0, 10, 25]).unwrap_or(0), dice.pick(&[2, 4, SEATS]).unwrap_or(SEATS));
        let (fans, seats) = if narrow { (2, 4) } else { (FANS, seats) };
        Self { dice, weights, faults, seats, fans, asked: vec![], count: 0 }
    }

    pub fn next(&mut self, stage: &Stage) -> Op {
        self.count += 1;
        let verb = self.verb();
        let mut op = self.filled(Op::new(verb), stage);
        if self.dice.chance(self.faults) {
            let trouble = TROUBLES[self.dice.below(TROUBLES.len())];
            op.fault = Fault { trouble, at: u32::from(self.dice.chance(25)), pick: self.dice.number(4) };
        }
        op
    }

    fn verb(&mut self) -> Verb {
        let all: usize = self.weights.iter().map(|(_, w)| w).sum();
        let mut at = self.dice.below(all.max(1));
        for (verb, weight) in &self.weights {
            if at < *weight {
                return *verb;
            }
            at -= weight;
        }
        Verb::Step
    }

    fn filled(&mut self, op: Op, stage: &Stage) -> Op {
        match op.verb {
            Verb::Take => self.take(op, stage),
            Verb::Look | Verb::Sweep => self.some_hold(op, stage),
            Verb::Release => {
                let op = self.some_hold(op, stage);
                let some = self.dice.chance(60);
                Op { seats: if some { self.own_seat(&op, stage) } else { vec![] }, ..op }
            }
            Verb::Extend => self.some_hold(op, stage),
            Verb::Claim => self.claim(op, stage),
            Verb::Bank | Verb::Hint => self.some_order(op, stage),
            Verb::Cancel => {
                let op = self.some_order(op, stage);
                let some = self.dice.chance(50);
                let seats = if some { self.order_seat(&op, stage) } else { vec![] };
                Op { seats, stale: self.dice.chance(25), ..op }
            }
            Verb::Work => Op { worker: self.count, ..self.some_order(op, stage) },
            Verb::Step => {
                let workers: Vec<u32> = stage.workers.keys().copied().collect();
                let newest = workers.last().copied().filter(|_| self.dice.chance(50));
                Op { worker: newest.or_else(|| self.dice.pick(&workers)).unwrap_or(0), ..op }
            }
            Verb::Pass => Op { ms: [1_000, 60_000, 200_000, 700_000][self.dice.below(4)], ..op },
            Verb::Block => {
                let places = u32::from(self.dice.chance(40));
                Op { nth: self.dice.number(2), places, stale: self.dice.chance(20), ..self.some_seat(op) }
            }
            Verb::Assign => Op { nth: self.dice.number(3), ..self.some_seat(op) },
            Verb::Unblock => self.some_seat(op),
            Verb::Plan => {
                let (nth, stale) = (self.dice.number(LAYOUTS), self.dice.chance(30));
                Op { worker: self.count, nth, places: 2 + self.dice.number(8), stale, ..op }
            }
            Verb::Part => {
                let imports: Vec<u32> = stage.imports.keys().copied().collect();
                Op { worker: self.dice.pick(&imports).unwrap_or(0), ..op }
            }
            Verb::Beat => Op { nth: self.dice.number(3), stale: self.dice.chance(40), ..op },
            Verb::Survey | Verb::Forget | Verb::Tamper => op,
            Verb::Draw => Op { nth: self.dice.number(2), ..op },
        }
    }

    fn take(&mut self, op: Op, stage: &Stage) -> Op {
        if self.dice.chance(15) && !self.asked.is_empty() {
            return self.asked[self.dice.below(self.asked.len())].clone();
        }
        let fan = self.dice.number(self.fans);
        let from = self.dice.number(self.seats);
        let wanted = self.dice.number(4).max(u32::from(self.fans < FANS) * 2);
        let seats: Vec<u32> = (from..(from + wanted).min(SEATS)).collect();
        let places = if self.dice.chance(40) { 1 + self.dice.number(3) } else { 0 };
        let own: Vec<u32> = stage.holds.iter().filter(|(_, (who, _))| *who == fan).map(|(n, _)| *n).collect();
        let replaces = if self.dice.chance(40) { own.last().copied() } else { None };
        let replaces = if self.dice.chance(4) { self.dice.pick(&own) } else { replaces }.unwrap_or(0);
        let again = replaces > 0 && self.dice.chance(40);
        let seats = if again { held_seats(stage, replaces) } else { seats };
        let (stale, nth) = (self.dice.chance(20), u32::from(self.dice.chance(40)));
        let op = Op { fan, hold: self.count, seats, places, replaces, stale, nth, ..op };
        self.asked.push(op.clone());
        op
    }

    /// Rarely one that no plan has.
    fn some_seat(&mut self, op: Op) -> Op {
        let n = if self.dice.chance(4) { SEATS } else { self.dice.number(self.seats) };
        Op { seats: vec![n], ..op }
    }

    /// One of the latest holds, mostly its own fan's.
    fn some_hold(&mut self, op: Op, stage: &Stage) -> Op {
        let holds: Vec<(u32, u32)> = stage.holds.iter().rev().take(6).map(|(n, (fan, _))| (*n, *fan)).collect();
        let (hold, fan) = self.dice.pick(&holds).unwrap_or((0, 0));
        let fan = if self.dice.chance(3) { self.dice.number(FANS) } else { fan };
        Op { hold, fan, stale: self.dice.chance(25), ..op }
    }

    fn own_seat(&mut self, op: &Op, stage: &Stage) -> Vec<u32> {
        let own = held_seats(stage, op.hold);
        self.dice.pick(&own).into_iter().collect()
    }

    fn order_seat(&mut self, op: &Op, stage: &Stage) -> Vec<u32> {
        let Some(order) = stage.order(op.order) else { return vec![] };
        let has = |n: &u32| order.places.seats.iter().any(|l| l.seat == fans::line(*n).seat);
        let own: Vec<u32> = (0..SEATS).filter(has).collect();
        self.dice.pick(&own).into_iter().collect()
    }

    fn claim(&mut self, op: Op, stage: &Stage) -> Op {
        let op = self.some_hold(op, stage);
        let known: Vec<u32> = stage.orders.keys().copied().collect();
        let again = if self.dice.chance(10) { self.dice.pick(&known) } else { None };
        let cards =
            [Card::Good, Card::Good, Card::Good, Card::Good, Card::Declined, Card::Slow, Card::Challenge, Card::Poor];
        Op { order: again.unwrap_or(self.count), card: cards[self.dice.below(cards.len())], ..op }
    }

    fn some_order(&mut self, op: Op, stage: &Stage) -> Op {
        let orders: Vec<u32> = stage.orders.keys().rev().take(5).copied().collect();
        let order = self.dice.pick(&orders).unwrap_or(0);
        let hold = stage.order(order).map(|o| o.hold);
        let fan = stage.holds.values().find(|(_, id)| Some(*id) == hold).map_or(0, |(fan, _)| *fan);
        let fan = if self.dice.chance(3) { self.dice.number(FANS) } else { fan };
        let answer = [Card::Good, Card::Good, Card::Declined, Card::Lapsed][self.dice.below(4)];
        Op { order, fan, card: if op.verb == Verb::Bank { answer } else { Card::Good }, ..op }
    }
}

fn held_seats(stage: &Stage, hold: u32) -> Vec<u32> {
    let Some(hold) = stage.hold(hold, false) else { return vec![] };
    let has = |n: &u32| hold.places.seats.iter().any(|l| l.seat == fans::line(*n).seat);
    (0..SEATS).filter(has).collect()
}
