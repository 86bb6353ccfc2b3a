//! One event's books in memory.

use std::collections::{BTreeMap, BTreeSet};

use super::place::named;
use super::{Case, Code, Finding, card, hold, line, payment, place, seat, section, share, ticket, usage};
use crate::ids::{EventId, HoldId, OrderId, PoolId};
use crate::items::{
    CardUse, Hold, HoldState, LedgerLine, Order, Seat, Share, Ticket, TicketState, Unreadable, Usage, attr, key,
};
use crate::layout::section_of_block;
use crate::order::ticket_keys;
use crate::plan::{Item, Key, Value};
use crate::plan_import::EventDefinition;
use crate::provider::Intent;
use crate::time::EventMs;

/// Everything that is compared of an event.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// Its definition, if there is one.
    pub definition: Option<EventDefinition>,
    /// Seats.
    pub seats: BTreeMap<Key, Seat>,
    /// Tickets, of seats and of pool places.
    pub tickets: BTreeMap<Key, Ticket>,
    /// Pool shares.
    pub shares: Vec<Share>,
    /// Holds.
    pub holds: BTreeMap<HoldId, Hold>,
    /// Orders.
    pub orders: BTreeMap<OrderId, Order>,
    /// Ledger lines of each order, in order.
    pub ledger: BTreeMap<OrderId, Vec<LedgerLine>>,
    /// What accounts are charged with.
    pub usages: Vec<Usage>,
    /// What cards are charged with.
    pub cards: Vec<CardUse>,
    /// The provider's payments: of these orders and of no order that the table has.
    pub payments: Vec<Intent>,
    /// What could not be read.
    pub unreadable: Vec<Finding>,
}

impl Books {
    /// The books of one event out of all items of the table and the provider's list.
    #[must_use]
    pub fn of(event: &EventId, items: &[Item], payments: Vec<Intent>) -> Self {
        let mut books = Self::default();
        let mut others = BTreeSet::new();
        for item in items {
            if event_of(item) == Some(event.as_str()) {
                let read = books.add(item);
                books.unreadable.extend(read.err().map(|why| unreadable(&why)));
            } else if let Ok(order) = Order::from_item(item) {
                others.insert(order.id.to_string());
            }
        }
        books.ledger.values_mut().for_each(|lines| lines.sort_by_key(|line| line.n));
        let ours = payments.into_iter().filter(|intent| !intent.order.as_ref().is_some_and(|id| others.contains(id)));
        books.payments = ours.collect();
        books
    }

    fn add(&mut self, item: &Item) -> Result<(), Unreadable> {
        let key = Key::of(item).unwrap_or_else(|| Key::new("?", "?"));
        match item.get(attr::KIND).and_then(Value::as_str) {
            Some(Seat::KIND) => drop(self.seats.insert(key, Seat::from_item(item)?)),
            Some(Ticket::KIND) => drop(self.tickets.insert(key, Ticket::from_item(item)?)),
            Some(Share::KIND) => self.shares.push(Share::from_item(item)?),
            Some(Hold::KIND) => {
                let hold = Hold::from_item(item)?;
                self.holds.insert(hold.id, hold);
            }
            Some(Order::KIND) => {
                let order = Order::from_item(item)?;
                self.orders.insert(order.id, order);
            }
            Some(LedgerLine::KIND) => {
                let line = LedgerLine::from_item(item)?;
                self.ledger.entry(line.order).or_default().push(line);
            }
            Some(Usage::KIND) => self.usages.push(Usage::from_item(item)?),
            Some(CardUse::KIND) => self.cards.push(CardUse::from_item(item)?),
            Some("meta") => self.definition = definition(item),
            _ => {}
        }
        Ok(())
    }

    fn case<'a>(&'a self, order: &'a Order, payments: &BTreeMap<&str, Vec<&'a Intent>>) -> Case<'a> {
        let seats = order.places.seats.iter().map(|l| self.seats.get(&key::seat(&order.event, &l.block, &l.seat)));
        Case {
            order,
            seats: seats.collect(),
            tickets: ticket_keys(order).iter().map(|key| self.tickets.get(key)).collect(),
            ledger: self.ledger.get(&order.id).map(Vec::as_slice).unwrap_or_default(),
            payments: payments.get(order.id.to_string().as_str()).cloned().unwrap_or_default(),
        }
    }
}

/// The event that an item belongs to, of the kinds that are compared.
#[must_use]
pub fn event_of(item: &Item) -> Option<&str> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    match text(attr::KIND)? {
        Seat::KIND | Ticket::KIND | Share::KIND | "meta" => text(attr::PK)?.split('#').nth(1),
        Hold::KIND | Order::KIND | LedgerLine::KIND => text(attr::EVENT),
        Usage::KIND | CardUse::KIND => text(attr::SK)?.strip_prefix("EVENT#"),
        _ => None,
    }
}

fn definition(item: &Item) -> Option<EventDefinition> {
    serde_json::from_str(item.get(attr::BODY)?.as_str()?).ok()
}

