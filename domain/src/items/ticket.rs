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
    /// The seat's id, or `pool/n` for the n-th place of the order in a pool.
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
            seat: place(r.text(attr::PK)?, &r.sort_key::<String>("TICKET#")?),
            order: r.parse(attr::ORDER)?,
            revision: r.count(attr::REVISION)?,
            state: TicketState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
        })
    }
}

/// Pool tickets lie beside their pool's shares, under `TICKET#order#n`.
fn place(pk: &str, rest: &str) -> String {
    let pool = pk.strip_prefix("POOL#").and_then(|p| p.split_once('#')).map(|(_, pool)| pool);
    let n = rest.rsplit_once('#').and_then(|(_, n)| n.parse::<u32>().ok());
    match pool.zip(n) {
        Some((pool, n)) => format!("{pool}/{n}"),
        None => rest.to_owned(),
    }
}
