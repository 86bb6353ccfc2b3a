//! One change of some seats: all of them in one transaction, or none and the reasons.

use super::Change;
use crate::ids::{BlockId, EventId, HoldId, OrderId, SeatId};
use crate::items::{Kept, Seat, SeatState, attr, key};
use crate::plan::{Cond, Item, Key, Next, Plan, Refused, Rule, Update, Write};
use crate::seat::{carries, freed, moved, takeable};
use crate::time::EventMs;

/// A seat that is to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Which seat.
    pub seat: SeatId,
    /// The block whose partition it lives in.
    pub block: BlockId,
    /// The hold from which it is taken, and whether that is held or being paid; none: it must be nobody's.
    pub from: Option<(HoldId, SeatState)>,
}

/// Changes these seats, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Event.
    pub event: EventId,
    /// What becomes of them.
    pub change: Change,
    /// Which.
    pub spots: Vec<Spot>,
    /// Event time now.
    pub now: EventMs,
}

/// A seat that does not change, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which seat.
    pub seat: SeatId,
    /// Why.
    pub why: Why,
}

/// Why a seat does not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is no such seat.
    Unknown,
    /// It is in a hold.
    Held(HoldId),
    /// Its hold is being paid.
    BeingPaid(HoldId),
    /// An order bought it.
    Sold(OrderId),
    /// It is kept for something else.
    Kept(Option<Kept>),
    /// The table holds something that no rule writes.
    Inconsistent,
}

impl Why {
    /// The stable code, listed in docs/formats.md.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "SEAT_UNKNOWN",
            Self::Held(_) => "SEAT_HELD",
            Self::BeingPaid(_) => "SEAT_BEING_PAID",
            Self::Sold(_) => "SEAT_SOLD",
            Self::Kept(_) => "SEAT_BLOCKED",
            Self::Inconsistent => "SEAT_INCONSISTENT",
        }
    }
}

impl Mark {
    fn key(&self, spot: &Spot) -> Key {
        key::seat(&self.event, &spot.block, &spot.seat)
    }

    fn write(&self, spot: &Spot) -> Write {
        let touched = Update::new().add(attr::VERSION, 1);
        let (expect, update) = match &self.change {
            Change::Block(_) | Change::House(..) => (self.vacant(spot), keep(self.change.keeps())),
            Change::Release => (Cond::eq(attr::STATE, SeatState::Blocked), released()),
            Change::Assign(Some(channel)) => (Cond::Exists, touched.set(attr::CHANNEL, channel.to_string())),
            Change::Assign(None) => (Cond::Exists, touched.remove(attr::CHANNEL)),
        };
        Write::update(self.key(spot), expect, update)
    }

    /// Nobody's, or exactly that hold's.
    fn vacant(&self, spot: &Spot) -> Cond {
        match &spot.from {
            None => takeable(self.now),
            Some((hold, state)) => carries(hold, *state),
        }
    }

    /// What the old item says: `None` if it is as it should be already.
    fn judge(&self, spot: &Spot, old: Option<&Item>) -> Option<Finding> {
        let finding = |why| Some(Finding { seat: spot.seat.clone(), why });
        let Some(old) = old else { return finding(Why::Unknown) };
        let Ok(seat) = Seat::from_item(old) else { return finding(Why::Inconsistent) };
        let as_wanted = match &self.change {
            Change::Release => seat.state == SeatState::Free,
            Change::Assign(channel) => seat.channel == *channel,
            Change::Block(_) | Change::House(..) => {
                seat.state == SeatState::Blocked && seat.kept == self.change.keeps()
            }
        };
        if as_wanted { None } else { finding(why(&seat)) }
    }
}

fn why(seat: &Seat) -> Why {
    match (seat.state, seat.hold, seat.order) {
        (SeatState::Held, Some(hold), _) => Why::Held(hold),
        (SeatState::Claimed, Some(hold), _) => Why::BeingPaid(hold),
        (SeatState::Sold, _, Some(order)) => Why::Sold(order),
        (SeatState::Blocked, ..) => Why::Kept(seat.kept.clone()),
        _ => Why::Inconsistent,
    }
}

fn keep(kept: Option<Kept>) -> Update {
    let update = moved(SeatState::Blocked).remove(attr::HOLD).remove(attr::UNTIL);
    match kept {
        None => update,
        Some(Kept::Blocked { reason }) => update.set(attr::REASON, reason),
        Some(Kept::House { name, until: None }) => update.set(attr::HOUSE, name),
        Some(Kept::House { name, until: Some(until) }) => update.set(attr::HOUSE, name).set(attr::HOUSE_UNTIL, until.0),
    }
}

fn released() -> Update {
    freed().remove(attr::REASON).remove(attr::HOUSE).remove(attr::HOUSE_UNTIL)
}

impl Rule for Mark {
    type Refusal = Vec<Finding>;

    fn plan(&self) -> Result<Plan, Vec<Finding>> {
        Ok(Plan::new(self.spots.iter().map(|spot| self.write(spot)).collect()))
    }

    /// Seats that are as wanted need no write; every other one whose condition failed is named.
    fn explain(&self, refused: &Refused) -> Next<Self, Vec<Finding>> {
        let failed = |spot: &&Spot| refused.of(&self.key(spot)).is_some();
        let judge = |spot| self.judge(spot, refused.of(&self.key(spot)).and_then(|f| f.old.as_ref()));
        let findings: Vec<Finding> = self.spots.iter().filter(failed).filter_map(judge).collect();
        let rest: Vec<Spot> = self.spots.iter().filter(|spot| !failed(spot)).cloned().collect();
        match (findings.is_empty(), rest.is_empty()) {
            (false, _) => Next::No(findings),
            (true, true) => Next::Done,
            (true, false) => Next::Again(Self { spots: rest, ..self.clone() }),
        }
    }
}