/// What to say of an item that cannot be read.
#[must_use]
pub fn unreadable(unreadable: &Unreadable) -> Finding {
    let Unreadable { kind, key, attribute } = unreadable;
    Finding::new(Code::Unreadable, format!("{kind} {key}"), format!("no readable `{attribute}`"))
}

/// All contradictions; none means that the books balance. Holds and orders under way are no contradiction.
#[must_use]
pub fn check(books: &Books) -> Vec<Finding> {
    let mut found = books.unreadable.clone();
    found.extend(of_orders(books));
    found.extend(of_places(books));
    found.extend(of_pools(books));
    found.extend(of_counts(books));
    found
}

/// Holds and orders that are still under way: normal during an on-sale, a fault after it.
#[must_use]
pub fn left_over(books: &Books) -> Vec<Finding> {
    let holds = books.holds.values().filter(|hold| matches!(hold.state, HoldState::Live | HoldState::Claimed));
    let holds = holds.map(|h| Finding::new(Code::HoldLeftOver, format!("hold {}", h.id), h.state.as_str()));
    let orders = books.orders.values().filter(|order| !order.state.is_final());
    holds.chain(orders.map(|o| Finding::new(Code::OrderMidStep, format!("order {}", o.id), o.state.as_str()))).collect()
}

/// Contradictions and what is left over: an on-sale that is over has neither.
#[must_use]
pub fn check_at_rest(books: &Books) -> Vec<Finding> {
    check(books).into_iter().chain(left_over(books)).collect()
}

/// Orders with their payments, and payments and lines without an order.
fn of_orders(books: &Books) -> Vec<Finding> {
    let mut payments: BTreeMap<&str, Vec<&Intent>> = BTreeMap::new();
    for intent in &books.payments {
        payments.entry(intent.order.as_deref().unwrap_or_default()).or_default().push(intent);
    }
    let mut found: Vec<_> = books.orders.values().flat_map(|o| books.case(o, &payments).findings()).collect();
    let is_known = |id: &str| id.parse::<OrderId>().is_ok_and(|id| books.orders.contains_key(&id));
    let strays = payments.iter().filter(|(id, _)| !is_known(id)).flat_map(|(_, intents)| intents);
    found.extend(strays.flat_map(|intent| payment::stray(intent)));
    let first = books.ledger.values().filter_map(|lines| lines.first());
    found.extend(first.filter_map(|l| line(l, books.orders.get(&l.order))));
    found
}

fn of_places(books: &Books) -> Vec<Finding> {
    let hold_of = |seat: &Seat| seat.hold.as_ref().and_then(|id| books.holds.get(id));
    let seats = books.seats.values().filter_map(|s| seat(s, named(&books.orders, s.order.as_ref()), hold_of(s)));
    let tickets = books.tickets.iter().filter_map(|(key, t)| ticket(key, t, books.orders.get(&t.order)));
    // How long overdue holds may wait for the sweep is no question here: they count as under way.
    let now = EventMs(i64::MIN);
    let holds = books.holds.values().filter_map(|h| hold(h, named(&books.orders, h.order.as_ref()), now));
    seats.chain(tickets).chain(holds).chain(of_sections(books)).collect()
}

fn of_sections(books: &Books) -> Vec<Finding> {
    let mut seats: BTreeMap<_, u64> = BTreeMap::new();
    for section in books.seats.values().filter_map(|seat| section_of_block(&seat.block)) {
        *seats.entry(section).or_default() += 1;
    }
    let defined = books.definition.iter().flat_map(|definition| &definition.sections);
    defined.filter_map(|s| section(&s.section, seats.get(&s.section).copied().unwrap_or(0), s.seats)).collect()
}

fn of_pools(books: &Books) -> Vec<Finding> {
    let mut found: Vec<_> = books.shares.iter().filter_map(share).collect();
    let mut pools: BTreeMap<&PoolId, Vec<&Share>> = BTreeMap::new();
    books.shares.iter().for_each(|share| pools.entry(&share.pool).or_default().push(share));
    for (id, shares) in pools {
        let pk = shares.first().map(|share| key::pool(&share.event, id)).unwrap_or_default();
        let here = books.tickets.range(Key::new(pk.as_str(), "")..).take_while(|(key, _)| key.pk == pk);
        let here = here.filter(|(_, ticket)| ticket.state == TicketState::Valid);
        let defined = books.definition.as_ref().and_then(|d| d.pool(id)).map(|pool| pool.capacity);
        found.extend(place::pool(id, &shares, here.count() as u64, defined));
    }
    found
}

fn of_counts(books: &Books) -> Vec<Finding> {
    let (mut accounts, mut cards) = (BTreeMap::<_, Vec<&Order>>::new(), BTreeMap::<_, Vec<&Order>>::new());
    for order in books.orders.values() {
        accounts.entry(order.account).or_default().push(order);
        order.card.iter().for_each(|card| cards.entry(card.as_str()).or_default().push(order));
    }
    let usages = books.usages.iter().filter_map(|u| usage(u, accounts.get(&u.account).into_iter().flatten().copied()));
    let of_card = |c: &CardUse| card(c, cards.get(c.fingerprint.as_str()).into_iter().flatten().copied());
    usages.chain(books.cards.iter().filter_map(of_card)).collect()
}
