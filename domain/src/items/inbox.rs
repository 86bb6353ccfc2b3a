//! Inbox items: what the payment provider told of an order, one for each of its events.

use super::attr;
use super::read::{Reader, Unreadable};
use crate::ids::OrderId;
use crate::plan::Item;
use crate::time::WallMs;

/// One event, beside its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxItem {
    /// Order.
    pub order: OrderId,
    /// The provider's id of the event.
    pub event: String,
    /// What the provider calls it.
    pub kind: String,
    /// How often it came.
    pub times: u32,
    /// When it last came.
    pub wall: WallMs,
}

impl InboxItem {
    /// The value of `k`.
    pub const KIND: &'static str = "inbox";

    /// Reads a stored item.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            order: r.partition_key("ORDER#")?,
            event: r.sort_key("INBOX#")?,
            kind: r.text(attr::TOLD)?.to_owned(),
            times: r.count(attr::NUMBER)?,
            wall: WallMs(r.number(attr::WALL)?),
        })
    }
}
