//! Delivery: an order's tickets are handed out once.
//!
//! One delivery item per order and revision, written if absent before the order counts as delivered, names every ticket
//! with its revision. Then the courier sends them; it keeps its own account of what it sent, so a redelivered record or a
//! crash in between sends nothing twice.

use domain::items::{Order, Ticket};
use domain::notes;
use domain::order::ticket_keys;
use domain::plan::Item;

use crate::executor::{Checkout, Unfinished};

impl Checkout {
    /// Hands the tickets out that the order has now, unless that was done before.
    ///
    /// # Errors
    /// See [`Unfinished`].
    pub async fn deliver(&self, order: &Order) -> Result<(), Unfinished> {
        let tickets = self.tickets(order).await?;
        self.table.note(&notes::handed_out(order, &tickets)).await?;
        match &self.courier {
            Some(courier) => Ok(courier.hand_out(order, tickets).await?),
            None => Ok(()),
        }
    }

    /// The order's tickets in the order of its places.
    ///
    /// # Errors
    /// See [`Unfinished`]; a ticket that is absent or another order's is [`Unfinished::Inconsistent`].
    pub async fn tickets(&self, order: &Order) -> Result<Vec<Ticket>, Unfinished> {
        let keys = ticket_keys(order);
        let items = futures::future::try_join_all(keys.iter().map(|key| self.table.get(key))).await?;
        let items: Option<Vec<Item>> = items.into_iter().collect();
        let items = items.ok_or(Unfinished::Inconsistent(order.id))?;
        let tickets = items.iter().map(Ticket::from_item).collect::<Result<Vec<_>, _>>()?;
        let own = tickets.iter().all(|ticket| ticket.order == order.id);
        if own { Ok(tickets) } else { Err(Unfinished::Inconsistent(order.id)) }
    }
}
