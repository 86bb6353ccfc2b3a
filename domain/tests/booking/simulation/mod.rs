//! Seeded schedules: fans, operators and three kinds of executor over one table and one provider, with lost replies,
//! conflicts, crashes at every step, stale reads and duplicates. After each step the invariants hold; at the end nothing is
//! left over.

mod dice;
mod executors;
mod promises;
mod shoppers;

use crate::invariants::View;
use crate::provider::Provider;
use crate::shop::{NOW, world};
use dice::Dice;
use domain::items::{HoldState, Order, OrderState};
use domain::order::Payment;
use domain::plan::memory::World;
use domain::plan::{Cond, Next, Plan, Rule};
use domain::provider::Intent;
use domain::time::EventMs;

const SCHEDULES: u64 = 2_000;
const STEPS: usize = 120;

/// Somebody who carries an order on, with what was read some time ago.
#[derive(Clone)]
struct Actor {
    order: Order,
    known: Known,
}

#[derive(Clone)]
enum Known {
    Unasked,
    Intent(Intent),
}

impl Known {
    fn payment(&self) -> Payment<'_> {
        match self {
            Self::Unasked => Payment::Unasked,
            Self::Intent(intent) => Payment::Intent(intent),
        }
    }
}

struct Sim {
    world: World,
    provider: Provider,
    dice: Dice,
    now: EventMs,
    actors: Vec<Actor>,
    /// Whether faults are thrown.
    faulty: bool,
    /// Sort-key prefix of writes whose condition is left out.
    blind: Option<&'static str>,
    blocked: Vec<u32>,
    log: Vec<String>,
    keys: u64,
    /// Whether the last step was the provider's: its answer belongs to the order as it was read before.
    answered: bool,
}

/// What became of a decision.
enum Fate {
    Committed,
    Refused,
    /// The caller never hears of it.
    Lost,
}

impl Sim {
    pub(super) fn new(seed: u64) -> Self {
        let dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        Self {
            world: world(),
            provider: Provider::default(),
            dice,
            now: NOW,
            actors: vec![],
            faulty: true,
            blind: None,
            blocked: vec![],
            log: vec![],
            keys: 0,
            answered: false,
        }
    }

    pub(super) fn view(&self) -> View {
        View::of(&self.world)
    }

    pub(super) fn mutate(&self, mut plan: Plan) -> Plan {
        let blind = |w: &domain::plan::Write| self.blind.is_some_and(|prefix| w.key.sk.starts_with(prefix));
        plan.writes.iter_mut().filter(|w| blind(w)).for_each(|w| w.expect = Cond::Always);
        plan
    }

    /// Like the table's `decide`: conflicts are tried again, a lost reply too, and sometimes the caller dies.
    pub(super) fn decide<R: Rule>(&mut self, mut rule: R) -> Result<Fate, R::Refusal> {
        for _ in 0..32 {
            let plan = self.mutate(rule.plan()?);
            if self.faulty && self.dice.chance(3) {
                return Ok(Fate::Lost);
            }
            let result = self.world.commit(&plan);
            if self.faulty && self.dice.chance(3) {
                return Ok(Fate::Lost);
            }
            let replied = !(self.faulty && self.dice.chance(5));
            let refused = match result {
                Ok(()) if replied => return Ok(Fate::Committed),
                Ok(()) => continue,
                Err(refused) => refused,
            };
            rule = match rule.explain(&refused) {
                Next::Done => return Ok(Fate::Committed),
                Next::No(refusal) => return Err(refusal),
                Next::Again(next) => next,
            };
        }
        panic!("a rule does not end");
    }

    /// For rules whose refusal only means that somebody else was faster.
    pub(super) fn run<R: Rule>(&mut self, rule: R) -> Fate {
        self.decide(rule).unwrap_or(Fate::Refused)
    }

    pub(super) fn key(&mut self) -> String {
        self.keys += 1;
        format!("k{}", self.keys)
    }

    pub(super) fn step(&mut self) {
        match self.dice.below(20) {
            0..=4 => self.take(),
            5 => self.release(),
            6 => self.extend(),
            7..=8 => self.claim(),
            9 => self.pass(),
            10 => self.sweep(),
            11 => self.block(),
            12 => self.cancel(),
            13 => self.janitor(),
            14 => self.slow_card_answers(),
            _ => self.act(),
        }
    }
}

/// Runs one schedule; the failure says what broke and how it came to be.
fn schedule(seed: u64, blind: Option<&'static str>) -> Result<(), String> {
    let mut sim = Sim { blind, ..Sim::new(seed) };
    let tell = |what: String, log: &[String]| format!("seed {seed}: {what}\n{}", log.join("\n"));
    for _ in 0..STEPS {
        sim.step();
        sim.check().map_err(|what| tell(what, &sim.log))?;
    }
    sim.drain();
    sim.check().and_then(|()| sim.nothing_is_left_over()).map_err(|what| tell(what, &sim.log))
}

#[test]
fn schedules_with_faults_keep_every_promise() {
    let first: u64 = std::env::var("ONSALE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    for seed in first..first + SCHEDULES {
        if let Err(what) = schedule(seed, None) {
            panic!("{what}");
        }
    }
}

/// With the conditions of one kind of item left out, some schedule shows the damage.
#[test]
fn schedules_notice_a_missing_guard() {
    for blind in ["SEAT#", "HOLD", "EVENT#", "ORDER", "SHARE#"] {
        let caught = (0..400).find(|seed| {
            let quiet = std::panic::catch_unwind(|| schedule(*seed, Some(blind)));
            !matches!(quiet, Ok(Ok(())))
        });
        assert!(caught.is_some(), "no schedule notices that {blind} is not checked");
    }
}

/// Schedules reach every state of holds and orders, or they prove little.
#[test]
fn schedules_reach_every_state() {
    let mut orders = std::collections::BTreeSet::new();
    let mut holds = std::collections::BTreeSet::new();
    for seed in 0..400 {
        let mut sim = Sim::new(seed);
        for _ in 0..STEPS {
            sim.step();
            let view = sim.view();
            orders.extend(view.orders.iter().map(|o| o.state));
            holds.extend(view.holds.iter().map(|h| h.state));
        }
        sim.drain();
        orders.extend(sim.view().orders.iter().map(|o| o.state));
    }
    let failed = [OrderState::CaptureFailed, OrderState::Released];
    let missing: Vec<_> = OrderState::ALL.iter().filter(|s| !orders.contains(s) && !failed.contains(s)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(holds.len(), HoldState::ALL.len());
}
