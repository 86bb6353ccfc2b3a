//! Sweeping a hold whose time has passed.

use super::{end, failed_seats, found, give_back, owner};
use crate::ids::SeatId;
use crate::items::{Hold, HoldState, key};
use crate::plan::{Next, Plan, Refused, Rule};
use crate::pool::Taken;
use crate::time::EventMs;

/// Ends an overdue hold and frees only what still carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expire {
    /// The hold, as read.
    pub hold: Hold,
    /// Event time now.
    pub now: EventMs,
    /// Seats that were lost to others; empty at first.
    pub lost: Vec<SeatId>,
    /// Whether the account's usage names this hold; true at first.
    pub counted: bool,
}

/// Why a hold is not swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpireRefusal {
    /// It is still good, being paid, or was changed since it was read.
    #[error("the hold is not due")]
    NotDue,
    /// The table holds something that no rule writes.
    #[error("stored items of the hold are not as any rule writes them")]
    Inconsistent,
}

impl Expire {
    /// Sweeps `hold`.
    #[must_use]
    pub fn new(hold: Hold, now: EventMs) -> Self {
        Self { hold, now, lost: Vec::new(), counted: true }
    }
}

impl Rule for Expire {
    type Refusal = ExpireRefusal;

    fn plan(&self) -> Result<Plan, ExpireRefusal> {
        let hold = &self.hold;
        if hold.state != HoldState::Live || hold.until >= self.now {
            return Err(ExpireRefusal::NotDue);
        }
        let mut writes = give_back(&hold.event, &hold.id, &hold.places, &self.lost, Taken::Held);
        if self.counted {
            writes.push(owner(hold).leave(&hold.id));
        }
        writes.push(end(hold, HoldState::Expired));
        Ok(Plan::new(writes))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, ExpireRefusal> {
        if refused.of(&key::hold(&self.hold.id)).is_some() {
            let over = found(&self.hold.id, refused).is_some_and(|h| h.state == HoldState::Expired);
            return if over { Next::Done } else { Next::No(ExpireRefusal::NotDue) };
        }
        let mut next = self.clone();
        next.lost.extend(failed_seats(&self.hold.event, &self.hold.places.seats, refused));
        next.counted &= refused.of(&owner(&self.hold).key()).is_none();
        if next == *self { refused.unexplained(self, ExpireRefusal::Inconsistent) } else { Next::Again(next) }
    }
}
