//! The one extension of a hold.

use super::{as_read, found, owner};
use crate::ids::{AccountId, SeatId};
use crate::items::{Hold, HoldState, attr, key};
use crate::plan::{Next, Plan, Refused, Rule, Update, Write};
use crate::seat;
use crate::time::EventMs;

/// How much longer an extended hold is good, in ms of event time.
pub const EXTENSION_MS: i64 = 3 * 60 * 1000;

/// Prolongs a live hold by [`EXTENSION_MS`], once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extend {
    /// The hold, as read.
    pub hold: Hold,
    /// Who asks.
    pub account: AccountId,
    /// Event time now.
    pub now: EventMs,
}

/// Why a hold is not prolonged, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtendRefusal {
    /// It is somebody else's; answered as if there were none.
    #[error("no such hold")]
    NotYours,
    /// It ended, is being paid or was sold.
    #[error("the hold is not live")]
    NotLive,
    /// Its time has passed.
    #[error("the hold's time has passed")]
    Overdue,
    /// It was extended before.
    #[error("a hold is extended once")]
    Extended,
    /// Seats were blocked or lost.
    #[error("seats are not the hold's any more")]
    SeatsGone(Vec<SeatId>),
    /// The table holds something that no rule writes.
    #[error("stored items of the hold are not as any rule writes them")]
    Inconsistent,
}

impl Extend {
    /// Until when the hold will be good.
    #[must_use]
    pub fn until(&self) -> EventMs {
        self.hold.until.plus(EXTENSION_MS)
    }

    fn check(&self) -> Result<(), ExtendRefusal> {
        if self.hold.account != self.account {
            return Err(ExtendRefusal::NotYours);
        }
        if self.hold.state != HoldState::Live {
            return Err(ExtendRefusal::NotLive);
        }
        if self.hold.extended {
            return Err(ExtendRefusal::Extended);
        }
        if self.hold.until < self.now { Err(ExtendRefusal::Overdue) } else { Ok(()) }
    }

    fn hold_write(&self) -> Write {
        let until = self.until().0;
        let update = Update::new().set(attr::UNTIL, until).set(attr::OPEN_AT, until).set(attr::EXTENDED, 1);
        Write::update(key::hold(&self.hold.id), as_read(&self.hold), update.add(attr::VERSION, 1))
    }
}

impl Rule for Extend {
    type Refusal = ExtendRefusal;

    fn plan(&self) -> Result<Plan, ExtendRefusal> {
        self.check()?;
        let hold = &self.hold;
        let seats = hold.places.seats.iter().map(|l| seat::extend(&hold.event, l, &hold.id, self.until()));
        let mut writes: Vec<Write> = seats.collect();
        writes.push(owner(hold).extend(&hold.id, self.until()));
        writes.push(self.hold_write());
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, ExtendRefusal> {
        if refused.of(&key::hold(&self.hold.id)).is_some() {
            return self.changed(found(&self.hold.id, refused));
        }
        if refused.partial {
            // Without the hold's verdict a seat may have been given back rather than lost.
            return Next::Again(self.clone());
        }
        let lost = super::failed_seats(&self.hold.event, &self.hold.places.seats, refused);
        Next::No(if lost.is_empty() { ExtendRefusal::Inconsistent } else { ExtendRefusal::SeatsGone(lost) })
    }
}

impl Extend {
    /// Extended meanwhile is what was wanted: the hold goes on until then.
    fn changed(&self, hold: Option<Hold>) -> Next<Self, ExtendRefusal> {
        match hold {
            None => Next::No(ExtendRefusal::Inconsistent),
            Some(hold) if hold.state == HoldState::Live && hold.extended => Next::Done,
            Some(hold) => Next::Again(Self { hold, ..self.clone() }),
        }
    }
}
