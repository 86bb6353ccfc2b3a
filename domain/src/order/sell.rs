//! Sell: the one transaction in which places change hands.

use super::ledger::{Moment, line};
use super::{as_read, end_hold, failed_lines, found, goes, sold};
use crate::ids::SeatId;
use crate::items::{CardUse, HoldState, Movement, Order, OrderState, attr, key};
use crate::plan::{Next, Plan, Refused, Rule, Write};
use crate::time::{EventMs, WallMs};
use crate::usage::{self, Room};
use crate::{pool, seat};

/// The card that paid, and how many places of the event one card may buy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLimit {
    /// The provider's fingerprint of the card.
    pub fingerprint: String,
    /// Places one card may buy.
    pub limit: u32,
}

/// Sells an order's places, all or none.
///
/// In one transaction: the hold claimed by this order → sold; each seat claimed by the hold → sold; each ticket absent
/// or void → valid; the order paying with this intent → confirmed; the card's use within its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sell {
    /// The order, as read: paying, its intent authorized (or its amount zero).
    pub order: Order,
    /// The card, when the provider names it.
    pub card: Option<CardLimit>,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
}

/// Why nothing is sold, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SellRefusal {
    /// The order is not paying any more; it is to be read again.
    #[error("the order moved on: it is {0}")]
    Moved(OrderState),
    /// A seat has a valid ticket though it was claimed: always a mistake above the table, and stopped here.
    #[error("a ticket exists")]
    TicketExists,
    /// The hold or these seats are not the order's any more. The authorization is to be voided.
    #[error("the seats are gone")]
    SeatsGone(Vec<SeatId>),
    /// The card would have bought too many places. The authorization is to be voided.
    #[error("at most {limit} places a card, it bought {bought}")]
    CardLimit {
        /// Places one card may buy.
        limit: u32,
        /// Places it bought.
        bought: u32,
    },
    /// The table holds something that no rule writes.
    #[error("stored items of the order are not as any rule writes them")]
    Inconsistent,
}

impl Sell {
    fn room(&self, card: &CardLimit) -> Room {
        Room { places: self.order.places.count(), limit: card.limit }
    }

    fn check(&self) -> Result<(), SellRefusal> {
        if self.order.state != OrderState::Paying {
            return Err(SellRefusal::Moved(self.order.state));
        }
        match &self.card {
            Some(card) if !self.room(card).fits() => Err(SellRefusal::CardLimit { limit: card.limit, bought: 0 }),
            _ => Ok(()),
        }
    }

    fn order_write(&self) -> Write {
        let mut update = goes(&self.order, OrderState::Confirmed, self.now);
        if let Some(card) = &self.card {
            update = update.set(attr::CARD, card.fingerprint.as_str());
        }
        if self.order.intent.is_some() {
            update = update.add(attr::NUMBER, 1);
        }
        Write::update(key::order(&self.order.id), as_read(&self.order), update)
    }

    fn place_writes(&self) -> Vec<Write> {
        let order = &self.order;
        let seats = order.places.seats.iter().map(|l| seat::sell(&order.event, l, &order.hold, &order.id));
        let pools = pool::sell(&order.event, &order.places.pools);
        let tickets = sold::ticket_keys(order).into_iter().map(|k| sold::issue(order, k));
        seats.chain(pools).chain(tickets).collect()
    }
}

impl Rule for Sell {
    type Refusal = SellRefusal;

    fn plan(&self) -> Result<Plan, SellRefusal> {
        self.check()?;
        let order = &self.order;
        let mut writes = self.place_writes();
        writes.push(end_hold(order, HoldState::Claimed, HoldState::Sold));
        writes.push(self.order_write());
        writes.extend(self.card.as_ref().map(|c| usage::charge_card(&c.fingerprint, &order.event, self.room(c))));
        if order.intent.is_some() {
            let moment = Moment { now: self.now, wall: self.wall };
            writes.push(line(order, order.lines, Movement::Authorization, order.total_minor, moment));
        }
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, SellRefusal> {
        // Without the order's own verdict seats and tickets may be its own, sold a moment ago.
        if refused.partial && refused.of(&key::order(&self.order.id)).is_none() {
            return Next::Again(self.clone());
        }
        let refusal = self.moved(refused).or_else(|| self.ticketed(refused)).or_else(|| self.gone(refused));
        let refusal = refusal.or_else(|| self.card_full(refused)).unwrap_or(SellRefusal::Inconsistent);
        match refusal {
            SellRefusal::Moved(state) if state.owns_seats() => Next::Done,
            other => Next::No(other),
        }
    }
}

impl Sell {
    fn moved(&self, refused: &Refused) -> Option<SellRefusal> {
        refused.of(&key::order(&self.order.id))?;
        Some(found(&self.order, refused).map_or(SellRefusal::Inconsistent, |o| SellRefusal::Moved(o.state)))
    }

    fn ticketed(&self, refused: &Refused) -> Option<SellRefusal> {
        let any = sold::ticket_keys(&self.order).iter().any(|k| refused.of(k).is_some());
        any.then_some(SellRefusal::TicketExists)
    }

    fn gone(&self, refused: &Refused) -> Option<SellRefusal> {
        let order = &self.order;
        let lost: Vec<SeatId> = failed_lines(order, refused).into_iter().map(|l| l.seat.clone()).collect();
        let share = |l: &crate::items::PoolLine| refused.of(&key::share(&order.event, &l.pool, l.share)).is_some();
        let other = refused.of(&key::hold(&order.hold)).is_some() || order.places.pools.iter().any(share);
        (other || !lost.is_empty()).then_some(SellRefusal::SeatsGone(lost))
    }

    fn card_full(&self, refused: &Refused) -> Option<SellRefusal> {
        let card = self.card.as_ref()?;
        let failed = refused.of(&key::card(&card.fingerprint, &self.order.event))?;
        let bought = failed.old.as_ref().and_then(|item| CardUse::from_item(item).ok()).map_or(0, |c| c.bought);
        Some(SellRefusal::CardLimit { limit: card.limit, bought })
    }
}
