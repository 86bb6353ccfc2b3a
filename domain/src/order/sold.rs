//! Tickets of an order: their keys, and how they become valid and void.

use crate::items::{Order, Ticket, TicketState, attr, key};
use crate::plan::{Cond, Key, Update, Write};

/// The keys of the tickets of all places of an order: seats first, then pool places, counted from 1 in each pool.
#[must_use]
pub fn ticket_keys(order: &Order) -> Vec<Key> {
    let seats = order.places.seats.iter().map(|l| key::ticket(&order.event, &l.block, &l.seat));
    let mut keys: Vec<Key> = seats.collect();
    let mut last = None;
    let mut n = 0;
    for line in &order.places.pools {
        n = if last == Some(&line.pool) { n } else { 0 };
        last = Some(&line.pool);
        keys.extend((1..=line.quantity).map(|i| key::pool_ticket(&order.event, &line.pool, &order.id, n + i)));
        n += line.quantity;
    }
    keys
}

/// Absent or void → valid for this order, the next revision.
pub(super) fn issue(order: &Order, ticket: Key) -> Write {
    let expect = Cond::Absent.or(Cond::eq(attr::STATE, TicketState::Void));
    let update = Update::new()
        .set(attr::KIND, Ticket::KIND)
        .set(attr::STATE, TicketState::Valid)
        .set(attr::ORDER, order.id.to_string())
        .add(attr::REVISION, 1);
    Write::update(ticket, expect, update)
}

/// Valid for this order → void.
pub(super) fn void(order: &Order, ticket: Key) -> Write {
    let expect = Cond::eq(attr::STATE, TicketState::Valid).and(Cond::eq(attr::ORDER, order.id.to_string()));
    Write::update(ticket, expect, Update::new().set(attr::STATE, TicketState::Void))
}
