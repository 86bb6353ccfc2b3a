//! Some seats of a sold order come back: their value first, then the seats.
//!
//! `delivered → reducing → captured`, and from there to delivered as at first: tickets that are left are tickets to hand out, and an
//! order that has some is open, so that the janitor finds it. The order names the seats that go, so that whoever carries it on gives
//! back exactly these, once. Standing places come back with the whole order only.

use super::ledger::{Moment, line};
use super::{Moved, as_read, found, goes, hold_of, owner, sold};
use crate::ids::{AccountId, SeatId};
use crate::items::{HoldState, Movement, Order, OrderState, Places, attr, key, seat_list};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::{EventMs, WallMs};
use crate::{seat, usage};

/// What the seats that are being given back cost, in minor units.
#[must_use]
pub fn back_minor(order: &Order) -> i64 {
    order.places.only(&order.back).total_minor()
}

/// Delivered → reducing: its fan gives some of its seats back; or, while what the last part left is not handed out yet, more of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeginPart {
    /// The order, as read.
    pub order: Order,
    /// Who asks.
    pub account: AccountId,
    /// Which seats.
    pub seats: Vec<SeatId>,
    /// Event time now.
    pub now: EventMs,
}

/// Why no seats are given back, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartRefusal {
    /// It is somebody else's; answered as if there were none.
    #[error("no such order")]
    NotYours,
    /// These seats were never the order's, or some went back before and some did not.
    #[error("not seats of this order")]
    SeatUnknown(Vec<SeatId>),
    /// Nothing would be left: that is [`super::BeginCancel`]'s.
    #[error("these are all places of the order")]
    Whole,
    /// The order is in another state.
    #[error("the order is {0}")]
    Moved(OrderState),
    /// The table holds something that no rule writes.
    #[error("stored items of the order are not as any rule writes them")]
    Inconsistent,
}

impl BeginPart {
    /// Whether all these seats went back before, or are about to.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let went = |seat: &SeatId| self.order.gone.contains(seat) || self.order.back.contains(seat);
        !self.seats.is_empty() && self.seats.iter().all(went)
    }

    fn check(&self) -> Result<(), PartRefusal> {
        let order = &self.order;
        if order.account != self.account {
            return Err(PartRefusal::NotYours);
        }
        let has = |seat: &SeatId| order.places.seats.iter().any(|line| line.seat == *seat);
        let strange: Vec<SeatId> = self.seats.iter().filter(|seat| !has(seat)).cloned().collect();
        if !strange.is_empty() || self.seats.is_empty() {
            return Err(PartRefusal::SeatUnknown(strange));
        }
        if order.places.without(&self.seats) == Places::default() {
            return Err(PartRefusal::Whole);
        }
        match order.state {
            OrderState::Delivered => Ok(()),
            OrderState::Captured if order.parts > 0 => Ok(()),
            state => Err(PartRefusal::Moved(state)),
        }
    }

    fn sorted(&self) -> Vec<SeatId> {
        self.order.places.only(&self.seats).seats.into_iter().map(|line| line.seat).collect()
    }
}

/// The order as read, and no part of it given back since.
fn unreduced(order: &Order) -> Cond {
    let parts = if order.parts == 0 { Cond::Missing(attr::PARTS) } else { Cond::eq(attr::PARTS, order.parts) };
    as_read(order).and(parts)
}

impl Rule for BeginPart {
    type Refusal = PartRefusal;

    fn plan(&self) -> Result<Plan, PartRefusal> {
        self.check()?;
        let update = goes(&self.order, OrderState::Reducing, self.now).set(attr::BACK, seat_list(&self.sorted()));
        Ok(Plan::new(vec![Write::update(key::order(&self.order.id), unreduced(&self.order), update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, PartRefusal> {
        let Some(order) = found(&self.order, refused) else { return Next::No(PartRefusal::Inconsistent) };
        let again = Self { order, ..self.clone() };
        if again.is_done() { Next::Done } else { Next::Again(again) }
    }
}

/// Reducing → captured, in one transaction, once: tickets of the seats void, seats free, usage and card use given back, the
/// order and its hold without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduce {
    /// The order, as read; the value of the seats went back at the provider.
    pub order: Order,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
}

impl Reduce {
    fn place_writes(&self, gone: &Order) -> Vec<Write> {
        let seats = gone.places.seats.iter().map(|l| seat::unsell(&gone.event, l, &gone.id));
        let tickets = sold::ticket_keys(gone).into_iter().map(|k| sold::void(gone, k));
        seats.chain(tickets).collect()
    }

    fn count_writes(&self, gone: &Order) -> Vec<Write> {
        let places = gone.places.count();
        let card = gone.card.as_ref().map(|card| usage::refund_card(card, &gone.event, places));
        std::iter::once(owner(gone).give_back(places)).chain(card).collect()
    }

    fn hold_write(&self, left: &Places) -> Write {
        let update = Update::new().set(attr::SEATS, left.seats_value()).set(attr::AMOUNT, left.total_minor());
        let update = update.add(attr::VERSION, 1);
        Write::update(key::hold(&self.order.hold), hold_of(&self.order, HoldState::Sold), update)
    }

    fn order_update(&self, left: &Places) -> Update {
        let order = &self.order;
        let gone: Vec<SeatId> = order.gone.iter().chain(&order.back).cloned().collect();
        let update = goes(order, OrderState::Captured, self.now).set(attr::SEATS, left.seats_value());
        let update = update.set(attr::AMOUNT, left.total_minor()).set(attr::GONE, seat_list(&gone));
        update.remove(attr::BACK).add(attr::PARTS, 1)
    }
}

impl Rule for Reduce {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if order.state != OrderState::Reducing {
            return Err(Moved::To(order.state));
        }
        let gone = Order { places: order.places.only(&order.back), ..order.clone() };
        let left = order.places.without(&order.back);
        let mut writes = self.place_writes(&gone);
        writes.extend(self.count_writes(&gone));
        writes.push(self.hold_write(&left));
        let mut update = self.order_update(&left);
        if order.intent.is_some() && back_minor(order) > 0 {
            update = update.add(attr::NUMBER, 1);
            let moment = Moment { now: self.now, wall: self.wall };
            writes.push(line(order, order.lines, Movement::Refund, back_minor(order), moment));
        }
        writes.push(Write::update(key::order(&order.id), unreduced(order), update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        match found(&self.order, refused) {
            Some(now) if now.parts > self.order.parts => Next::Done,
            Some(now) => Next::No(Moved::To(now.state)),
            None => refused.unexplained(self, Moved::Inconsistent),
        }
    }
}
