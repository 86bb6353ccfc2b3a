//! Mail items: where an order's tickets go to, and what became of each mail. They lie beside the order and not in it, so that the
//! stream's records of orders carry no address.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, key, stored_words};
use crate::ids::{EventId, OrderId};
use crate::plan::Item;
use crate::time::WallMs;

/// Where an order's tickets are sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Event.
    pub event: EventId,
    /// Order.
    pub order: OrderId,
    /// Mail address.
    pub to: String,
    /// When it may be deleted.
    pub keep_until: WallMs,
}

impl Contact {
    /// The value of `k`.
    pub const KIND: &'static str = "contact";

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::contact(&self.order), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::TO, self.to.as_str())
            .with(attr::TTL, self.keep_until.0.div_euclid(1_000))
            .done()
    }

    /// Reads a stored contact.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            event: r.parse(attr::EVENT)?,
            order: r.partition_key("ORDER#")?,
            to: r.text(attr::TO)?.to_owned(),
            keep_until: WallMs(r.number(attr::TTL)?.saturating_mul(1_000)),
        })
    }
}

stored_words! {
    /// What became of a mail.
    MailState {
        /// Somebody is sending it.
        Claimed = "claimed",
        /// The mail service took it.
        Sent = "sent",
        /// The mail service will never take it.
        Refused = "refused",
    }
}

/// The mail with one revision of an order's tickets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailing {
    /// Event.
    pub event: EventId,
    /// Order.
    pub order: OrderId,
    /// Which revision of the order, from 1.
    pub n: u32,
    /// State.
    pub state: MailState,
    /// Who is or was sending it.
    pub sender: String,
    /// Until when nobody else begins, wall time.
    pub until: WallMs,
    /// The mail service's id of it.
    pub message: Option<String>,
}

impl Mailing {
    /// The value of `k`.
    pub const KIND: &'static str = "mail";

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::mailing(&self.order, self.n), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::STATE, self.state)
            .with(attr::SENDER, self.sender.as_str())
            .with(attr::WALL, self.until.0)
            .maybe(attr::MESSAGE, self.message.as_deref())
            .done()
    }

    /// Reads a stored mail.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            event: r.parse(attr::EVENT)?,
            order: r.partition_key("ORDER#")?,
            n: r.sort_key("MAIL#")?,
            state: MailState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            sender: r.text(attr::SENDER)?.to_owned(),
            until: WallMs(r.number(attr::WALL)?),
            message: r.opt_text(attr::MESSAGE).map(str::to_owned),
        })
    }
}
