//! Giving up a hold, or some of its seats.

use super::{as_read, end, failed_seats, found, give_back, owner};
use crate::ids::{AccountId, SeatId};
use crate::items::{Hold, HoldState, Places, attr, key};
use crate::plan::{Next, Plan, Refused, Rule, Update, Write};
use crate::pool::Taken;

/// Gives back all of a live hold, or the named seats of it; naming the last ones gives back all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The hold, as read.
    pub hold: Hold,
    /// Who asks.
    pub account: AccountId,
    /// Which seats; empty: all places.
    pub seats: Vec<SeatId>,
    /// Seats that were lost to others; empty at first.
    pub lost: Vec<SeatId>,
    /// Whether the account's usage names this hold; true at first.
    pub counted: bool,
}

/// Why a hold is not given up, in order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseRefusal {
    /// It is somebody else's; answered as if there were none.
    #[error("no such hold")]
    NotYours,
    /// An order is paying it.
    #[error("the hold is being paid")]
    BeingPaid,
    /// It was sold.
    #[error("the hold was sold")]
    Sold,
    /// The hold has no such seats.
    #[error("the hold has no such seats")]
    SeatUnknown(Vec<SeatId>),
    /// The table holds something that no rule writes.
    #[error("stored items of the hold are not as any rule writes them")]
    Inconsistent,
}

impl Release {
    /// Gives back everything.
    #[must_use]
    pub fn all(hold: Hold, account: AccountId) -> Self {
        Self::some(hold, account, Vec::new())
    }

    /// Gives back these seats.
    #[must_use]
    pub fn some(hold: Hold, account: AccountId, seats: Vec<SeatId>) -> Self {
        Self { hold, account, seats, lost: Vec::new(), counted: true }
    }

    fn check(&self) -> Result<(), ReleaseRefusal> {
        if self.hold.account != self.account {
            return Err(ReleaseRefusal::NotYours);
        }
        match self.hold.state {
            HoldState::Claimed => return Err(ReleaseRefusal::BeingPaid),
            HoldState::Sold => return Err(ReleaseRefusal::Sold),
            HoldState::Live | HoldState::Released | HoldState::Expired => {}
        }
        let has = |seat: &SeatId| self.hold.places.seats.iter().any(|l| &l.seat == seat);
        let unknown: Vec<SeatId> = self.seats.iter().filter(|s| !has(s)).cloned().collect();
        if unknown.is_empty() { Ok(()) } else { Err(ReleaseRefusal::SeatUnknown(unknown)) }
    }

    /// What the hold keeps.
    fn kept(&self) -> Places {
        if self.seats.is_empty() { Places::default() } else { self.hold.places.without(&self.seats) }
    }

    fn whole(&self) -> Vec<Write> {
        let hold = &self.hold;
        let mut writes = give_back(&hold.event, &hold.id, &hold.places, &self.lost, Taken::Held);
        if self.counted {
            writes.push(owner(hold).leave(&hold.id));
        }
        writes.push(end(hold, HoldState::Released));
        writes
    }

    fn part(&self, kept: &Places) -> Vec<Write> {
        let hold = &self.hold;
        let goes = hold.places.seats.iter().filter(|l| self.seats.contains(&l.seat)).cloned().collect();
        let goes = Places { seats: goes, pools: Vec::new() };
        let mut writes = give_back(&hold.event, &hold.id, &goes, &self.lost, Taken::Held);
        let update = Update::new().set(attr::SEATS, kept.seats_value()).set(attr::AMOUNT, kept.total_minor());
        writes.push(Write::update(key::hold(&hold.id), as_read(hold), update.add(attr::VERSION, 1)));
        writes
    }
}

impl Rule for Release {
    type Refusal = ReleaseRefusal;

    fn plan(&self) -> Result<Plan, ReleaseRefusal> {
        self.check()?;
        // Whatever was read, only a live hold gives places back: pool places carry no name and would go back twice.
        let live = Self { hold: Hold { state: HoldState::Live, ..self.hold.clone() }, ..self.clone() };
        let kept = live.kept();
        Ok(Plan::new(if kept.count() == 0 { live.whole() } else { live.part(&kept) }))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, ReleaseRefusal> {
        if refused.of(&key::hold(&self.hold.id)).is_some() {
            return self.changed(found(&self.hold.id, refused));
        }
        let mut next = self.clone();
        next.lost.extend(failed_seats(&self.hold.event, &self.hold.places.seats, refused));
        next.counted &= refused.of(&owner(&self.hold).key()).is_none();
        if next == *self { refused.unexplained(self, ReleaseRefusal::Inconsistent) } else { Next::Again(next) }
    }
}

impl Release {
    /// Ended meanwhile is what was wanted; changed is tried again as it is now.
    fn changed(&self, hold: Option<Hold>) -> Next<Self, ReleaseRefusal> {
        let Some(hold) = hold else { return Next::No(ReleaseRefusal::Inconsistent) };
        let gone = |seat: &SeatId| hold.places.seats.iter().all(|l| &l.seat != seat);
        match hold.state {
            HoldState::Released | HoldState::Expired => Next::Done,
            HoldState::Live if !self.seats.is_empty() && self.seats.iter().all(gone) => Next::Done,
            _ => Next::Again(Self { hold, ..self.clone() }),
        }
    }
}
