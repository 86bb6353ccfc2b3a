//! The stage: one table, one provider, event time, and how a decision is carried out when replies get lost.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::import::Import;
use super::lens::Lens;
use super::op::{Fault, Op, Trouble, Verb};
use crate::books::Books;
use crate::promises;
use crate::provider::Provider;
use crate::shop;
use domain::ids::{HoldId, OrderId};
use domain::items::{Hold, MapPool, MapSection, Order, SeatState, key};
use domain::order::Payment;
use domain::plan::memory::World;
use domain::plan::{MAX_ROUNDS, Next, Plan, Refused, Rule};
use domain::provider::Intent;
use domain::reimport::Fence;
use domain::time::{Clock, EventMs, WallMs};

/// Somebody who carries an order on, with what was read some time ago.
#[derive(Clone, Debug)]
pub struct Worker {
    pub order: Order,
    /// What the provider said last, if it was asked since the order was read.
    pub known: Known,
}

/// What an executor knows of an order's money.
#[derive(Clone, Debug)]
pub enum Known {
    Unasked,
    PutOff,
    /// The card refused the capture a moment ago.
    Refused,
    Intent(Intent),
}

impl Known {
    pub const fn payment(&self) -> Payment<'_> {
        match self {
            Self::Unasked | Self::Refused => Payment::Unasked,
            Self::PutOff => Payment::PutOff,
            Self::Intent(intent) => Payment::Intent(intent),
        }
    }
}

#[derive(Clone)]
pub struct Stage {
    pub world: World,
    pub books: Books,
    pub provider: Provider,
    pub now: EventMs,
    /// Holds by the number of their key, with their fan.
    pub holds: BTreeMap<u32, (u32, HoldId)>,
    pub orders: BTreeMap<u32, OrderId>,
    pub workers: BTreeMap<u32, Worker>,
    /// Holds as somebody saw them.
    pub seen: BTreeMap<u32, Hold>,
    pub surveys: Vec<(MapSection, MapPool)>,
    /// Imports under way.
    pub imports: BTreeMap<u32, Import>,
    /// The layout of the import that ended last, if none began since.
    pub in_force: Option<u32>,
    /// What the fence was before it was taken over last.
    pub old_fence: Option<Fence>,
    /// In which holds operators found seats.
    pub found: BTreeMap<u32, (HoldId, SeatState)>,
    /// Clocks of all beats.
    pub clocks: Vec<Clock>,
    pub lens: Lens,
    /// Whether anything changed since the last check.
    pub changed: bool,
    fault: Fault,
    broken: Option<String>,
}

/// What became of a decision.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate<E> {
    Committed,
    /// Committed before.
    Already,
    Refused(E),
    /// The table gave no answer in time.
    Busy,
    /// The caller is no more.
    Dead,
}

impl Stage {
    pub fn new(lens: Lens) -> Self {
        static FRESH: OnceLock<(World, Books)> = OnceLock::new();
        let fresh = || (shop::world(), Books::of(&shop::world()).unwrap());
        let (world, books) = FRESH.get_or_init(fresh).clone();
        Self {
            world,
            books,
            provider: Provider::default(),
            now: shop::NOW,
            holds: BTreeMap::new(),
            orders: BTreeMap::new(),
            workers: BTreeMap::new(),
            seen: BTreeMap::new(),
            surveys: vec![],
            imports: BTreeMap::new(),
            in_force: Some(0),
            old_fence: None,
            found: BTreeMap::new(),
            clocks: vec![],
            lens,
            changed: true,
            fault: Fault::NONE,
            broken: None,
        }
    }

    /// Does it; an error says which promise it breaks.
    pub fn run(&mut self, op: &Op) -> Result<(), String> {
        self.fault = op.fault;
        match op.verb {
            Verb::Take => self.take(op),
            Verb::Look => self.look(op),
            Verb::Release => self.release(op),
            Verb::Extend => self.extend(op),
            Verb::Claim => self.claim(op),
            Verb::Cancel => self.cancel(op),
            Verb::Work => self.work(op),
            Verb::Step => self.step(op),
            Verb::Bank => self.bank(op),
            Verb::Hint => self.hint(op),
            Verb::Tamper => self.tamper(op),
            Verb::Forget => self.provider.forget(),
            Verb::Pass => self.now = self.now.plus(op.ms),
            Verb::Sweep => self.sweep(op),
            Verb::Block => self.block(op),
            Verb::Unblock => self.unblock(op),
            Verb::Assign => self.assign(op),
            Verb::Plan => self.plan(op),
            Verb::Part => self.part(op),
            Verb::Beat => self.beat(op),
            Verb::Survey => self.survey(),
            Verb::Draw => self.draw(op),
        }
        self.check()
    }

