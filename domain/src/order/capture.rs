//! After the sale: steps that touch the order alone.

use super::ledger::{Moment, line};
use super::{Moved, as_read, found, goes};
use crate::ids::AccountId;
use crate::items::{Movement, Order, OrderState, attr, key};
use crate::plan::{Next, Plan, Refused, Rule, Update, Write};
use crate::time::{EventMs, WallMs};

/// Confirmed → captured: the provider has taken the money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkCaptured {
    /// The order, as read.
    pub order: Order,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
}

/// Captured → delivered: all tickets were rendered and sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliver {
    /// The order, as read.
    pub order: Order,
    /// Event time now.
    pub now: EventMs,
}

/// Confirmed, later: the card refused the capture, and it is tried again after a pause that doubles each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// The order, as read.
    pub order: Order,
    /// The provider's code.
    pub code: String,
    /// Event time now.
    pub now: EventMs,
}

impl PutOff {
    /// When the janitor finds the order again: after 1, 2, 4 … 256 minutes.
    #[must_use]
    pub fn again_at(&self) -> EventMs {
        self.now.plus(60_000 << self.order.tries.min(8))
    }
}

/// Confirmed → capture failed: the provider will never capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailCapture {
    /// The order, as read.
    pub order: Order,
    /// The provider's code.
    pub code: String,
    /// Event time now.
    pub now: EventMs,
}

/// Confirmed, captured or delivered → cancelling: its fan gives it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeginCancel {
    /// The order, as read.
    pub order: Order,
    /// Who asks.
    pub account: AccountId,
    /// Event time now.
    pub now: EventMs,
}

fn need(order: &Order, state: OrderState) -> Result<(), Moved> {
    if order.state == state { Ok(()) } else { Err(Moved::To(order.state)) }
}

/// The order is there already, or somewhere else.
fn there<R: Clone>(rule: &R, order: &Order, is_done: impl Fn(OrderState) -> bool, refused: &Refused) -> Next<R, Moved> {
    match found(order, refused) {
        Some(now) if is_done(now.state) => Next::Done,
        Some(now) => Next::No(Moved::To(now.state)),
        None => refused.unexplained(rule, Moved::Inconsistent),
    }
}

impl Rule for MarkCaptured {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        need(order, OrderState::Confirmed)?;
        let mut update = goes(order, OrderState::Captured, self.now).remove(attr::DECLINE);
        let mut writes = Vec::new();
        if order.intent.is_some() {
            update = update.add(attr::NUMBER, 1);
            let moment = Moment { now: self.now, wall: self.wall };
            writes.push(line(order, order.lines, Movement::Capture, order.total_minor, moment));
        }
        writes.push(Write::update(key::order(&order.id), as_read(order), update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        there(self, &self.order, |s| matches!(s, OrderState::Captured | OrderState::Delivered), refused)
    }
}

impl Rule for Deliver {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        need(&self.order, OrderState::Captured)?;
        let update = goes(&self.order, OrderState::Delivered, self.now);
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), as_read(&self.order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        there(self, &self.order, |s| s == OrderState::Delivered, refused)
    }
}

impl Rule for PutOff {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        need(&self.order, OrderState::Confirmed)?;
        let update = Update::new().set(attr::UPDATED, self.now.0).set(attr::DECLINE, self.code.as_str());
        let update = update.add(attr::TRIES, 1).set(attr::OPEN_PK, self.order.open_pk());
        let update = update.set(attr::OPEN_AT, self.again_at().0);
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), as_read(&self.order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        there(self, &self.order, |s| matches!(s, OrderState::Captured | OrderState::Delivered), refused)
    }
}

impl Rule for FailCapture {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        need(&self.order, OrderState::Confirmed)?;
        let update = goes(&self.order, OrderState::CaptureFailed, self.now).set(attr::DECLINE, self.code.as_str());
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), as_read(&self.order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        there(self, &self.order, |s| matches!(s, OrderState::CaptureFailed | OrderState::Released), refused)
    }
}

impl Rule for BeginCancel {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if order.account != self.account {
            return Err(Moved::NotYours);
        }
        if !matches!(order.state, OrderState::Confirmed | OrderState::Captured | OrderState::Delivered) {
            return Err(Moved::To(order.state));
        }
        let update = goes(order, OrderState::Cancelling, self.now);
        Ok(Plan::new(vec![Write::update(key::order(&order.id), as_read(order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        match found(&self.order, refused) {
            Some(now) if matches!(now.state, OrderState::Cancelling | OrderState::Cancelled | OrderState::Refunded) => {
                Next::Done
            }
            Some(order) if order.state.owns_seats() => Next::Again(Self { order, ..self.clone() }),
            Some(now) => Next::No(Moved::To(now.state)),
            None => Next::No(Moved::Inconsistent),
        }
    }
}
