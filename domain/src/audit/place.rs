//! Seats, tickets, holds and pools, each with what it names.

use super::{Code, Finding};
use crate::ids::{OrderId, PoolId, SectionId};
use crate::items::{Hold, HoldState, LedgerLine, Order, Seat, SeatState, Share, Ticket, TicketState};
use crate::order::ticket_keys;
use crate::plan::Key;
use crate::time::EventMs;

/// How long after its time a live hold is merely waiting for the sweep, in ms of event time.
const SWEPT_WITHIN_MS: i64 = 60 * 60 * 1000;

/// A seat with its order and its hold, if there are such.
#[must_use]
pub fn seat(seat: &Seat, order: Option<&Order>, hold: Option<&Hold>) -> Option<Finding> {
    let about = |code, note| Some(Finding::new(code, format!("seat {}", seat.seat), note));
    match seat.state {
        SeatState::Sold if order.is_none_or(|order| !owns(order, seat)) => {
            let named = seat.order.map_or("no order".to_owned(), |id| format!("order {id}, which does not own it"));
            about(Code::SoldSeatWithoutOrder, format!("it names {named}"))
        }
        SeatState::Held if hold.is_none_or(|hold| !keeps(hold, HoldState::Live, seat)) => {
            about(Code::KeptSeatWithoutHold, kept_by(hold, "held"))
        }
        SeatState::Claimed if hold.is_none_or(|hold| !keeps(hold, HoldState::Claimed, seat)) => {
            about(Code::KeptSeatWithoutHold, kept_by(hold, "claimed"))
        }
        SeatState::Free | SeatState::Blocked | SeatState::Held | SeatState::Claimed | SeatState::Sold => None,
    }
}

fn owns(order: &Order, seat: &Seat) -> bool {
    let lists = order.places.seats.iter().any(|line| line.seat == seat.seat);
    lists && order.state.owns_seats() && order.event == seat.event && Some(order.id) == seat.order
}

fn keeps(hold: &Hold, state: HoldState, seat: &Seat) -> bool {
    hold.state == state && hold.places.seats.iter().any(|line| line.seat == seat.seat)
}

fn kept_by(hold: Option<&Hold>, state: &str) -> String {
    match hold {
        Some(hold) => format!("it is {state}; hold {} is {}", hold.id, hold.state),
        None => format!("it is {state}; there is no hold"),
    }
}

/// A ticket at its key with its order.
#[must_use]
pub fn ticket(key: &Key, ticket: &Ticket, order: Option<&Order>) -> Option<Finding> {
    let owned = order.is_some_and(|order| order.state.owns_seats() && ticket_keys(order).contains(key));
    let stray = ticket.state == TicketState::Valid && !owned;
    let state = order.map_or("missing", |order| order.state.as_str());
    let note = || format!("order {} is {state} and does not own the place", ticket.order);
    stray.then(|| Finding::new(Code::TicketWithoutOrder, format!("ticket {}", ticket.seat), note()))
}

/// A hold with the order that it names.
#[must_use]
pub fn hold(hold: &Hold, order: Option<&Order>, now: EventMs) -> Option<Finding> {
    let subject = || format!("hold {}", hold.id);
    match hold.state {
        HoldState::Claimed if order.is_none_or(|order| order.state.is_final() || order.hold != hold.id) => {
            let state = order.map_or("missing", |order| order.state.as_str());
            Some(Finding::new(Code::HoldWithoutOrder, subject(), format!("it is claimed; its order is {state}")))
        }
        HoldState::Live if now.since(hold.until) > SWEPT_WITHIN_MS => {
            let minutes = now.since(hold.until) / 60_000;
            Some(Finding::new(Code::HoldLeftOver, subject(), format!("its time was over {minutes} minutes ago")))
        }
        HoldState::Live | HoldState::Claimed | HoldState::Sold | HoldState::Released | HoldState::Expired => None,
    }
}

/// A ledger line with its order.
#[must_use]
pub fn line(line: &LedgerLine, order: Option<&Order>) -> Option<Finding> {
    let stray = order.is_none_or(|order| order.id != line.order);
    stray.then(|| Finding::new(Code::LedgerWithoutOrder, format!("order {}", line.order), "there is no such order"))
}

/// A share's own counts.
#[must_use]
pub fn share(share: &Share) -> Option<Finding> {
    let Share { free, held, claimed, sold, capacity, .. } = share;
    let counted: u64 = [free, held, claimed, sold].into_iter().map(|places| u64::from(*places)).sum();
    let note = || format!("free {free}, held {held}, claimed {claimed}, sold {sold}; capacity {capacity}");
    let differs = counted != u64::from(*capacity);
    differs.then(|| Finding::new(Code::PoolCountsDiffer, format!("pool {} share {}", share.pool, share.share), note()))
}

/// A pool: all its shares, how many valid tickets it has, and the capacity of the event's definition if that is known.
#[must_use]
pub fn pool(id: &PoolId, shares: &[&Share], tickets: u64, defined: Option<u32>) -> Vec<Finding> {
    let sum = |count: fn(&Share) -> u32| shares.iter().map(|share| u64::from(count(share))).sum::<u64>();
    let (sold, capacity) = (sum(|share| share.sold), sum(|share| share.capacity));
    let about = |code, note| Finding::new(code, format!("pool {id}"), note);
    let sold = (sold != tickets).then(|| about(Code::PoolSoldDiffers, format!("{sold} sold, {tickets} valid tickets")));
    let defined = defined.filter(|defined| u64::from(*defined) != capacity);
    let capacity =
        defined.map(|defined| about(Code::CapacityDiffers, format!("{capacity} places, defined are {defined}")));
    sold.into_iter().chain(capacity).collect()
}

/// A section: its seats, counted, and those of the event's definition.
#[must_use]
pub fn section(id: &SectionId, seats: u64, defined: u32) -> Option<Finding> {
    let note = || format!("{seats} seats, defined are {defined}");
    (seats != u64::from(defined)).then(|| Finding::new(Code::CapacityDiffers, format!("section {id}"), note()))
}

/// The order that a stored thing names, for looking it up.
pub(super) fn named<'a>(
    orders: &'a std::collections::BTreeMap<OrderId, Order>,
    id: Option<&OrderId>,
) -> Option<&'a Order> {
    id.and_then(|id| orders.get(id))
}
