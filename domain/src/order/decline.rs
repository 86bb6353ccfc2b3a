//! Declined: the hold lives on, another card may be tried.

use super::close::{Lost, closed, let_go};
use super::ledger::{Ended, Moment, counting, ending};
use super::{Moved, as_read, goes, hold_of, owner};
use crate::items::{HoldState, Order, OrderState, attr, key};
use crate::plan::{Next, Plan, Refused, Rule, Update, Write};
use crate::time::{EventMs, WallMs};
use crate::{pool, seat};

/// How long a hold is good at least after a declined payment, in ms of event time.
pub const RETRY_MS: i64 = 2 * 60 * 1000;

/// Paying (or voiding, for the card's limit) → declined; the hold is live again for the rest of its time and at least
/// [`RETRY_MS`]. When the account has another live hold by now, this one is released instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// The order, as read; no authorization is left.
    pub order: Order,
    /// The provider's decline code.
    pub code: String,
    /// What the provider says became of its money; nothing at first, see [`Self::after`].
    pub ended: Ended,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub wall: WallMs,
    /// Nothing at first.
    pub lost: Lost,
    /// Whether the hold becomes the account's live one; true at first.
    pub revive: bool,
}

impl Decline {
    /// Declines `order`.
    #[must_use]
    pub fn new(order: Order, code: String, now: EventMs, wall: WallMs) -> Self {
        Self { order, code, ended: Ended::UNTOUCHED, now, wall, lost: Lost::default(), revive: true }
    }

    /// The same after money was set aside and set free again.
    #[must_use]
    pub fn after(self, ended: Ended) -> Self {
        Self { ended, ..self }
    }

    /// Until when the hold is good again.
    #[must_use]
    pub fn until(&self) -> EventMs {
        self.order.hold_until.max(self.now.plus(RETRY_MS))
    }

    fn revived(&self) -> Vec<Write> {
        let (order, until) = (&self.order, self.until());
        let mine = order.places.seats.iter().filter(|l| !self.lost.seats.contains(&l.seat));
        let mut writes: Vec<Write> = mine.map(|l| seat::unclaim(&order.event, l, &order.hold, until)).collect();
        writes.extend(pool::unclaim(&order.event, &order.places.pools));
        writes.push(self.hold_write());
        writes.push(owner(order).restore(&order.hold, until, self.now, order.places.count()));
        writes
    }

    fn hold_write(&self) -> Write {
        let (order, until) = (&self.order, self.until().0);
        let open = key::open_holds(&order.event, crate::items::bucket(&order.hold.to_string()));
        let update = Update::new().set(attr::STATE, HoldState::Live).set(attr::UNTIL, until).remove(attr::ORDER);
        let update = update.set(attr::OPEN_PK, open).set(attr::OPEN_AT, until).add(attr::VERSION, 1);
        Write::update(key::hold(&order.hold), hold_of(order, HoldState::Claimed), update)
    }
}

impl Rule for Decline {
    type Refusal = Moved;

    fn plan(&self) -> Result<Plan, Moved> {
        let order = &self.order;
        if !matches!(order.state, OrderState::Paying | OrderState::Voiding) {
            return Err(Moved::To(order.state));
        }
        let mut writes = if self.revive { self.revived() } else { let_go(order, &self.lost) };
        let lines = ending(order, self.ended, Moment { now: self.now, wall: self.wall });
        let update = counting(goes(order, OrderState::Declined, self.now), &lines);
        let update = update.set(attr::DECLINE, self.code.as_str());
        writes.extend(lines);
        writes.push(Write::update(key::order(&order.id), as_read(order), update));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Moved> {
        let blocked = self.revive
            && [key::hold(&self.order.hold), owner(&self.order).key()].iter().any(|k| refused.of(k).is_some());
        if blocked && refused.of(&key::order(&self.order.id)).is_none() {
            return Next::Again(Self { revive: false, ..self.clone() });
        }
        let again = |lost| Self { lost, ..self.clone() };
        closed(&self.order, OrderState::Declined, &self.lost, refused, again)
    }
}
