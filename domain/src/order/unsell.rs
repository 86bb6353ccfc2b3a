//! Sold places come back: ticket void, seat free, usage and card use given back, in one transaction, once.

use super::ledger::{Ended, Moment, counting, ending};
use super::{Moved, as_read, end_hold, found, goes, owner, sold};
use crate::items::{HoldState, Order, OrderState, key};
use crate::plan::{Next, Plan, Refused, Rule, Write};
use crate::pool::{self, Taken};
use crate::time::{EventMs, WallMs};
use crate::{seat, usage};

/// How the order ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsold {
    /// Its authorization was ended before capture.
    Cancelled,
    /// Its money was given back.
    Refunded,
    /// Its capture failed for good.
    Released,
}

impl Unsold {
    const fn state(self) -> OrderState {
        match self {
            Self::Cancelled => OrderState::Cancelled,
            Self::Refunded => OrderState::Refunded,
            Self::Released => OrderState::Released,
        }
    }

    const fn from(self) -> OrderState {
        match self {
            Self::Cancelled | Self::Refunded => OrderState::Cancelling,
            Self::Released => OrderState::CaptureFailed,
        }
    }
}

/// Takes an order's places back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsell {
    /// The order, as read; the money has been dealt with at the provider.
    pub order: Order,
    /// How it ends.
    pub to: Unsold,
    /// What the provider says became of its money.
    pub ended: Ended,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
}

impl Unsell {
    fn place_writes(&self) -> Vec<Write> {
        let order = &self.order;
        let seats = order.places.seats.iter().map(|l| seat::unsell(&order.event, l, &order.id));
        let pools = pool::give_back(&order.event, &order.places.pools, Taken::Sold);
        let tickets = sold::ticket_keys(order).into_iter().map(|k| sold::void(order, k));
        seats.chain(pools).chain(tickets).collect()
    }

    fn count_writes(&self) -> Vec<Write> {
        let order = &self.order;
        let places = order.places.count();
        let card = order.card.as_ref().map(|card| usage::refund_card(card, &order.event, places));
        std::iter::once(owner(order).give_back(places)).chain(card).collect()
    }
}

impl Rule for Unsell {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if order.state != self.to.from() {
            return Err(Moved::To(order.state));
        }
        let mut writes = self.place_writes();
        writes.extend(self.count_writes());
        writes.push(end_hold(order, HoldState::Sold, HoldState::Released));
        let lines = ending(order, self.ended, Moment { now: self.now, wall: self.wall });
        let update = counting(goes(order, self.to.state(), self.now), &lines);
        writes.extend(lines);
        writes.push(Write::update(key::order(&order.id), as_read(order), update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        match found(&self.order, refused) {
            Some(now) if now.state == self.to.state() => Next::Done,
            Some(now) => Next::No(Moved::To(now.state)),
            None => refused.unexplained(self, Moved::Inconsistent),
        }
    }
}
