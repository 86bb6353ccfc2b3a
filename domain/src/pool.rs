//! Standing places: numbers, spread over shares so that one wanted pool does not heat one item.
//!
//! Places are taken from one share, the first of a random order that has enough; when no share has enough, the
//! last places come from several shares in the same transaction. `free` never falls below zero, by condition.

use std::collections::BTreeMap;

use crate::ids::{EventId, PoolId};
use crate::items::{PoolLine, attr, key};
use crate::plan::{Cond, Update, Write};

/// Most shares of a pool: with two holds replaced by one another they must fit into a transaction.
pub const MAX_SHARES: u32 = 16;

/// A wish for places of one pool at a price, before shares are chosen. Prices are for one place, in minor units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolAsk {
    /// Which pool.
    pub pool: PoolId,
    /// How many places.
    pub quantity: u32,
    /// Price level id.
    pub level: String,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
    /// Every share of the pool, in the random order in which they are tried.
    pub order: Vec<u32>,
    /// Free places of shares that refused, as they stood then.
    pub seen: BTreeMap<u32, u32>,
}

impl PoolAsk {
    /// The share that is tried alone, or parts of several once none is known to have enough.
    ///
    /// # Errors
    /// How many places are left, when the shares together have too few.
    pub fn spread(&self) -> Result<Vec<PoolLine>, u32> {
        let enough = |share: &&u32| self.seen.get(share).is_none_or(|free| *free >= self.quantity);
        match self.order.iter().find(enough) {
            Some(share) => Ok(vec![self.line(*share, self.quantity)]),
            None => self.gather(),
        }
    }

    fn gather(&self) -> Result<Vec<PoolLine>, u32> {
        let mut wanted = self.quantity;
        let mut lines = Vec::new();
        for share in &self.order {
            let part = self.seen.get(share).copied().unwrap_or(0).min(wanted);
            if part > 0 {
                lines.push(self.line(*share, part));
                wanted -= part;
            }
        }
        if wanted == 0 { Ok(lines) } else { Err(self.quantity - wanted) }
    }

    fn line(&self, share: u32, quantity: u32) -> PoolLine {
        PoolLine {
            pool: self.pool.clone(),
            share,
            quantity,
            level: self.level.clone(),
            price_minor: self.price_minor,
            fee_minor: self.fee_minor,
        }
    }
}

/// Places of a share go from one count to another: `from` and `to` are count attributes.
fn shift(event: &EventId, line: &PoolLine, from: &'static str, to: &'static str, holds: i64) -> Write {
    let n = i64::from(line.quantity);
    let mut update = Update::new().add(from, -n).add(to, n).add(attr::VERSION, 1);
    if holds != 0 {
        update = update.add(attr::HOLDS, holds);
    }
    Write::update(key::share(event, &line.pool, line.share), Cond::Ge(from, n.into()), update)
}

/// Free → held.
#[must_use]
pub fn take(event: &EventId, line: &PoolLine) -> Write {
    shift(event, line, attr::FREE, attr::HELD, 1)
}

/// Held → claimed.
#[must_use]
pub fn claim(event: &EventId, line: &PoolLine) -> Write {
    shift(event, line, attr::HELD, attr::CLAIMED, 0)
}

/// Claimed → held.
#[must_use]
pub fn unclaim(event: &EventId, line: &PoolLine) -> Write {
    shift(event, line, attr::CLAIMED, attr::HELD, 0)
}

/// Claimed → sold.
#[must_use]
pub fn sell(event: &EventId, line: &PoolLine) -> Write {
    shift(event, line, attr::CLAIMED, attr::SOLD, 0)
}

/// Held, claimed or sold → free.
#[must_use]
pub fn give_back(event: &EventId, line: &PoolLine, from: Taken) -> Write {
    shift(event, line, from.attribute(), attr::FREE, -1)
}

/// How a place is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// In a hold.
    Held,
    /// Being paid.
    Claimed,
    /// Sold.
    Sold,
}

impl Taken {
    fn attribute(self) -> &'static str {
        match self {
            Self::Held => attr::HELD,
            Self::Claimed => attr::CLAIMED,
            Self::Sold => attr::SOLD,
        }
    }
}

/// The places of a replaced hold become those of a new one: per share one write with the difference.
#[must_use]
pub fn exchange(event: &EventId, old: &[PoolLine], new: &[PoolLine]) -> Vec<Write> {
    let mut shares: BTreeMap<(&PoolId, u32), (i64, i64)> = BTreeMap::new();
    for line in old {
        let (held, holds) = shares.entry((&line.pool, line.share)).or_default();
        (*held, *holds) = (*held - i64::from(line.quantity), *holds - 1);
    }
    for line in new {
        let (held, holds) = shares.entry((&line.pool, line.share)).or_default();
        (*held, *holds) = (*held + i64::from(line.quantity), *holds + 1);
    }
    shares
        .into_iter()
        .filter(|(_, change)| *change != (0, 0))
        .map(|(share, change)| differ(event, share, change))
        .collect()
}

fn differ(event: &EventId, (pool, share): (&PoolId, u32), (held, holds): (i64, i64)) -> Write {
    let expect = if held >= 0 { Cond::Ge(attr::FREE, held.into()) } else { Cond::Ge(attr::HELD, (-held).into()) };
    let update =
        Update::new().add(attr::FREE, -held).add(attr::HELD, held).add(attr::HOLDS, holds).add(attr::VERSION, 1);
    Write::update(key::share(event, pool, share), expect, update)
}
