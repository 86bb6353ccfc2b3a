//! Standing places: numbers, spread over shares so that one wanted pool does not heat one item.
//!
//! Places are taken from one share, the first of a random order that has enough; when no share has enough, the
//! last places come from several shares in the same transaction. `free` never falls below zero, by condition.

mod ask;

pub use ask::{PoolAsk, Portion};

use std::collections::BTreeMap;

use crate::ids::{EventId, PoolId};
use crate::items::{PoolLine, attr, key};
use crate::plan::{Cond, Update, Write};

/// Most shares of a pool: with two holds replaced by one another they must fit into a transaction.
pub const MAX_SHARES: u32 = 16;

/// The places of lines share by share: several lines of one share are one write.
fn by_share(lines: &[PoolLine]) -> BTreeMap<(&PoolId, u32), i64> {
    let mut shares = BTreeMap::new();
    for line in lines {
        *shares.entry((&line.pool, line.share)).or_default() += i64::from(line.quantity);
    }
    shares
}

/// Places go from one count to another, in one write a share: `from` and `to` are count attributes.
fn shift(event: &EventId, lines: &[PoolLine], from: &'static str, to: &'static str, holds: i64) -> Vec<Write> {
    let write = |((pool, share), n): ((&PoolId, u32), i64)| {
        let mut update = Update::new().add(from, -n).add(to, n).add(attr::VERSION, 1);
        if holds != 0 {
            update = update.add(attr::HOLDS, holds);
        }
        Write::update(key::share(event, pool, share), Cond::Ge(from, n.into()), update)
    };
    by_share(lines).into_iter().map(write).collect()
}

/// Held → claimed.
#[must_use]
pub fn claim(event: &EventId, lines: &[PoolLine]) -> Vec<Write> {
    shift(event, lines, attr::HELD, attr::CLAIMED, 0)
}

/// Claimed → held.
#[must_use]
pub fn unclaim(event: &EventId, lines: &[PoolLine]) -> Vec<Write> {
    shift(event, lines, attr::CLAIMED, attr::HELD, 0)
}

/// Claimed → sold.
#[must_use]
pub fn sell(event: &EventId, lines: &[PoolLine]) -> Vec<Write> {
    shift(event, lines, attr::CLAIMED, attr::SOLD, 0)
}

/// Held, claimed or sold → free.
#[must_use]
pub fn give_back(event: &EventId, lines: &[PoolLine], from: Taken) -> Vec<Write> {
    shift(event, lines, from.attribute(), attr::FREE, -1)
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
    for (lines, sign) in [(old, -1), (new, 1)] {
        for (share, places) in by_share(lines) {
            let (held, holds) = shares.entry(share).or_default();
            (*held, *holds) = (*held + sign * places, *holds + sign);
        }
    }
    let changed = shares.into_iter().filter(|(_, change)| *change != (0, 0));
    changed.map(|(share, change)| differ(event, share, change)).collect()
}

fn differ(event: &EventId, (pool, share): (&PoolId, u32), (held, holds): (i64, i64)) -> Write {
    let expect = if held >= 0 { Cond::Ge(attr::FREE, held.into()) } else { Cond::Ge(attr::HELD, (-held).into()) };
    let update =
        Update::new().add(attr::FREE, -held).add(attr::HELD, held).add(attr::HOLDS, holds).add(attr::VERSION, 1);
    Write::update(key::share(event, pool, share), expect, update)
}