    /// Wall time goes with event time.
    pub const fn wall(&self) -> WallMs {
        WallMs(self.now.0)
    }

    /// Every promise, as things stand.
    pub fn check(&mut self) -> Result<(), String> {
        if let Some(broken) = self.broken.take() {
            return Err(broken);
        }
        if !std::mem::take(&mut self.changed) {
            return Ok(());
        }
        promises::kept(&self.books, self.now)?;
        self.as_imported()?;
        self.money()
    }

    /// Something that must not be, found on the way.
    pub fn wrong(&mut self, what: impl Into<String>) {
        self.broken.get_or_insert(what.into());
    }

    /// What goes wrong with the next action of this operation.
    pub fn trouble(&mut self) -> Fault {
        let Fault { trouble, at, .. } = self.fault;
        if at == 0 {
            return std::mem::replace(&mut self.fault, Fault::NONE);
        }
        self.fault.at -= 1;
        if trouble == Trouble::Nothing { self.fault } else { Fault::NONE }
    }

    /// As the table's `decide`: what collides or loses its reply is tried again, and sometimes the caller dies.
    pub fn decide<R: Rule>(&mut self, mut rule: R) -> Fate<R::Refusal> {
        let name = std::any::type_name::<R>();
        let name = name.rsplit("::").next().unwrap_or(name);
        let fault = self.trouble();
        match fault.trouble {
            Trouble::Busy => return Fate::Busy,
            Trouble::Before => return Fate::Dead,
            _ => {}
        }
        let mut lost = matches!(fault.trouble, Trouble::Lost | Trouble::LostShort);
        let mut short = matches!(fault.trouble, Trouble::Short | Trouble::LostShort);
        for _ in 0..MAX_ROUNDS {
            let whole = match rule.plan() {
                Ok(plan) => plan,
                Err(_) if fault.trouble == Trouble::After => return Fate::Dead,
                Err(refusal) => return Fate::Refused(refusal),
            };
            let plan = self.lens.bend(name, whole.clone(), &self.world);
            let refused = match self.commit(&plan).map_err(|refused| self.lens.heard(refused, &whole, &self.world)) {
                Ok(()) if fault.trouble == Trouble::After => return Fate::Dead,
                Ok(()) if std::mem::take(&mut lost) => continue,
                Ok(()) => return Fate::Committed,
                Err(refused) if std::mem::take(&mut short) => one_of(refused, fault.pick),
                Err(refused) => refused,
            };
            rule = match rule.explain(&refused) {
                Next::Done => return Fate::Already,
                Next::No(refusal) => return Fate::Refused(refusal),
                Next::Again(next) => next,
            };
        }
        self.wrong(format!("{} learns nothing", std::any::type_name::<R>()));
        Fate::Busy
    }

    pub fn commit(&mut self, plan: &Plan) -> Result<(), Refused> {
        self.world.commit(plan)?;
        self.changed = true;
        for write in &plan.writes {
            match self.world.get(&write.key).map(|item| self.books.note(item)) {
                Some(noted) => noted.unwrap_or_else(|e| self.wrong(e)),
                None => self.books.forget(&write.key),
            }
        }
        Ok(())
    }

    /// The hold of this number as it is, or as it was last seen.
    pub fn hold(&self, number: u32, stale: bool) -> Option<Hold> {
        let (_, id) = self.holds.get(&number)?;
        let fresh = || self.books.holds.get(id).cloned();
        if stale { self.seen.get(&number).cloned().or_else(fresh) } else { fresh() }
    }

    pub fn order(&self, number: u32) -> Option<&Order> {
        self.books.order(self.orders.get(&number)?)
    }

    /// The order as the table has it.
    pub fn read(&self, id: &OrderId) -> Order {
        Order::from_item(self.world.get(&key::order(id)).unwrap()).unwrap()
    }
}

/// A refusal in which only one condition has a verdict.
fn one_of(mut refused: Refused, pick: u32) -> Refused {
    if refused.failed.len() > 1 {
        let at = pick as usize % refused.failed.len();
        refused = Refused { failed: vec![refused.failed.swap_remove(at)], partial: true };
    }
    refused
}
