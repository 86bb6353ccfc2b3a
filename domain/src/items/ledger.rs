//! Ledger items: one line for each movement of an order's money.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key, stored_words};
use crate::ids::{EventId, OrderId};
use crate::plan::Item;
use crate::time::{EventMs, WallMs};

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

/// One line, beside its order. It is written with the order's state and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerLine {
    /// Event.
    pub event: EventId,
    /// Order.
    pub order: OrderId,
    /// Which line of the order, from 1.
    pub n: u32,
    /// What happened.
    pub movement: Movement,
    /// How much, in minor units; above zero.
    pub amount_minor: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// The provider's intent.
    pub intent: String,
    /// When it was written down, wall time.
    pub wall: WallMs,
    /// The same in event time.
    pub at: EventMs,
}

impl LedgerLine {
    /// The value of `k`.
    pub const KIND: &'static str = "ledger";

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::ledger(&self.order, self.n), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::STATE, self.movement)
            .with(attr::AMOUNT, self.amount_minor)
            .with(attr::CURRENCY, self.currency.as_str())
            .with(attr::INTENT, self.intent.as_str())
            .with(attr::WALL, self.wall.0)
            .with(attr::EVENT_TIME, self.at.0)
            .done()
    }

    /// Reads a stored line.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            event: r.parse(attr::EVENT)?,
            order: r.partition_key("ORDER#")?,
            n: r.sort_key("LEDGER#")?,
            movement: Movement::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            amount_minor: r.number(attr::AMOUNT)?,
            currency: r.text(attr::CURRENCY)?.to_owned(),
            intent: r.text(attr::INTENT)?.to_owned(),
            wall: WallMs(r.number(attr::WALL)?),
            at: EventMs(r.number(attr::EVENT_TIME)?),
        })
    }
}
