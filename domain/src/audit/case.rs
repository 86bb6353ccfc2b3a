//! An order with everything that hangs on it.

use super::payment::{has_ended, kept_minor};
use super::{Code, Finding};
use crate::items::{LedgerLine, Movement, Order, OrderState, Seat, SeatState, Ticket, TicketState};
use crate::order::CAPTURE_WITHIN_MS;
use crate::provider::Intent;
use crate::time::WallMs;

/// An order and its neighbours, as they are.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The order.
    pub order: &'a Order,
    /// Its seats, in its order; `None`: there is no such item.
    pub seats: Vec<Option<&'a Seat>>,
    /// Its tickets, as [`crate::order::ticket_keys`] has them.
    pub tickets: Vec<Option<&'a Ticket>>,
    /// Its ledger lines, in order.
    pub ledger: &'a [LedgerLine],
    /// The provider's payments that name it; at least its own one, if the provider has it.
    pub payments: Vec<&'a Intent>,
}

/// What lines add up to, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    authorized: i64,
    captured: i64,
    voided: i64,
    refunded: i64,
}

impl Sums {
    fn of(lines: &[LedgerLine]) -> Self {
        let sum = |movement| lines.iter().filter(|l| l.movement == movement).map(|l| l.amount_minor).sum();
        Self {
            authorized: sum(Movement::Authorization),
            captured: sum(Movement::Capture),
            voided: sum(Movement::Void),
            refunded: sum(Movement::Refund),
        }
    }

    fn of_payment(intent: &Intent) -> Self {
        Self {
            authorized: intent.authorized_minor,
            captured: intent.received_minor,
            voided: intent.authorized_minor - intent.received_minor,
            refunded: intent.refunded_minor.unwrap_or(0),
        }
    }

    const fn kept(self) -> i64 {
        self.captured - self.refunded
    }
}

