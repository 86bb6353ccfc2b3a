//! Everything that the table holds, by kind, kept up to date item by item: checks after each step look at this.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{AccountId, HoldId, OrderId, PoolId, SeatId};
use domain::items::{CardUse, Hold, LedgerLine, Order, Reader, Seat, Share, Ticket, TicketState, Usage, attr, key};
use domain::order::ticket_keys;
use domain::plan::memory::World;
use domain::plan::{Item, Key, Value};

/// An order and where its tickets lie.
#[derive(Clone, Debug)]
pub struct Sale {
    pub order: Order,
    pub tickets: Vec<Key>,
}

/// The typed content of a world.
#[derive(Clone, Debug, Default)]
pub struct Books {
    pub seats: BTreeMap<SeatId, Seat>,
    pub holds: BTreeMap<HoldId, Hold>,
    pub orders: BTreeMap<OrderId, Sale>,
    pub tickets: BTreeMap<Key, Ticket>,
    pub shares: BTreeMap<(PoolId, u32), Share>,
    pub usages: BTreeMap<AccountId, Usage>,
    pub cards: BTreeMap<String, CardUse>,
    /// Money lines of orders, as they were written.
    pub lines: BTreeMap<OrderId, Vec<LedgerLine>>,
    /// Keys of items that stand in an index of what is open.
    pub open: BTreeSet<Key>,
    /// Seats that an operator took out of a hold.
    pub stripped: BTreeSet<(HoldId, SeatId)>,
}

impl Books {
    /// The books of a world as it stands.
    pub fn of(world: &World) -> Result<Self, String> {
        let mut books = Self::default();
        world.items().try_for_each(|item| books.note(item))?;
        Ok(books)
    }

    /// An item was written.
    pub fn note(&mut self, item: &Item) -> Result<(), String> {
        let key = Key::of(item).ok_or("an item without a key")?;
        match item.contains_key(attr::OPEN_PK) {
            true => self.open.insert(key.clone()),
            false => self.open.remove(&key),
        };
        if item.get(attr::KIND).and_then(Value::as_str) == Some(Seat::KIND) {
            return Seat::from_item(item).map_err(|e| format!("{e} in {item:?}")).and_then(|seat| self.seat(seat));
        }
        self.file(key, item).map_err(|e| format!("{e} in {item:?}"))
    }

    fn file(&mut self, key: Key, item: &Item) -> Result<(), domain::items::Unreadable> {
        match item.get(attr::KIND).and_then(Value::as_str) {
            Some("hold") => Hold::from_item(item).map(|h| drop(self.holds.insert(h.id, h))),
            Some("order") => Order::from_item(item).map(|o| self.sale(o)),
            Some("ticket") => Ticket::from_item(item).map(|t| drop(self.tickets.insert(key, t))),
            Some("share") => Share::from_item(item).map(|s| drop(self.shares.insert((s.pool.clone(), s.share), s))),
            Some("usage") => Usage::from_item(item).map(|u| drop(self.usages.insert(u.account, u))),
            Some("card") => CardUse::from_item(item).map(|c| drop(self.cards.insert(c.fingerprint.clone(), c))),
            Some("ledger") => LedgerLine::from_item(item).map(|l| self.lines.entry(l.order).or_default().push(l)),
            // What Unreadable says of an item without a kind: some write made one up.
            None => Reader::new(Seat::KIND, item).map(drop),
            _ => Ok(()),
        }
    }

    fn sale(&mut self, order: Order) {
        match self.orders.get_mut(&order.id) {
            Some(sale) if sale.order.places == order.places => sale.order = order,
            _ => {
                let tickets = ticket_keys(&order);
                self.orders.insert(order.id, Sale { order, tickets });
            }
        }
    }

    /// An item was deleted.
    pub fn forget(&mut self, key: &Key) {
        self.seats.retain(|_, s| key::seat(&s.event, &s.block, &s.seat) != *key);
        self.shares.retain(|_, s| key::share(&s.event, &s.pool, s.share) != *key);
    }

    fn seat(&mut self, seat: Seat) -> Result<(), String> {
        let (id, block) = (seat.seat.clone(), seat.block.clone());
        match self.seats.insert(id, seat) {
            Some(other) if other.block != block => Err(format!("seat {} is there twice", other.seat)),
            _ => Ok(()),
        }
    }

    /// The order, if there is one.
    pub fn order(&self, id: &OrderId) -> Option<&Order> {
        self.orders.get(id).map(|s| &s.order)
    }

    /// Orders that own their places.
    pub fn owners(&self) -> impl Iterator<Item = &Sale> {
        self.orders.values().filter(|s| s.order.state.owns_seats())
    }

    /// Valid tickets of all orders.
    pub fn valid(&self) -> impl Iterator<Item = (&Key, &Ticket)> {
        self.tickets.iter().filter(|(_, t)| t.state == TicketState::Valid)
    }
}
