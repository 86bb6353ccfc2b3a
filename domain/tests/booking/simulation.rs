//! Seeded schedules: fans, operators and three kinds of executor over one table and one provider, with lost replies,
//! conflicts, crashes at every step, stale reads and duplicates. After each step the invariants hold; at the end nothing is
//! left over.

use crate::invariants::{self, View};
use crate::provider::{Card, Provider};
use crate::shop::*;
use domain::hold::{Expire, Extend, Release, Take};
use domain::items::{Hold, HoldState, Order, OrderState, SeatState, VoidReason};
use domain::order::*;
use domain::plan::memory::World;
use domain::plan::{Cond, Next, Plan, Rule};
use domain::provider::{Intent, Status};
use domain::seat as rules;
use domain::time::EventMs;

const SCHEDULES: u64 = 2_000;
const STEPS: usize = 120;

/// SplitMix64: a schedule is repeated from its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len() as u64) as usize].clone())
    }
}

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
    fn new(seed: u64) -> Self {
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

    fn view(&self) -> View {
        View::of(&self.world)
    }

    fn mutate(&self, mut plan: Plan) -> Plan {
        let blind = |w: &domain::plan::Write| self.blind.is_some_and(|prefix| w.key.sk.starts_with(prefix));
        plan.writes.iter_mut().filter(|w| blind(w)).for_each(|w| w.expect = Cond::Always);
        plan
    }

    /// Like the table's `decide`: conflicts are tried again, a lost reply too, and sometimes the caller dies.
    fn decide<R: Rule>(&mut self, mut rule: R) -> Result<Fate, R::Refusal> {
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
    fn run<R: Rule>(&mut self, rule: R) -> Fate {
        self.decide(rule).unwrap_or(Fate::Refused)
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("k{}", self.keys)
    }

    fn step(&mut self) {
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

    fn take(&mut self) {
        let who = self.dice.below(4) as u32;
        let from = self.dice.below(u64::from(SEATS)) as u32;
        let count = self.dice.below(3) as u32;
        let seats: Vec<u32> = (from..(from + count).min(SEATS)).collect();
        let places = self.dice.below(3) as u32;
        let pools = if places > 0 { vec![floor(places)] } else { vec![] };
        let live = self.view().holds.into_iter().find(|h| h.account == account(who) && h.state == HoldState::Live);
        let replaces = if self.dice.chance(50) { live } else { None };
        let key = self.key();
        self.log.push(format!("take {who} {seats:?} + {places} replaces {}", replaces.is_some()));
        let take = Take { pools, replaces, now: self.now, ..take(who, &key, &seats) };
        drop(self.run(take.clone()));
        if self.dice.chance(20) {
            drop(self.run(take));
        }
    }

    fn some_hold(&mut self) -> Option<Hold> {
        let holds = self.view().holds;
        self.dice.pick(&holds)
    }

    fn release(&mut self) {
        let Some(hold) = self.some_hold() else { return };
        let seats = if self.dice.chance(50) { hold.places.seats.iter().take(1).map(|l| l.seat.clone()).collect() } else { vec![] };
        self.log.push(format!("release {} {seats:?}", hold.id));
        let account = hold.account;
        drop(self.run(Release::some(hold, account, seats)));
    }

    fn extend(&mut self) {
        let Some(hold) = self.some_hold() else { return };
        self.log.push(format!("extend {}", hold.id));
        drop(self.run(Extend { account: hold.account, hold, now: self.now }));
    }

    fn claim(&mut self) {
        let live: Vec<Hold> = self.view().holds.into_iter().filter(|h| h.state == HoldState::Live).collect();
        let Some(hold) = self.dice.pick(&live) else { return };
        let key = self.key();
        let claim = claim(hold, &key, self.now);
        self.log.push(format!("claim {} as {}", claim.hold.id, claim.order));
        if matches!(self.run(claim.clone()), Fate::Committed) {
            self.hire(order(&self.world, &claim.order));
        }
    }

    fn hire(&mut self, order: Order) {
        self.actors.push(Actor { order, known: Known::Unasked });
    }

    fn pass(&mut self) {
        let ms = [1_000, 60_000, 200_000, 700_000][self.dice.below(4) as usize];
        self.log.push(format!("pass {ms}"));
        self.now = self.now.plus(ms);
    }

    fn sweep(&mut self) {
        for hold in self.view().holds {
            drop(self.run(Expire::new(hold, self.now)));
        }
        self.log.push("sweep".into());
    }

    fn block(&mut self) {
        let n = self.dice.below(u64::from(SEATS)) as u32;
        let blocked = seat(&self.world, n).state == SeatState::Blocked;
        self.log.push(format!("block or free {n}"));
        let write = if blocked { rules::unblock(&event(), &line(n)) } else { rules::block(&event(), &line(n)) };
        if self.world.commit(&Plan::new(vec![write])).is_ok() {
            self.blocked.retain(|b| *b != n);
            self.blocked.extend((!blocked).then_some(n));
        }
    }

    fn cancel(&mut self) {
        let sold: Vec<Order> = self.view().orders.into_iter().filter(|o| o.state.owns_seats()).collect();
        let Some(order) = self.dice.pick(&sold) else { return };
        self.log.push(format!("cancel {}", order.id));
        drop(self.run(BeginCancel { account: order.account, order, now: self.now }));
    }

    /// A second executor for some unfinished order.
    fn janitor(&mut self) {
        let open: Vec<Order> = self.view().orders.into_iter().filter(|o| !o.state.is_final()).collect();
        if let Some(order) = self.dice.pick(&open) {
            self.hire(order);
        }
    }

    fn slow_card_answers(&mut self) {
        let slow: Vec<String> = self.provider.intents.values().filter(|i| i.status == Status::Processing).map(|i| i.id.clone()).collect();
        if let Some(id) = self.dice.pick(&slow) {
            self.provider.answer(&id);
        }
    }

    /// One step of one executor, on what it read before; then it may read again, stay stale, or die.
    fn act(&mut self) {
        if self.actors.is_empty() {
            return;
        }
        let at = self.dice.below(self.actors.len() as u64) as usize;
        let mut actor = self.actors.swap_remove(at);
        if self.faulty && self.dice.chance(5) {
            return;
        }
        if self.advance(&mut actor) {
            self.actors.push(actor);
        }
    }

    /// Whether the executor goes on.
    fn advance(&mut self, actor: &mut Actor) -> bool {
        let payment = match &actor.known {
            Known::Unasked => Payment::Unasked,
            Known::Intent(intent) => Payment::Intent(intent),
        };
        let Some(step) = next_step(&actor.order, payment, self.now) else { return false };
        self.log.push(format!("{} {} {step:?}", actor.order.id, actor.order.state));
        let alive = self.perform(actor, step);
        if !std::mem::take(&mut self.answered) {
            *actor = Actor { order: order(&self.world, &actor.order.id), known: Known::Unasked };
        }
        alive
    }

    fn perform(&mut self, actor: &mut Actor, step: Step) -> bool {
        let (order, now) = (actor.order.clone(), self.now);
        let id = order.intent.clone().unwrap_or_default();
        let fate = match step {
            Step::Create => return self.create(actor),
            Step::Ask => return self.learn(actor, |p| p.intents[&id].clone()),
            Step::Confirm => {
                let card = [Card::Good, Card::Good, Card::Good, Card::Declined, Card::Slow][self.dice.below(5) as usize];
                return self.learn(actor, |p| p.confirm(&id, card));
            }
            Step::CancelIntent => return self.learn(actor, |p| p.cancel(&id)),
            Step::Capture => return self.learn(actor, |p| p.capture(&id)),
            Step::Refund => {
                self.provider.refund(&id);
                return self.perform(actor, after_refund(&order));
            }
            Step::Sell { card } => self.sell(order, card),
            Step::Decline { code } => self.run(Decline::new(order, code, now)),
            Step::Void(reason) => self.run(Void { order, reason, now }),
            Step::Close => self.run(Close::new(order, now)),
            Step::Abandon => self.run(Abandon::new(order, now)),
            Step::MarkCaptured => self.run(MarkCaptured { order, now }),
            Step::Deliver => self.run(Deliver { order, now }),
            Step::FailCapture { code } => self.run(FailCapture { order, code, now }),
            Step::Unsell(to) => self.run(Unsell { order, to, now }),
        };
        !matches!(fate, Fate::Lost)
    }

    fn create(&mut self, actor: &mut Actor) -> bool {
        let intent = self.provider.create(&actor.order);
        let store = StoreIntent { order: actor.order.clone(), intent: intent.id.clone(), now: self.now };
        let fate = self.run(store);
        let stored = order(&self.world, &actor.order.id).intent;
        if matches!(fate, Fate::Refused) && stored.as_ref() != Some(&intent.id) {
            self.provider.cancel(&intent.id);
        }
        !matches!(fate, Fate::Lost)
    }

    /// The provider does it; the answer may be lost.
    fn learn(&mut self, actor: &mut Actor, call: impl FnOnce(&mut Provider) -> Intent) -> bool {
        let intent = call(&mut self.provider);
        let heard = !(self.faulty && self.dice.chance(10));
        actor.known = if heard { Known::Intent(intent) } else { Known::Unasked };
        self.answered = true;
        heard || self.dice.chance(50)
    }

    fn sell(&mut self, order: Order, card: Option<String>) -> Fate {
        let card = card.map(|fingerprint| CardLimit { fingerprint, limit: CARD_LIMIT });
        let reason = match self.decide(Sell { order: order.clone(), card, now: self.now }) {
            Ok(fate) => return fate,
            Err(SellRefusal::Moved(_)) => return Fate::Refused,
            Err(SellRefusal::CardLimit { .. }) => VoidReason::CardLimit,
            Err(SellRefusal::SeatsGone(_)) => VoidReason::SeatsGone,
            Err(other) => panic!("{other}"),
        };
        self.run(Void { order, reason, now: self.now })
    }

    /// Everything that every schedule must satisfy at every moment.
    fn check(&self) -> Result<(), String> {
        invariants::check(&self.world)?;
        match self.blocked.iter().find(|n| seat(&self.world, **n).state != SeatState::Blocked) {
            Some(n) => Err(format!("seat {n} was blocked and is not")),
            None => self.money(),
        }
    }

    /// No money is taken for an order that was not sold.
    fn money(&self) -> Result<(), String> {
        for intent in self.provider.intents.values().filter(|i| i.received_minor > 0) {
            let order = self.view().orders.into_iter().find(|o| Some(o.id.to_string()) == intent.order);
            let sold = order.is_some_and(|o| o.state.owns_seats() || matches!(o.state, OrderState::Refunded | OrderState::Cancelled));
            if !sold {
                return Err(format!("{} was captured for no sale", intent.id));
            }
        }
        Ok(())
    }

    /// Without faults any more, the janitor and the sweep end everything.
    fn drain(&mut self) {
        self.faulty = false;
        self.now = self.now.plus(CLAIM_MS * 3);
        for order in self.view().orders {
            let mut actor = Actor { order, known: Known::Unasked };
            for _ in 0..32 {
                if !self.advance(&mut actor) {
                    break;
                }
            }
        }
        self.now = self.now.plus(CLAIM_MS * 3);
        self.sweep();
    }

    fn nothing_is_left_over(&self) -> Result<(), String> {
        let view = self.view();
        if let Some(order) = view.orders.iter().find(|o| !o.state.is_final()) {
            return Err(format!("order {} is still {}", order.id, order.state));
        }
        if let Some(hold) = view.holds.iter().find(|h| matches!(h.state, HoldState::Live | HoldState::Claimed)) {
            return Err(format!("hold {} is still {}", hold.id, hold.state));
        }
        self.provider.intents.values().try_for_each(|intent| self.ended(&view, intent))
    }

    /// Captured for a delivered order, refunded for one given back, or nothing set aside.
    fn ended(&self, view: &View, intent: &Intent) -> Result<(), String> {
        let order = view.orders.iter().find(|o| o.intent.as_ref() == Some(&intent.id));
        let kept = intent.received_minor - self.provider.refunded.get(&intent.id).copied().unwrap_or(0);
        let wanted = order.filter(|o| o.state == OrderState::Delivered).map_or(0, |o| o.total_minor);
        let open = matches!(intent.status, Status::RequiresCapture | Status::Processing | Status::RequiresAction);
        if kept == wanted && !open { Ok(()) } else { Err(format!("{} keeps {kept} of {wanted}, {:?}", intent.id, intent.status)) }
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
