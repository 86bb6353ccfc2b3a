//! What must hold after every step, read from the items alone.

use std::collections::BTreeMap;

use crate::shop::{CARD_LIMIT, LIMIT};
use domain::items::{
    CardUse, Hold, HoldState, LedgerLine, Order, OrderState, Seat, SeatState, Share, Ticket, TicketState, Usage, attr,
};
use domain::plan::memory::World;
use domain::plan::{Item, Value};

/// Everything of a world, by kind.
#[derive(Default)]
pub struct View {
    pub seats: Vec<Seat>,
    pub holds: Vec<Hold>,
    pub orders: Vec<Order>,
    pub tickets: Vec<(String, Ticket)>,
    pub shares: Vec<Share>,
    pub usages: Vec<Usage>,
    pub cards: Vec<CardUse>,
    pub lines: Vec<LedgerLine>,
}

impl View {
    pub fn of(world: &World) -> Self {
        let mut view = Self::default();
        world.items().for_each(|item| view.add(item));
        view
    }

    fn add(&mut self, item: &Item) {
        match item.get(attr::KIND).and_then(Value::as_str) {
            Some("seat") => self.seats.push(Seat::from_item(item).unwrap()),
            Some("hold") => self.holds.push(Hold::from_item(item).unwrap()),
            Some("order") => self.orders.push(Order::from_item(item).unwrap()),
            Some("ticket") => {
                self.tickets.push((item[attr::PK].as_str().unwrap().to_owned(), Ticket::from_item(item).unwrap()))
            }
            Some("share") => self.shares.push(Share::from_item(item).unwrap()),
            Some("usage") => self.usages.push(Usage::from_item(item).unwrap()),
            Some("ledger") => self.lines.push(LedgerLine::from_item(item).unwrap()),
            Some("card") => self.cards.push(CardUse::from_item(item).unwrap()),
            _ => {}
        }
    }
}

/// The first promise that is broken.
pub fn check(world: &World) -> Result<(), String> {
    let view = View::of(world);
    seats(&view)
        .and_then(|()| holds(&view))
        .and_then(|()| shares(&view))
        .and_then(|()| limits(&view))
        .and_then(|()| tickets(&view))
}

fn need(holds: bool, what: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Every seat that is not free is so for exactly one hold or order that names it.
fn seats(view: &View) -> Result<(), String> {
    for seat in &view.seats {
        let hold = seat.hold.and_then(|id| view.holds.iter().find(|h| h.id == id));
        let names = |h: &Hold| h.places.seats.iter().any(|l| l.seat == seat.seat);
        let is = |state| hold.is_some_and(|h| h.state == state && names(h));
        let good = match seat.state {
            SeatState::Free | SeatState::Blocked => seat.hold.is_none() && seat.order.is_none(),
            SeatState::Held => is(HoldState::Live),
            SeatState::Claimed => is(HoldState::Claimed),
            SeatState::Sold => {
                is(HoldState::Sold) && owners(view, seat) == 1 && hold.and_then(|h| h.order) == seat.order
            }
        };
        need(good, || format!("seat {} is {} without its hold or order", seat.seat, seat.state))?;
        need(seat.state == SeatState::Sold || owners(view, seat) == 0, || {
            format!("seat {} is owned but {}", seat.seat, seat.state)
        })?;
    }
    Ok(())
}

fn owners(view: &View, seat: &Seat) -> usize {
    let owns = |o: &&Order| o.state.owns_seats() && o.places.seats.iter().any(|l| l.seat == seat.seat);
    view.orders.iter().filter(owns).count()
}

/// A claimed or sold hold has an order in the matching state.
fn holds(view: &View) -> Result<(), String> {
    for hold in &view.holds {
        let order = hold.order.and_then(|id| view.orders.iter().find(|o| o.id == id && o.hold == hold.id));
        let good = match hold.state {
            HoldState::Claimed => order.is_some_and(|o| matches!(o.state, OrderState::Paying | OrderState::Voiding)),
            HoldState::Sold => order.is_some_and(|o| o.state.owns_seats()),
            HoldState::Live | HoldState::Released | HoldState::Expired => true,
        };
        need(good, || format!("hold {} is {} without its order", hold.id, hold.state))?;
    }
    Ok(())
}

/// Counts of shares add up, and are those of holds and orders.
fn shares(view: &View) -> Result<(), String> {
    for share in &view.shares {
        let all = share.free + share.held + share.claimed + share.sold;
        need(all == share.capacity, || format!("share {} counts {all} of {}", share.share, share.capacity))?;
        for (state, count) in
            [(HoldState::Live, share.held), (HoldState::Claimed, share.claimed), (HoldState::Sold, share.sold)]
        {
            let holds = view.holds.iter().filter(|h| h.state == state).flat_map(|h| &h.places.pools);
            let sum: u32 = holds.filter(|l| l.pool == share.pool && l.share == share.share).map(|l| l.quantity).sum();
            need(sum == count, || format!("share {} has {count} {state}, holds say {sum}", share.share))?;
        }
    }
    Ok(())
}

/// Usage and card use are what orders say, and within limits.
fn limits(view: &View) -> Result<(), String> {
    let mut committed: BTreeMap<String, u32> = BTreeMap::new();
    let mut cards: BTreeMap<String, u32> = BTreeMap::new();
    for order in &view.orders {
        let counts = order.state.owns_seats() || matches!(order.state, OrderState::Paying | OrderState::Voiding);
        *committed.entry(order.account.to_string()).or_default() += if counts { order.places.count() } else { 0 };
        if let Some(card) = order.card.as_ref().filter(|_| order.state.owns_seats()) {
            *cards.entry(card.clone()).or_default() += order.places.count();
        }
    }
    for usage in &view.usages {
        let sum = committed.get(&usage.account.to_string()).copied().unwrap_or(0);
        need(sum == usage.committed, || format!("usage says {}, orders {sum}", usage.committed))?;
        need(sum <= LIMIT, || format!("{sum} places are over the account's limit"))?;
    }
    for card in &view.cards {
        let sum = cards.get(&card.fingerprint).copied().unwrap_or(0);
        need(sum == card.bought && sum <= CARD_LIMIT, || format!("card bought {sum}, its item says {}", card.bought))?;
    }
    Ok(())
}

/// Sold ⇔ one valid ticket of that order, for each of its places.
fn tickets(view: &View) -> Result<(), String> {
    let mut valid: BTreeMap<String, u32> = BTreeMap::new();
    for (_, ticket) in view.tickets.iter().filter(|(_, t)| t.state == TicketState::Valid) {
        *valid.entry(ticket.order.to_string()).or_default() += 1;
    }
    for order in &view.orders {
        let wanted = if order.state.owns_seats() { order.places.count() } else { 0 };
        let found = valid.get(&order.id.to_string()).copied().unwrap_or(0);
        need(wanted == found, || {
            format!("order {} is {} with {found} valid tickets, not {wanted}", order.id, order.state)
        })?;
    }
    Ok(())
}
