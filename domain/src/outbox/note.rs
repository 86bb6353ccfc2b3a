//! Which messages an order implies, and how they are written.

use super::body::{self, Handed};
use crate::items::{Order, OrderState, OutKind, OutMessage, OutState, attr, key};
use crate::plan::{Cond, Next, Plan, Refused, Rule, Write};
use crate::time::WallMs;

/// How long messages are kept, in ms: three months.
const KEEP_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// What is true of an order as it now is, and so is to be told. An order that was not sold tells nothing.
///
/// Whatever follows implies what came before, so the list of a later state only grows, but for [`OutKind::Issued`]: that is told
/// while the tickets are good, and by nobody any more once they were voided.
#[must_use]
pub fn implied(order: &Order) -> Vec<OutKind> {
    use OutKind::{Cancelled, Captured, Confirmed, Issued, Reduced, Refunded, Released};
    let mut told = match order.state {
        OrderState::Confirmed | OrderState::CaptureFailed | OrderState::Cancelling => vec![Confirmed],
        OrderState::Captured if order.parts == 0 => vec![Confirmed, Captured],
        OrderState::Captured | OrderState::Delivered | OrderState::Reducing => vec![Confirmed, Captured, Issued],
        OrderState::Cancelled => vec![Confirmed, Cancelled],
        OrderState::Refunded => vec![Confirmed, Captured, Refunded],
        OrderState::Released => vec![Confirmed, Released],
        OrderState::Paying | OrderState::Voiding | OrderState::Declined => vec![],
        OrderState::SeatsGone | OrderState::Abandoned => vec![],
    };
    if order.parts > 0 && matches!(order.state, OrderState::Captured | OrderState::Delivered | OrderState::Reducing) {
        told.push(Reduced);
    }
    told
}

/// The place of a message among those of its order. Parts that are given back are counted, so each has its own.
#[must_use]
pub const fn rank(kind: OutKind, parts: u32) -> u32 {
    match kind {
        OutKind::Confirmed => 1,
        OutKind::Captured => 2,
        OutKind::Issued => 3,
        OutKind::Reduced => 10 + parts,
        OutKind::Cancelled | OutKind::Refunded | OutKind::Released => 999_999,
    }
}

/// Writes the messages that an order implies and that are not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The order, as read.
    pub order: Order,
    /// Ranks of the messages that are there, read afterwards.
    pub known: Vec<u32>,
    /// The tickets that were handed out first.
    pub handed: Handed,
    /// Wall time now.
    pub now: WallMs,
}

/// The order is not as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the order moved on")]
pub struct Stale;

impl Note {
    /// The messages that are missing, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<OutMessage> {
        let kinds = implied(&self.order).into_iter();
        let missing = kinds.filter(|kind| !self.known.contains(&rank(*kind, self.order.parts)));
        missing.map(|kind| self.message(kind)).collect()
    }

    fn message(&self, kind: OutKind) -> OutMessage {
        let order = &self.order;
        let rank = rank(kind, order.parts);
        OutMessage {
            event: order.event.clone(),
            order: order.id,
            rank,
            kind,
            body: body::of(order, kind, rank, &self.handed, self.now),
            state: OutState::Pending,
            due: self.now,
            tries: 0,
            sender: None,
            last: None,
            made: self.now,
            keep_until: self.now.plus(KEEP_MS),
        }
    }

    /// In the very state in which it was read, and no part given back since.
    fn as_read(&self) -> Cond {
        let parts = self.order.parts;
        let parts = if parts == 0 { Cond::Missing(attr::PARTS) } else { Cond::eq(attr::PARTS, parts) };
        Cond::eq(attr::STATE, self.order.state).and(parts)
    }
}

impl Rule for Note {
    type Refusal = Stale;

    fn plan(&self) -> Result<Plan, Stale> {
        let check = Write::check(key::order(&self.order.id), self.as_read());
        let messages = self.missing();
        let puts = messages.iter().map(|message| Write::put(message.to_item(), Cond::Absent));
        Ok(Plan::new(std::iter::once(check).chain(puts).collect()))
    }

    fn explain(&self, refused: &Refused) -> Next<Self, Stale> {
        if refused.of(&key::order(&self.order.id)).is_some() {
            return Next::No(Stale);
        }
        let is_there = |message: &OutMessage| refused.of(&key::out(&message.order, message.rank)).is_some();
        let there: Vec<u32> = self.missing().iter().filter(|m| is_there(m)).map(|m| m.rank).collect();
        let known = self.known.iter().copied().chain(there).collect();
        let again = Self { known, ..self.clone() };
        if again.missing().is_empty() { Next::Done } else { Next::Again(again) }
    }
}
