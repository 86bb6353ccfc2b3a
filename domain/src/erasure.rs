//! Erasing an account's personal data: what tells of a person goes; what books, seats and gates need stays, under nobody's name.
//!
//! Amounts, places, tickets and ledger lines are kept for accounting. An order is erased once nothing is left to do with it and
//! its event is over: until then it is the contract that the fan made, limits are counted by it, and its tickets open gates.
//! Each order goes in one transaction with the counts that name the account or its card, so that the audit finds the books
//! balanced at every moment.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use crate::ids::{AccountId, OrderId};
use crate::items::{CardUse, Hold, Order, Usage, attr, key};
use crate::order::{as_read, owner};
use crate::plan::{Cond, Item, Plan, Update, Value, Write};
use crate::time::WallMs;
use crate::usage;

/// Whose orders are that were erased.
pub const NOBODY: AccountId = AccountId::from_bytes([0; 16]);
/// What stands where a text was.
pub const ERASED: &str = "erased";

/// One order with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFile {
    /// The order, as read.
    pub order: Order,
    /// The hold that it paid, unless that is gone.
    pub hold: Option<Hold>,
    /// What its card is charged with, if a card paid it.
    pub card: Option<CardUse>,
    /// When its event ends; none if the event is gone.
    pub ends: Option<WallMs>,
}

/// Why an order is not erased now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StillNeeded {
    /// Something is under way.
    #[error("order {0} is not finished")]
    Unfinished(OrderId),
    /// Its event is not over.
    #[error("order {0} is for an event that is not over")]
    Until(OrderId, WallMs),
}

impl OrderFile {
    /// Whether it may be erased now.
    ///
    /// # Errors
    /// Why not.
    pub fn erasable(&self, now: WallMs) -> Result<(), StillNeeded> {
        let order = &self.order;
        match self.ends {
            _ if !order.state.is_final() => Err(StillNeeded::Unfinished(order.id)),
            Some(ends) if now < ends => Err(StillNeeded::Until(order.id, ends)),
            _ => Ok(()),
        }
    }

    /// Erases it.
    ///
    /// # Errors
    /// As [`Self::erasable`].
    pub fn erase(&self, now: WallMs) -> Result<Plan, StillNeeded> {
        self.erasable(now)?;
        let mut writes = vec![self.order_write(), Write::delete(key::contact(&self.order.id), Cond::Always)];
        writes.extend(self.hold.as_ref().map(hold_write));
        writes.extend(self.counted().into_iter().flat_map(|places| self.count_writes(places)));
        Ok(Plan::new(writes))
    }

    fn order_write(&self) -> Write {
        let same = Cond::eq(attr::ACCOUNT, self.order.account.to_string());
        let update = Update::new().set(attr::ACCOUNT, NOBODY.to_string()).remove(attr::ACCOUNT_PK);
        let update = update.set(attr::METHOD, ERASED).set(attr::FINGERPRINT, ERASED).remove(attr::CARD);
        Write::update(key::order(&self.order.id), as_read(&self.order).and(same), update)
    }

    /// Places that account and card are still charged with.
    fn counted(&self) -> Option<u32> {
        self.order.state.owns_seats().then(|| self.order.places.count())
    }

    fn count_writes(&self, places: u32) -> impl Iterator<Item = Write> {
        let card = self.card.as_ref().map(|card| match card.bought == places {
            true => Write::delete(key::card(&card.fingerprint, &card.event), Cond::eq(attr::NUMBER, places)),
            false => usage::refund_card(&card.fingerprint, &card.event, places),
        });
        std::iter::once(owner(&self.order).give_back(places)).chain(card)
    }
}

fn hold_write(hold: &Hold) -> Write {
    let update = Update::new().set(attr::ACCOUNT, NOBODY.to_string()).set(attr::FINGERPRINT, ERASED);
    Write::update(key::hold(&hold.id), Cond::eq(attr::VERSION, hold.version), update)
}

/// Deletes an account's count of an event that is over, once no order counts in it.
#[must_use]
pub fn forget(usage: &Usage) -> Plan {
    Plan::new(vec![Write::delete(key::usage(&usage.account, &usage.event), Cond::eq(attr::COMMITTED, 0))])
}

/// Stored items as a person may read them: all but the keys of indexes, under the names of docs/formats.md.
#[must_use]
pub fn shown(items: &[Item]) -> Json {
    items.iter().map(shown_item).collect()
}

fn shown_item(item: &Item) -> Json {
    let index = [attr::OPEN_PK, attr::OPEN_AT];
    let own = item.iter().filter(|(name, _)| !index.contains(&name.as_str()));
    Json::Object(own.map(|(name, value)| (name.clone(), plain(value))).collect())
}

fn plain(value: &Value) -> Json {
    match value {
        Value::S(text) => json!(text),
        Value::N(number) => json!(number),
        Value::Bool(is) => json!(is),
        Value::B(bytes) => json!(STANDARD.encode(bytes)),
        Value::L(list) => list.iter().map(plain).collect(),
    }
}
