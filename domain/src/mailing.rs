//! Mails with tickets: one for each order and revision.
//!
//! Whoever sends one claims it first, for [`LEASE_MS`]; then it is sent, then that is noted. A sender that dies after its claim is
//! followed by another one when the lease is over. **At least once**, then: a mail comes twice only if a sender dies, or its
//! note is lost for good, between the mail service's yes and the note. Tickets that never come would be worse.

use crate::ids::{EventId, OrderId};
use crate::items::{MailState, Mailing, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Update, Write};
use crate::time::WallMs;

/// How long a claim keeps others away, in ms of wall time: longer than any function that sends may run.
pub const LEASE_MS: i64 = 120_000;

/// Claims a mail: it is new, or whoever claimed it did not end it in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimMail {
    /// Event.
    pub event: EventId,
    /// Order.
    pub order: OrderId,
    /// Revision of the order, from 1.
    pub n: u32,
    /// A word that no other sender has: two that begin in one millisecond must not take each other for themselves.
    pub sender: String,
    /// Wall time now.
    pub now: WallMs,
}

/// Why a mail is not to be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNow {
    /// It is done: sent, or refused for good.
    #[error("the mail is {0}")]
    Done(MailState),
    /// Somebody is sending it.
    #[error("somebody is sending the mail")]
    Underway,
    /// The table holds something that no rule writes.
    #[error("the stored mail is not as any rule writes it")]
    Inconsistent,
}

impl ClaimMail {
    /// The mail as claimed.
    #[must_use]
    pub fn record(&self) -> Mailing {
        Mailing {
            event: self.event.clone(),
            order: self.order,
            n: self.n,
            state: MailState::Claimed,
            sender: self.sender.clone(),
            until: self.now.plus(LEASE_MS),
            message: None,
        }
    }
}

impl Rule for ClaimMail {
    type Refusal = NotNow;

    fn plan(&self) -> Result<Plan, NotNow> {
        let left = Cond::eq(attr::STATE, MailState::Claimed).and(Cond::Le(attr::WALL, self.now.0.into()));
        Ok(Plan::new(vec![Write::put(self.record().to_item(), Cond::Absent.or(left))]))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, NotNow> {
        let Some(failed) = refused.of(&key::mailing(&self.order, self.n)) else { return Next::Again(self.clone()) };
        match failed.old.as_ref().map(Mailing::from_item) {
            Some(Ok(mail)) if mail.sender == self.sender && mail.state == MailState::Claimed => Next::Done,
            Some(Ok(mail)) if mail.state == MailState::Claimed => Next::No(NotNow::Underway),
            Some(Ok(mail)) => Next::No(NotNow::Done(mail.state)),
            None | Some(Err(_)) => Next::No(NotNow::Inconsistent),
        }
    }
}

/// How a mail ended, for whoever claimed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailEnd {
    /// The mail service took it, under this id.
    Sent(String),
    /// It will never take it.
    Refused,
    /// It did not take it, and that is certain: the next one may begin at once.
    NotSent,
}

/// Notes how a claimed mail ended. If the claim was lost meanwhile nothing is changed.
#[must_use]
pub fn note(claimed: &Mailing, end: MailEnd) -> Plan {
    let key = key::mailing(&claimed.order, claimed.n);
    let own = Cond::eq(attr::STATE, MailState::Claimed).and(Cond::eq(attr::SENDER, claimed.sender.as_str()));
    let write = match end {
        MailEnd::Sent(id) => {
            Write::update(key, own, Update::new().set(attr::STATE, MailState::Sent).set(attr::MESSAGE, id))
        }
        MailEnd::Refused => Write::update(key, own, Update::new().set(attr::STATE, MailState::Refused)),
        MailEnd::NotSent => Write::delete(key, own),
    };
    Plan::new(vec![write])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Decided;
    use crate::plan::memory::World;

    const NOW: WallMs = WallMs(1_800_000_000_000);

    fn claim(sender: &str, now: WallMs) -> ClaimMail {
        let (event, order) = ("demo".parse().expect("an id"), OrderId::from_bytes([9; 16]));
        ClaimMail { event, order, n: 1, sender: sender.into(), now }
    }

    fn stored(world: &World) -> Mailing {
        let item = world.get(&key::mailing(&OrderId::from_bytes([9; 16]), 1)).expect("a mail");
        Mailing::from_item(item).expect("as written")
    }

    #[test]
    fn one_sends_and_the_others_wait_until_its_lease_is_over() {
        let mut world = World::default();
        assert_eq!(world.decide(claim("a", NOW)), Ok(Decided::Committed));
        assert_eq!(world.decide(claim("a", NOW)), Ok(Decided::Already), "its own lost reply");
        assert_eq!(world.decide(claim("b", NOW)), Err(NotNow::Underway), "in the same millisecond");
        assert_eq!(world.decide(claim("b", NOW.plus(LEASE_MS - 1))), Err(NotNow::Underway));
        assert_eq!(world.decide(claim("b", NOW.plus(LEASE_MS))), Ok(Decided::Committed), "a died");
        let late = claim("a", NOW).record();
        assert!(world.commit(&note(&late, MailEnd::Sent("m1".into()))).is_err(), "the claim is another's by now");
        let own = stored(&world);
        world.commit(&note(&own, MailEnd::Sent("m2".into()))).expect("its own");
        assert_eq!((stored(&world).state, stored(&world).message.as_deref()), (MailState::Sent, Some("m2")));
        for later in [NOW.plus(LEASE_MS), NOW.plus(100 * LEASE_MS)] {
            assert_eq!(world.decide(claim("c", later)), Err(NotNow::Done(MailState::Sent)), "never again");
        }
    }

    #[test]
    fn what_was_not_sent_is_begun_again_at_once_and_what_was_refused_never() {
        let mut world = World::default();
        world.decide(claim("a", NOW)).expect("new");
        world.commit(&note(&claim("a", NOW).record(), MailEnd::NotSent)).expect("its own");
        assert_eq!(world.decide(claim("b", NOW)), Ok(Decided::Committed));
        world.commit(&note(&claim("b", NOW).record(), MailEnd::Refused)).expect("its own");
        assert_eq!(world.decide(claim("c", NOW.plus(LEASE_MS))), Err(NotNow::Done(MailState::Refused)));
    }
}
