//! Messages to the organiser, one item each beside its order: what is told, and how far the telling is.

use super::read::{Builder, Reader, Unreadable};
use super::{attr, bucket, key, stored_words};
use crate::ids::{EventId, OrderId};
use crate::plan::Item;
use crate::time::WallMs;

stored_words! {
    /// What a message tells; the `type` of the event that is sent.
    OutKind {
        /// The order's places are sold.
        Confirmed = "onsale.order.confirmed",
        /// Its money was taken.
        Captured = "onsale.order.captured",
        /// Its tickets were handed out.
        Issued = "onsale.tickets.issued",
        /// Some of its seats were given back.
        Reduced = "onsale.order.reduced",
        /// It was given back before its money was taken.
        Cancelled = "onsale.order.cancelled",
        /// It was given back, and so was its money.
        Refunded = "onsale.order.refunded",
        /// Its money did not come, and its places are free again.
        Released = "onsale.order.released",
    }
}

stored_words! {
    /// How far a message is.
    OutState {
        /// To be sent, or sent again.
        Pending = "pending",
        /// The receiver took it.
        Acknowledged = "acknowledged",
        /// Given up, until somebody has it sent again.
        Parked = "parked",
    }
}

/// A message as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutMessage {
    /// Event.
    pub event: EventId,
    /// The order it is about.
    pub order: OrderId,
    /// Its place among the messages of its order.
    pub rank: u32,
    /// What it tells.
    pub kind: OutKind,
    /// The very bytes that are sent, each time the same.
    pub body: String,
    /// How far it is.
    pub state: OutState,
    /// While it is pending: not to be sent before; once parked: since when.
    pub due: WallMs,
    /// How often it was sent.
    pub tries: u32,
    /// Who sent it last.
    pub sender: Option<String>,
    /// How that went: a status, or a word.
    pub last: Option<String>,
    /// When it was written.
    pub made: WallMs,
    /// When it may be deleted.
    pub keep_until: WallMs,
}

impl OutMessage {
    /// The value of `k`.
    pub const KIND: &'static str = "out";

    /// Its name at the receiver, the same however often it is sent.
    #[must_use]
    pub fn id(&self) -> String {
        message_id(&self.order, self.rank)
    }

    /// Its partition of the index of what is open.
    #[must_use]
    pub fn open_pk(&self) -> String {
        key::open_out(&self.event, bucket(&self.order.to_string()))
    }

    fn index_pk(&self) -> Option<String> {
        match self.state {
            OutState::Pending => Some(self.open_pk()),
            OutState::Parked => Some(key::parked_out(&self.event)),
            OutState::Acknowledged => None,
        }
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let index = self.index_pk();
        let due = index.is_some().then_some(self.due.0);
        Builder::new(&key::out(&self.order, self.rank), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::TOLD, self.kind)
            .with(attr::BODY, self.body.as_str())
            .with(attr::STATE, self.state)
            .with(attr::TRIES, self.tries)
            .maybe(attr::SENDER, self.sender.as_deref())
            .maybe(attr::REASON, self.last.as_deref())
            .with(attr::WALL, self.made.0)
            .with(attr::TTL, self.keep_until.0.div_euclid(1_000))
            .maybe(attr::OPEN_PK, index)
            .maybe(attr::OPEN_AT, due)
            .done()
    }

    /// Reads a stored message.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let text = |name| r.opt_text(name).map(str::to_owned);
        Ok(Self {
            event: r.parse(attr::EVENT)?,
            order: r.partition_key("ORDER#")?,
            rank: r.sort_key(key::OUT)?,
            kind: OutKind::from_word(r.text(attr::TOLD)?).ok_or_else(|| r.bad(attr::TOLD))?,
            body: r.text(attr::BODY)?.to_owned(),
            state: OutState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            due: WallMs(r.opt_number(attr::OPEN_AT).unwrap_or(0)),
            tries: r.count(attr::TRIES)?,
            sender: text(attr::SENDER),
            last: text(attr::REASON),
            made: WallMs(r.number(attr::WALL)?),
            keep_until: WallMs(r.number(attr::TTL)?.saturating_mul(1_000)),
        })
    }
}

/// The name of the message of this rank.
#[must_use]
pub fn message_id(order: &OrderId, rank: u32) -> String {
    format!("{order}.{rank}")
}
