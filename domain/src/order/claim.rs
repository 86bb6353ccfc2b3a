//! Claim: the hold is being paid, before any money is asked for.

use super::owner as order_owner;
use crate::hold;
use crate::ids::{AccountId, OrderId, SeatId};
use crate::items::{Hold, HoldState, Order, OrderState, Usage, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::{EventMs, WallMs};
use crate::usage::Room;
use crate::{pool, seat};

/// How long a claim may last, in ms of event time.
pub const CLAIM_MS: i64 = 10 * 60 * 1000;

/// How often one hold may be claimed: cards that may be tried.
pub const MAX_ATTEMPTS: u32 = 5;

/// Claims a hold for a new order: the hold live, or overdue with all seats still carrying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The hold, as read.
    pub hold: Hold,
    /// Who pays.
    pub account: AccountId,
    /// The order's id, derived from the account and the request's idempotency key.
    pub order: OrderId,
    /// The provider's payment method.
    pub method: String,
    /// Places an account may have of this event.
    pub limit: u32,
    /// Event time now.
    pub now: EventMs,
    /// Wall time now.
    pub created: WallMs,
    /// Fingerprint of the request.
    pub fingerprint: String,
    /// Whether the account's usage names this hold; true at first.
    pub counted: bool,
}

/// Why a hold is not claimed, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// It is somebody else's; answered as if there were none.
    #[error("no such hold")]
    NotYours,
    /// The same idempotency key was used with another request.
    #[error("the idempotency key was used for another request")]
    Mismatch,
    /// Another order is paying it.
    #[error("another order is paying this hold")]
    BeingPaid(OrderId),
    /// Another order bought it.
    #[error("another order bought this hold")]
    Sold(OrderId),
    /// It ended, or these seats are not its own any more. Nothing was charged.
    #[error("the seats are gone")]
    SeatsGone(Vec<SeatId>),
    /// [`MAX_ATTEMPTS`] are used up.
    #[error("too many cards were tried")]
    TooManyAttempts,
    /// The account would have too many places.
    #[error("at most {limit} places, {committed} of them are bought or being paid")]
    LimitExceeded {
        /// Places an account may have.
        limit: u32,
        /// Places it has bought or is paying.
        committed: u32,
    },
    /// The table holds something that no rule writes.
    #[error("stored items of the hold are not as any rule writes them")]
    Inconsistent,
}

impl Claim {
    fn check(&self) -> Result<(), ClaimRefusal> {
        let hold = &self.hold;
        if hold.account != self.account {
            return Err(ClaimRefusal::NotYours);
        }
        match (hold.state, hold.order) {
            (HoldState::Claimed, Some(order)) => return Err(ClaimRefusal::BeingPaid(order)),
            (HoldState::Sold, Some(order)) => return Err(ClaimRefusal::Sold(order)),
            (HoldState::Claimed | HoldState::Sold, None) => return Err(ClaimRefusal::Inconsistent),
            (HoldState::Released | HoldState::Expired, _) => return Err(ClaimRefusal::SeatsGone(self.all_seats())),
            (HoldState::Live, _) => {}
        }
        if hold.attempts >= MAX_ATTEMPTS {
            return Err(ClaimRefusal::TooManyAttempts);
        }
        let over = ClaimRefusal::LimitExceeded { limit: self.limit, committed: 0 };
        if self.room().fits() { Ok(()) } else { Err(over) }
    }

    fn all_seats(&self) -> Vec<SeatId> {
        self.hold.places.seats.iter().map(|l| l.seat.clone()).collect()
    }

    fn room(&self) -> Room {
        Room { places: self.hold.places.count(), limit: self.limit }
    }

    /// The order as it will be stored.
    #[must_use]
    pub fn record(&self) -> Order {
        Order {
            id: self.order,
            event: self.hold.event.clone(),
            account: self.account,
            hold: self.hold.id,
            state: OrderState::Paying,
            places: self.hold.places.clone(),
            total_minor: self.hold.total_minor,
            currency: self.hold.currency.clone(),
            attempt: self.hold.attempts + 1,
            method: self.method.clone(),
            intent: None,
            deadline: self.now.plus(CLAIM_MS),
            hold_until: self.hold.until,
            lost: Vec::new(),
            reason: None,
            decline: None,
            card: None,
            fingerprint: self.fingerprint.clone(),
            back: Vec::new(),
            gone: Vec::new(),
            parts: 0,
            tries: 0,
            lines: 0,
            created: self.created,
            updated: self.now,
        }
    }

