//! Coming and going.

use crate::ids::{AccountId, EventId, HoldId};
use crate::items::{WaitState, Waiting, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::{EventMs, WallMs};

/// Puts an account on the list, or changes how many seats it wants. Its place in the line decides where it stands, not when it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// Event.
    pub event: EventId,
    /// Who.
    pub account: AccountId,
    /// Its place in the line.
    pub place: u64,
    /// The lane of that place.
    pub lane: u8,
    /// How many seats are wanted.
    pub quantity: u32,
    /// An offer to this account that is known to have ended: given back, paid, or run out. Such a hold never lives again.
    pub ended: Option<HoldId>,
    /// Event time now.
    pub now: EventMs,
    /// When the item may be deleted.
    pub keep_until: WallMs,
}

/// An offer to this account still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an offer stands")]
pub struct StandsOffered(pub Option<HoldId>);

impl Rule for Join {
    type Refusal = StandsOffered;

    fn plan(&self) -> Result<Plan, StandsOffered> {
        let order = Waiting::order(self.place, self.lane);
        let over = Cond::Lt(attr::UNTIL, self.now.0.into());
        let vacant = Cond::Ne(attr::STATE, WaitState::Offered.into()).or(over);
        let ended = self.ended.map(|hold| Cond::eq(attr::HOLD, hold.to_string()));
        let vacant = ended.into_iter().fold(vacant, Cond::or);
        let update = Update::new().set(attr::KIND, Waiting::KIND).set(attr::STATE, WaitState::Waiting);
        let update = update.set(attr::AT, order).set(attr::NUMBER, self.quantity).add(attr::VERSION, 1);
        let update = update.set(attr::OPEN_PK, key::open_waiting(&self.event)).set(attr::OPEN_AT, order);
        let update = update.set(attr::TTL, self.keep_until.0.div_euclid(1_000)).remove(attr::HOLD).remove(attr::UNTIL);
        Ok(Plan::new(vec![Write::update(key::waiting(&self.event, &self.account), vacant, update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, StandsOffered> {
        let old = refused.failed.first().and_then(|failed| Waiting::from_item(failed.old.as_ref()?).ok());
        Next::No(StandsOffered(old.and_then(|waiting| waiting.hold)))
    }
}

/// Takes an account off the list. An offer that stands is a hold, and given back as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    /// Event.
    pub event: EventId,
    /// Who.
    pub account: AccountId,
}

impl Rule for Leave {
    type Refusal = StandsOffered;

    fn plan(&self) -> Result<Plan, StandsOffered> {
        let update = Update::new().set(attr::STATE, WaitState::Left).add(attr::VERSION, 1);
        let update = update.remove(attr::OPEN_PK).remove(attr::OPEN_AT);
        let waits = Cond::eq(attr::STATE, WaitState::Waiting);
        Ok(Plan::new(vec![Write::update(key::waiting(&self.event, &self.account), waits, update)]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, StandsOffered> {
        let old = refused.failed.first().and_then(|failed| Waiting::from_item(failed.old.as_ref()?).ok());
        match old {
            Some(Waiting { state: WaitState::Offered, hold, .. }) => Next::No(StandsOffered(hold)),
            _ => Next::Done,
        }
    }
}
