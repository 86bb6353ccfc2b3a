//! Ticket items: one per seat, the second guard against selling twice.

use super::read::{Reader, Unreadable};
use super::{attr, stored_words};
use crate::ids::OrderId;
use crate::plan::Item;

stored_words! {
    /// Whether a ticket opens the gate.
    TicketState {
        /// It does.
        Valid = "valid",
        /// It does not any more.
        Void = "void",
    }
}

/// A ticket as stored, beside its seat or its pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The seat, or `pool/order/n` for a pool place.
    pub seat: String,
    /// The order it belongs to.
    pub order: OrderId,
    /// Rises when the seat is sold again.
    pub revision: u32,
    /// State.
    pub state: TicketState,
}

impl Ticket {
    /// The value of `k`.
    pub const KIND: &'static str = "ticket";

    /// Reads a stored ticket.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        Ok(Self {
            seat: r.sort_key("TICKET#")?,
            order: r.parse(attr::ORDER)?,
            revision: r.count(attr::REVISION)?,
            state: TicketState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
        })
    }
}
