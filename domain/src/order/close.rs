//! Not sold: places are given back once no authorization is left.

use super::ledger::{Ended, Moment, counting, ending};
use super::{Moved, as_read, end_hold, failed_lines, found, goes, owner};
use crate::hold;
use crate::ids::SeatId;
use crate::items::{HoldState, Order, OrderState, attr, key, seat_list};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Write};
use crate::pool::Taken;
use crate::time::{EventMs, WallMs};

/// What earlier rounds found not to be the order's any more; nothing at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Seats that were blocked or that others have.
    pub seats: Vec<SeatId>,
    /// The hold is not claimed by this order.
    pub hold: bool,
    /// The usage does not count its places.
    pub usage: bool,
}

impl Lost {
    /// With what this refusal shows; `None` when it shows nothing new.
    pub(super) fn and(&self, order: &Order, refused: &Refused) -> Option<Self> {
        let mut lost = self.clone();
        lost.seats.extend(failed_lines(order, refused).into_iter().map(|l| l.seat.clone()));
        lost.hold |= refused.of(&key::hold(&order.hold)).is_some();
        lost.usage |= refused.of(&owner(order).key()).is_some();
        (lost != *self).then_some(lost)
    }
}

/// Frees the order's claimed places, ends its hold and gives its usage back, as far as they are still its own.
pub(super) fn let_go(order: &Order, lost: &Lost) -> Vec<Write> {
    let mut writes = hold::give_back(&order.event, &order.hold, &order.places, &lost.seats, Taken::Claimed);
    if !lost.hold {
        writes.push(end_hold(order, HoldState::Claimed, HoldState::Released));
    }
    if !lost.usage {
        writes.push(owner(order).give_back(order.places.count()));
    }
    writes
}

/// Voiding → seats gone, or paying → seats gone when the provider has ended the intent by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// The order, as read; no authorization is left.
    pub order: Order,
    /// What the provider says became of its money.
    pub ended: Ended,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
    /// Nothing at first.
    pub lost: Lost,
}

impl Close {
    /// Closes `order`.
    #[must_use]
    pub fn new(order: Order, ended: Ended, now: EventMs, wall: WallMs) -> Self {
        Self { order, ended, now, wall, lost: Lost::default() }
    }
}

impl Rule for Close {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if !matches!(order.state, OrderState::Voiding | OrderState::Paying) {
            return Err(Moved::To(order.state));
        }
        let mut writes = let_go(order, &self.lost);
        let lines = ending(order, self.ended, Moment { now: self.now, wall: self.wall });
        let mut update = counting(goes(order, OrderState::SeatsGone, self.now), &lines);
        if !self.lost.seats.is_empty() {
            update = update.set(attr::LOST, seat_list(&self.lost.seats));
        }
        writes.extend(lines);
        writes.push(Write::update(key::order(&order.id), as_read(order), update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        let again = |lost| Self { lost, ..self.clone() };
        closed(&self.order, OrderState::SeatsGone, &self.lost, refused, again)
    }
}

/// Paying → abandoned: no intent is stored, so nothing was ever asked of the provider that could count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abandon {
    /// The order, as read; it has no intent.
    pub order: Order,
    /// Event time now.
    pub now: EventMs,
    /// Nothing at first.
    pub lost: Lost,
}

impl Abandon {
    /// Abandons `order`.
    #[must_use]
    pub fn new(order: Order, now: EventMs) -> Self {
        Self { order, now, lost: Lost::default() }
    }
}

impl Rule for Abandon {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if order.state != OrderState::Paying || order.intent.is_some() {
            return Err(Moved::To(order.state));
        }
        let mut writes = let_go(order, &self.lost);
        let update = goes(order, OrderState::Abandoned, self.now);
        let expect = as_read(order).and(Cond::Missing(attr::INTENT));
        writes.push(Write::update(key::order(&order.id), expect, update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        let again = |lost| Self { lost, ..self.clone() };
        closed(&self.order, OrderState::Abandoned, &self.lost, refused, again)
    }
}

/// The order closed before, moved elsewhere, or something of it was lost.
pub(super) fn closed<R>(
    order: &Order,
    to: OrderState,
    lost: &Lost,
    refused: &Refused,
    again: impl Fn(Lost) -> R,
) -> Next<R, Moved> {
    if refused.of(&key::order(&order.id)).is_some() {
        return match found(order, refused) {
            Some(now) if now.state == to => Next::Done,
            Some(now) => Next::No(Moved::To(now.state)),
            None => Next::No(Moved::Inconsistent),
        };
    }
    match lost.and(order, refused) {
        Some(more) => Next::Again(again(more)),
        None if refused.partial => Next::Again(again(lost.clone())),
        None => Next::No(Moved::Inconsistent),
    }
}
