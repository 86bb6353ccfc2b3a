//! Money lines: append-only, one per movement at the provider.

use crate::items::{Order, attr, key, stored_words};
use crate::plan::{Cond, Item, Value, Write};
use crate::time::EventMs;

stored_words! {
    /// What happened to money.
    Movement {
        /// Set aside on the card.
        Authorization = "authorization",
        /// Taken.
        Capture = "capture",
        /// Set free again.
        Void = "void",
        /// Given back.
        Refund = "refund",
    }
}

/// The line after the `before` ones that the order has, about its whole amount.
pub(super) fn line(order: &Order, before: u32, movement: Movement, now: EventMs) -> Write {
    let at = key::ledger(&order.id, before + 1);
    let mut item = Item::new();
    let mut with = |name: &str, value: Value| item.insert(name.to_owned(), value);
    with(attr::PK, at.pk.into());
    with(attr::SK, at.sk.into());
    with(attr::KIND, "money".into());
    with(attr::STATE, movement.into());
    with(attr::EVENT, order.event.to_string().into());
    with(attr::AMOUNT, order.total_minor.into());
    with(attr::CURRENCY, order.currency.clone().into());
    with(attr::INTENT, order.intent.clone().unwrap_or_default().into());
    with(attr::EVENT_TIME, now.0.into());
    Write::put(item, Cond::Absent)
}