    fn hold_write(&self) -> Write {
        let update = Update::new().set(attr::STATE, HoldState::Claimed).set(attr::ORDER, self.order.to_string());
        let update = update.add(attr::ATTEMPT, 1).add(attr::VERSION, 1).remove(attr::OPEN_PK).remove(attr::OPEN_AT);
        Write::update(key::hold(&self.hold.id), hold::as_read(&self.hold), update)
    }

    fn usage_write(&self) -> Write {
        let owner = hold::owner(&self.hold);
        let room = self.room();
        if self.counted { owner.commit(&self.hold.id, room) } else { owner.commit_other(room) }
    }
}

impl Rule for Claim {
    type Refusal = ClaimRefusal;

    fn plan(&self) -> Result<Plan, ClaimRefusal> {
        self.check()?;
        let (event, places) = (&self.hold.event, &self.hold.places);
        let mut writes: Vec<Write> = places.seats.iter().map(|l| seat::claim(event, l, &self.hold.id)).collect();
        writes.extend(pool::claim(event, &places.pools));
        writes.push(self.hold_write());
        writes.push(self.usage_write());
        writes.push(Write::put(self.record().to_item(), Cond::Absent));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, ClaimRefusal> {
        self.own(refused)
            .or_else(|| self.changed(refused))
            .or_else(|| self.unheard(refused))
            .or_else(|| self.lost(refused))
            .or_else(|| self.usage(refused))
            .unwrap_or(Next::No(ClaimRefusal::Inconsistent))
    }
}

impl Claim {
    /// Our order is there: an own lost reply, or the same key with another request.
    fn own(&self, refused: &Refused) -> Option<Next<Self, ClaimRefusal>> {
        let order = super::found(&self.record(), refused)?;
        let same = order.fingerprint == self.fingerprint && order.account == self.account;
        Some(if same { Next::Done } else { Next::No(ClaimRefusal::Mismatch) })
    }

    /// The hold changed: what it is now decides.
    fn changed(&self, refused: &Refused) -> Option<Next<Self, ClaimRefusal>> {
        refused.of(&key::hold(&self.hold.id))?;
        let Some(hold) = hold::found(&self.hold.id, refused) else { return Some(Next::No(ClaimRefusal::Inconsistent)) };
        let ours = hold.order == Some(self.order) && matches!(hold.state, HoldState::Claimed | HoldState::Sold);
        Some(if ours { Next::Done } else { Next::Again(Self { hold, ..self.clone() }) })
    }

    /// Order and hold gave no verdict since writes collided: the seats may be its own, claimed a moment ago.
    fn unheard(&self, refused: &Refused) -> Option<Next<Self, ClaimRefusal>> {
        refused.partial.then(|| Next::Again(self.clone()))
    }

    /// Seats that others have, or that were blocked.
    fn lost(&self, refused: &Refused) -> Option<Next<Self, ClaimRefusal>> {
        let lost = hold::failed_seats(&self.hold.event, &self.hold.places.seats, refused);
        (!lost.is_empty()).then_some(Next::No(ClaimRefusal::SeatsGone(lost)))
    }

    /// Usage alone: the account's live hold is another one than thought, or the limit.
    fn usage(&self, refused: &Refused) -> Option<Next<Self, ClaimRefusal>> {
        let failed = refused.of(&order_owner(&self.record()).key())?;
        let usage = failed.old.as_ref().and_then(|item| Usage::from_item(item).ok());
        let named = usage.as_ref().and_then(|u| u.hold).is_some_and(|(hold, _)| hold == self.hold.id);
        if named != self.counted {
            return Some(Next::Again(Self { counted: named, ..self.clone() }));
        }
        let committed = usage.map_or(0, |u| u.committed);
        Some(Next::No(ClaimRefusal::LimitExceeded { limit: self.limit, committed }))
    }
}
