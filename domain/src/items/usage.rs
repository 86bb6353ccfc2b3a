//! Counts per account and per card.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key};
use crate::ids::{AccountId, EventId, HoldId};
use crate::plan::Item;
use crate::time::EventMs;

/// What an account has of an event. No item means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Account.
    pub account: AccountId,
    /// Event.
    pub event: EventId,
    /// Places being paid or bought.
    pub committed: u32,
    /// The live hold, if any, and its until.
    pub hold: Option<(HoldId, EventMs)>,
    /// Event time up to which its holds are counted; none if it never took one.
    pub paced: Option<EventMs>,
}

impl Usage {
    /// The value of `k`.
    pub const KIND: &'static str = "usage";

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let hold = self.hold.as_ref();
        Builder::new(&key::usage(&self.account, &self.event), Self::KIND)
            .with(attr::COMMITTED, self.committed)
            .maybe(attr::HOLD, hold.map(|(h, _)| h.to_string()))
            .maybe(attr::HOLD_UNTIL, hold.map(|(_, u)| u.0))
            .maybe(attr::PACE, self.paced.map(|at| at.0))
            .done()
    }

    /// Reads a stored usage.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let hold = r.opt_parse(attr::HOLD)?.zip(r.opt_number(attr::HOLD_UNTIL).map(EventMs));
        Ok(Self {
            account: r.partition_key("ACCOUNT#")?,
            event: r.sort_key("EVENT#")?,
            committed: r.opt_number(attr::COMMITTED).map_or(Ok(0), |_| r.count(attr::COMMITTED))?,
            hold,
            paced: r.opt_number(attr::PACE).map(EventMs),
        })
    }
}

/// What a card bought of an event. No item means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardUse {
    /// The provider's fingerprint of the card; not a card number.
    pub fingerprint: String,
    /// Event.
    pub event: EventId,
    /// Places bought.
    pub bought: u32,
}

impl CardUse {
    /// The value of `k`.
    pub const KIND: &'static str = "card";

    /// Reads a stored card use.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            fingerprint: r.partition_key("CARD#")?,
            event: r.sort_key("EVENT#")?,
            bought: r.count(attr::NUMBER)?,
        })
    }
}
