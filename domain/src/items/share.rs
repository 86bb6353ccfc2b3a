//! Pool share items.

use super::read::{Builder, Reader, Unreadable};
use super::seat::event_and_rest;
use super::{attr, key};
use crate::ids::{EventId, PoolId};
use crate::plan::Item;

/// One share of a pool: `free + held + claimed + sold = capacity`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Event.
    pub event: EventId,
    /// Pool.
    pub pool: PoolId,
    /// Which share, from 0.
    pub share: u32,
    /// Places in all.
    pub capacity: u32,
    /// Places that anybody may take. Stored, because conditions cannot add.
    pub free: u32,
    /// Places in holds.
    pub held: u32,
    /// Places being paid.
    pub claimed: u32,
    /// Places sold.
    pub sold: u32,
    /// Holds that have places here, sold ones included.
    pub holds: u32,
    /// Price level id.
    pub level: String,
    /// Rises with every change.
    pub version: i64,
}

impl Share {
    /// The value of `k`.
    pub const KIND: &'static str = "share";

    /// A share that nobody touched.
    #[must_use]
    pub fn fresh(event: &EventId, pool: &PoolId, share: u32, capacity: u32, level: &str) -> Self {
        Self {
            event: event.clone(),
            pool: pool.clone(),
            share,
            capacity,
            free: capacity,
            held: 0,
            claimed: 0,
            sold: 0,
            holds: 0,
            level: level.to_owned(),
            version: 1,
        }
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        Builder::new(&key::share(&self.event, &self.pool, self.share), Self::KIND)
            .with(attr::CAPACITY, self.capacity)
            .with(attr::FREE, self.free)
            .with(attr::HELD, self.held)
            .with(attr::CLAIMED, self.claimed)
            .with(attr::SOLD, self.sold)
            .with(attr::HOLDS, self.holds)
            .with(attr::LEVEL, self.level.as_str())
            .with(attr::VERSION, self.version)
            .done()
    }

    /// Reads a stored share.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let (event, pool) = event_and_rest(r.text(attr::PK)?, "POOL#").ok_or_else(|| r.bad(attr::PK))?;
        Ok(Self {
            event: event.parse().map_err(|_| r.bad(attr::PK))?,
            pool: pool.parse().map_err(|_| r.bad(attr::PK))?,
            share: r.sort_key("SHARE#")?,
            capacity: r.count(attr::CAPACITY)?,
            free: r.count(attr::FREE)?,
            held: r.count(attr::HELD)?,
            claimed: r.count(attr::CLAIMED)?,
            sold: r.count(attr::SOLD)?,
            holds: r.count(attr::HOLDS)?,
            level: r.text(attr::LEVEL)?.to_owned(),
            version: r.number(attr::VERSION)?,
        })
    }
}
