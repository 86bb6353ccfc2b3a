//! Notes that stand beside an order or an event: made once, and the first one stands.
//!
//! Each is a plan of one write on condition that there is none. Whoever comes again, a redelivered record or a request that lost
//! a race, changes nothing, and drops nothing that a newer version has added to the note.

use crate::ids::EventId;
use crate::items::{Contact, Order, Ticket, attr, key};
use crate::plan::{Cond, Item, Key, Plan, Value, Write};

/// That there is this event, to be looked after.
#[must_use]
pub fn event(event: &EventId) -> Plan {
    once(Item::from(named(key::noted(event), "event")))
}

/// Where an order's tickets go to; before there is the order.
#[must_use]
pub fn contact(contact: &Contact) -> Plan {
    once(contact.to_item())
}

/// With which tickets this revision of an order was handed out.
#[must_use]
pub fn handed_out(order: &Order, tickets: &[Ticket]) -> Plan {
    let line = |ticket: &Ticket| Value::L(vec![ticket.seat.clone().into(), ticket.revision.into()]);
    let mut item = Item::from(named(key::delivery(&order.id, order.revision()), "delivery"));
    item.insert(attr::EVENT.to_owned(), order.event.to_string().into());
    item.insert(attr::SEATS.to_owned(), Value::L(tickets.iter().map(line).collect()));
    once(item)
}

fn once(item: Item) -> Plan {
    Plan::new(vec![Write::put(item, Cond::Absent)])
}

fn named(key: Key, kind: &str) -> [(String, Value); 3] {
    [(attr::PK, key.pk.into()), (attr::SK, key.sk.into()), (attr::KIND, kind.into())]
        .map(|(name, value)| (name.to_owned(), value))
}
