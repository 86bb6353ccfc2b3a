//! Turns stored items and the provider's records into [`Books`].

use std::collections::HashSet;

use domain::items::{Hold, Order, Seat, Ticket, TicketState, Unreadable, attr};
use domain::plan::{Item, Value};

use super::books::{Books, HoldFact, OrderFact, SeatFact, TicketFact};

impl Books {
    /// The books of one event out of all items of the table; other events' items are passed over.
    ///
    /// # Errors
    /// The first item that cannot be read: a table that cannot be read balances nothing.
    pub fn of_event(event: &str, items: &[Item]) -> Result<Self, Unreadable> {
        let mut books = Books::default();
        for item in items {
            books.add(event, item)?;
        }
        Ok(books)
    }

    fn add(&mut self, event: &str, item: &Item) -> Result<(), Unreadable> {
        match item.get(attr::KIND).and_then(Value::as_str) {
            Some(Seat::KIND) => self.add_seat(event, &Seat::from_item(item)?),
            Some(Ticket::KIND) if is_of(event, item) => self.tickets.push(ticket(&Ticket::from_item(item)?)),
            Some(Hold::KIND) => self.add_hold(event, &Hold::from_item(item)?),
            Some(Order::KIND) => self.add_order(event, &Order::from_item(item)?),
            _ => {}
        }
        Ok(())
    }

    fn add_seat(&mut self, event: &str, seat: &Seat) {
        if seat.event.as_str() == event {
            let order = seat.order.map(|order| order.to_string());
            self.seats.push(SeatFact { seat: seat.seat.to_string(), state: seat.state, order });
        }
    }

    fn add_hold(&mut self, event: &str, hold: &Hold) {
        if hold.event.as_str() == event {
            self.holds.push(HoldFact { hold: hold.id.to_string(), state: hold.state });
        }
    }

    fn add_order(&mut self, event: &str, order: &Order) {
        if order.event.as_str() == event {
            self.orders.push(OrderFact {
                order: order.id.to_string(),
                state: order.state,
                seats: order.places.seats.iter().map(|line| line.seat.to_string()).collect(),
                pool_places: order.places.pools.iter().map(|line| line.quantity as usize).sum(),
                amount_minor: order.total_minor,
            });
        }
    }
}

/// Ids of the orders of all other events: a payment for one of them is not this event's affair.
pub(super) fn orders_of_others(event: &str, items: &[Item]) -> HashSet<String> {
    let orders = items.iter().filter_map(|item| Order::from_item(item).ok());
    orders.filter(|order| order.event.as_str() != event).map(|order| order.id.to_string()).collect()
}

fn ticket(ticket: &Ticket) -> TicketFact {
    let valid = ticket.state == TicketState::Valid;
    TicketFact { seat: ticket.seat.clone(), order: ticket.order.to_string(), valid }
}

/// Whether a seat's or pool's partition belongs to the event: `SEATS#event#…` or `POOL#event#…`.
fn is_of(event: &str, item: &Item) -> bool {
    let pk = item.get(attr::PK).and_then(Value::as_str).unwrap_or_default();
    pk.split('#').nth(1) == Some(event)
}
