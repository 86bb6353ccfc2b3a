//! Offering: a hold is made for somebody who waits.

use crate::hold::{Take, TakeRefusal};
use crate::ids::HoldId;
use crate::items::{WaitState, Waiting, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};

/// How long an offer stands, in ms of event time: longer than an ordinary hold, since nobody is waiting at the screen for it.
pub const OFFER_MS: i64 = 20 * 60 * 1000;

/// Makes a hold for somebody who waits, and takes them off the list, in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Who waits, as read.
    pub to: Waiting,
    /// The hold that is made; its account is theirs.
    pub take: Take,
}

/// Why nothing is offered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OfferRefusal {
    /// They left the list, or were offered something else.
    #[error("not as read")]
    Moved,
    /// The hold cannot be made.
    #[error(transparent)]
    NotTaken(#[from] TakeRefusal),
}

impl Offer {
    /// The id of the hold of an offer: each version of an entry has its own, so what is tried twice is made once.
    #[must_use]
    pub fn hold_of(to: &Waiting) -> HoldId {
        HoldId::derive(&to.account, &format!("waiting/{}/{}", to.event, to.version))
    }

    fn write(&self) -> Write {
        let as_read = Cond::eq(attr::STATE, WaitState::Waiting).and(Cond::eq(attr::VERSION, self.to.version));
        let update = Update::new().set(attr::STATE, WaitState::Offered).set(attr::HOLD, self.take.hold.to_string());
        let update = update.set(attr::UNTIL, self.take.until().0).add(attr::VERSION, 1);
        let update = update.remove(attr::OPEN_PK).remove(attr::OPEN_AT);
        Write::update(key::waiting(&self.to.event, &self.to.account), as_read, update)
    }
}

impl Rule for Offer {
    type Refusal = OfferRefusal;

    fn plan(&self) -> Result<Plan, OfferRefusal> {
        let Plan { mut writes } = self.take.plan()?;
        writes.push(self.write());
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, OfferRefusal> {
        if let Some(failed) = refused.of(&key::waiting(&self.to.event, &self.to.account)) {
            let now = failed.old.as_ref().and_then(|old| Waiting::from_item(old).ok());
            let ours = now.is_some_and(|now| now.hold == Some(self.take.hold));
            return if ours { Next::Done } else { Next::No(OfferRefusal::Moved) };
        }
        match self.take.explain(refused) {
            Next::Done => Next::Done,
            Next::Again(take) => Next::Again(Self { take, ..self.clone() }),
            Next::No(refusal) => Next::No(OfferRefusal::NotTaken(refusal)),
        }
    }
}
