//! A decision as data: a list of conditional writes that happen together or not at all.
//!
//! Rules answer with a [`Plan`] or a refusal. `table` turns a plan into one DynamoDB transaction;
//! [`memory::World`] applies the same plan to a map. Nothing here knows seats, orders or an SDK.

mod cond;
pub mod memory;
mod rule;
mod value;
mod write;

pub use cond::Cond;
pub use rule::{Decided, MAX_ROUNDS, Next, Rule};
pub use value::{Item, Key, Value};
pub use write::{Change, Update, Write};

use sha2::{Digest, Sha256};

/// Writes that DynamoDB accepts in one transaction.
pub const MAX_WRITES: usize = 100;

/// Conditional writes that are committed in one transaction, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What is written; no key appears twice.
    pub writes: Vec<Write>,
}

/// Why a list of writes is not a plan; always a mistake in a rule, never a fan's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    /// More than [`MAX_WRITES`].
    #[error("a plan has at most 100 writes")]
    TooMany,
    /// Nothing to write.
    #[error("a plan has at least one write")]
    Empty,
    /// One item is written twice.
    #[error("a plan writes an item once")]
    Twice,
    /// An update changes nothing; [`Change::Check`] is meant.
    #[error("an update changes something")]
    NoChange,
}

impl Plan {
    /// A plan of these writes, in this order.
    #[must_use]
    pub fn new(writes: Vec<Write>) -> Self {
        Self { writes }
    }

    /// Names the content: equal plans have equal tokens. 32 characters.
    #[must_use]
    pub fn token(&self) -> String {
        token_of(&self.writes)
    }

    /// Checks what the table would refuse: size, updates without a change, and two writes of an item.
    ///
    /// # Errors
    /// The first [`BadPlan`] that applies.
    pub fn check(&self) -> Result<(), BadPlan> {
        if self.writes.is_empty() {
            return Err(BadPlan::Empty);
        }
        if self.writes.len() > MAX_WRITES {
            return Err(BadPlan::TooMany);
        }
        if self.writes.iter().any(|w| w.change == Change::Update(Update::default())) {
            return Err(BadPlan::NoChange);
        }
        let keys: std::collections::BTreeSet<_> = self.writes.iter().map(|w| &w.key).collect();
        if keys.len() < self.writes.len() { Err(BadPlan::Twice) } else { Ok(()) }
    }

    /// Where the write of `key` stands, if the plan has one.
    #[must_use]
    pub fn position(&self, key: &Key) -> Option<usize> {
        self.writes.iter().position(|w| &w.key == key)
    }
}

/// One write whose condition did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The item that was to be written.
    pub key: Key,
    /// The item as it stood; `None` when there was none.
    pub old: Option<Item>,
}

/// A plan that was not committed because conditions failed. Nothing was written.
///
/// Writes that are not listed may still have been unable to commit: DynamoDB reports a write that
/// collided with another transaction as a conflict, without a verdict on its condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The failed conditions, in the plan's order.
    pub failed: Vec<Failed>,
    /// Whether other writes of the plan collided or were throttled, so that the list may be short.
    pub partial: bool,
}

impl Refused {
    /// The failed condition on `key`, if it failed.
    #[must_use]
    pub fn of(&self, key: &Key) -> Option<&Failed> {
        self.failed.iter().find(|f| &f.key == key)
    }

    /// Nothing is learnt from it: writes that collided may have had more to say, so the rule is tried as it is; when all have
    /// spoken, the table holds something that no rule writes.
    pub fn unexplained<R: Clone, E>(&self, rule: &R, inconsistent: E) -> Next<R, E> {
        if self.partial { Next::Again(rule.clone()) } else { Next::No(inconsistent) }
    }

    /// Whether `key`'s condition failed and no other did.
    #[must_use]
    pub fn only(&self, key: &Key) -> bool {
        !self.failed.is_empty() && self.failed.iter().all(|f| &f.key == key)
    }
}

fn token_of(writes: &[Write]) -> String {
    use base64::Engine as _;
    let mut hash = Sha256::new();
    hash.update(b"plan\0");
    for write in writes {
        // Debug output of ordered data is deterministic; the token is compared only within a build.
        hash.update(format!("{write:?}\0"));
    }
    let digest = hash.finalize();
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&digest[..24])
}

#[cfg(test)]
mod tests;
