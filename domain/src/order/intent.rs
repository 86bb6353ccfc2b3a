//! Steps of a paying order that touch the order alone.

use super::{Moved, as_read, found, goes, is};
use crate::items::{Order, OrderState, VoidReason, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::EventMs;

/// Stores the provider's intent before it is confirmed: still paying, none stored. Each attempt is an order of its own.
///
/// Refused means: end the intent at the provider, it belongs to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreIntent {
    /// The order, as read.
    pub order: Order,
    /// The provider's id.
    pub intent: String,
    /// Event time now.
    pub now: EventMs,
}

impl Rule for StoreIntent {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let expect = is(OrderState::Paying).and(Cond::Missing(attr::INTENT));
        let update = Update::new().set(attr::INTENT, self.intent.as_str()).set(attr::UPDATED, self.now.0);
        let update = update.set(attr::OPEN_AT, self.now.0);
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), expect, update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        match found(&self.order, refused) {
            Some(order) if order.intent.as_ref() == Some(&self.intent) => Next::Done,
            Some(order) => Next::No(Moved::To(order.state)),
            None => Next::No(Moved::Inconsistent),
        }
    }
}

/// Paying → voiding: from here on the order can never be sold. The seats stay claimed until the
/// authorization has ended at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// The order, as read.
    pub order: Order,
    /// Why.
    pub reason: VoidReason,
    /// Event time now.
    pub now: EventMs,
}

impl Rule for Void {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        if self.order.state != OrderState::Paying {
            return Err(Moved::To(self.order.state));
        }
        let update = goes(&self.order, OrderState::Voiding, self.now).set(attr::REASON, self.reason);
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), as_read(&self.order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        match found(&self.order, refused) {
            Some(order) if order.state == OrderState::Voiding => Next::Done,
            Some(order) => Next::No(Moved::To(order.state)),
            None => Next::No(Moved::Inconsistent),
        }
    }
}