impl Case<'_> {
    /// Everything that is wrong with the order.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let checks = [Self::seats, Self::tickets, Self::lines, Self::money, Self::provider];
        checks.iter().flat_map(|check| check(self)).collect()
    }

    fn finding(&self, code: Code, note: impl Into<String>) -> Finding {
        Finding::new(code, format!("order {}", self.order.id), note)
    }

    /// Every seat that the order owns is sold to it.
    fn seats(&self) -> Vec<Finding> {
        let lines = self.order.places.seats.iter().filter(|_| self.order.state.owns_seats());
        lines.zip(&self.seats).filter_map(|(line, seat)| self.seat(line.seat.as_str(), *seat)).collect()
    }

    fn seat(&self, id: &str, seat: Option<&Seat>) -> Option<Finding> {
        let (subject, order) = (format!("seat {id}"), self.order.id);
        let Some(seat) = seat else {
            return Some(Finding::new(
                Code::OrderedSeatNotSold,
                subject,
                format!("order {order} owns it; there is no seat"),
            ));
        };
        match (seat.state, seat.order) {
            (SeatState::Sold, Some(owner)) if owner == order => None,
            (SeatState::Sold, Some(owner)) => Some(Finding::new(
                Code::SeatSoldTwice,
                subject,
                format!("order {order} owns it; it is sold to order {owner}"),
            )),
            (state, _) => {
                Some(Finding::new(Code::OrderedSeatNotSold, subject, format!("order {order} owns it; it is {state}")))
            }
        }
    }

    /// Every place that the order owns has its valid ticket.
    fn tickets(&self) -> Vec<Finding> {
        let mine = |ticket: &&Ticket| ticket.state == TicketState::Valid && ticket.order == self.order.id;
        let valid = self.tickets.iter().flatten().copied().filter(mine).count();
        let differs = self.order.state.owns_seats() && valid != self.tickets.len();
        let note = format!("{} places, {valid} valid tickets", self.tickets.len());
        differs.then(|| self.finding(Code::OrderTicketsDiffer, note)).into_iter().collect()
    }

    /// The lines are all there, of one currency, and add up to what the order is.
    fn lines(&self) -> Vec<Finding> {
        let (order, sums) = (self.order, Sums::of(self.ledger));
        let counted = (1..=order.lines).eq(self.ledger.iter().map(|line| line.n));
        let one_currency = self.ledger.iter().all(|line| line.currency == order.currency);
        let note = if !counted {
            format!("it counts {} lines, there are {}", order.lines, self.ledger.len())
        } else if !one_currency {
            "lines of another currency".to_owned()
        } else if adds_up(order, sums) {
            return Vec::new();
        } else {
            format!("{} and costs {}; {}", order.state, order.total_minor, told(sums))
        };
        vec![self.finding(Code::LedgerDiffers, note)]
    }

    /// What the provider kept is what an ended order costs if it owns places, and nothing otherwise.
    fn money(&self) -> Vec<Finding> {
        let order = self.order;
        let kept: i64 = self.payments.iter().map(|intent| kept_minor(intent)).sum();
        let due = if order.state.owns_seats() { order.total_minor } else { 0 };
        let moved = self.payments.iter().filter(|intent| intent.authorized_minor > 0);
        let foreign = moved.filter(|intent| intent.currency != order.currency).count() > 0;
        let differs = order.state.is_final() && (kept != due || foreign);
        let note = format!("{}: {due} {} are due, the provider kept {kept}", order.state, order.currency);
        let unended = self.payments.iter().filter(|intent| self.is_unended(intent)).map(|intent| {
            let note = format!("order {} is {}, the payment {:?}", order.id, order.state, intent.status);
            Finding::new(Code::PaymentNotEnded, format!("payment {}", intent.id), note)
        });
        differs.then(|| self.finding(Code::MoneyDiffers, note)).into_iter().chain(unended).collect()
    }

    /// An order under way has one payment that may be open: its own.
    fn is_unended(&self, intent: &Intent) -> bool {
        let own = self.order.intent.as_ref() == Some(&intent.id);
        !has_ended(intent) && (self.order.state.is_final() || !own)
    }

    /// The order's own payment is there, and tells the amounts that the ledger has.
    fn provider(&self) -> Vec<Finding> {
        let order = self.order;
        let own = self.payments.iter().find(|intent| order.intent.as_ref() == Some(&intent.id));
        let Some(own) = own else {
            let is_paid = order.state.owns_seats() && order.total_minor > 0;
            let note = || format!("{}, payment {}", order.state, order.intent.as_deref().unwrap_or("none"));
            let missing = order.intent.is_some() || is_paid;
            return missing.then(|| self.finding(Code::PaymentMissing, note())).into_iter().collect();
        };
        let (ours, theirs) = (Sums::of(self.ledger), Sums::of_payment(own));
        let differs = order.state.is_final() && has_ended(own) && ours != theirs;
        let note = format!("ledger: {}; provider: {}", told(ours), told(theirs));
        differs.then(|| self.finding(Code::ProviderDiffers, note)).into_iter().collect()
    }
}

/// Whether lines add up to the order's state; orders under way are judged as far as their lines are fixed.
fn adds_up(order: &Order, sums: Sums) -> bool {
    let whole = sums.authorized == sums.captured + sums.voided;
    match order.state {
        _ if order.intent.is_none() => sums == Sums::default(),
        OrderState::Captured | OrderState::Delivered | OrderState::Reducing => {
            whole && sums.kept() == order.total_minor
        }
        OrderState::Confirmed => sums == Sums { authorized: order.total_minor, ..Sums::default() },
        OrderState::Paying | OrderState::Voiding => sums == Sums::default(),
        OrderState::Cancelling | OrderState::CaptureFailed => sums.authorized > 0 && sums.voided == 0,
        OrderState::Declined | OrderState::SeatsGone | OrderState::Abandoned => whole && sums.kept() == 0,
        OrderState::Cancelled | OrderState::Refunded | OrderState::Released => whole && sums.kept() == 0,
    }
}

fn told(sums: Sums) -> String {
    let Sums { authorized, captured, voided, refunded } = sums;
    format!("authorized {authorized}, captured {captured}, void {voided}, refunded {refunded}")
}

/// An order that still has steps left long after it was made. A refused capture is tried for a day.
#[must_use]
pub fn overdue(order: &Order, wall: WallMs) -> Option<Finding> {
    const WITHIN_MS: i64 = CAPTURE_WITHIN_MS + 2 * 60 * 60 * 1000;
    let age_ms = wall.since(order.created);
    let note = || format!("it is {}, made {} hours ago", order.state, age_ms / 3_600_000);
    let overdue = !order.state.is_final() && age_ms > WITHIN_MS;
    overdue.then(|| Finding::new(Code::OrderMidStep, format!("order {}", order.id), note()))
}
