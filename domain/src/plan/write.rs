//! One conditional write.

use super::{Cond, Item, Key, Value};

/// One item's condition and change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Which item.
    pub key: Key,
    /// What must hold of it.
    pub expect: Cond,
    /// What becomes of it.
    pub change: Change,
}

/// What becomes of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is replaced as a whole; the write's key is part of the item.
    Put(Item),
    /// Attributes are set, added to and removed; an absent item comes into being.
    Update(Update),
    /// It goes.
    Delete,
    /// Nothing; only the condition counts.
    Check,
}

/// Changes of single attributes. No attribute appears twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Attributes that get a value.
    pub set: Vec<(&'static str, Value)>,
    /// Numbers that are added to; a missing attribute counts as zero.
    pub add: Vec<(&'static str, i64)>,
    /// Attributes that go.
    pub remove: Vec<&'static str>,
}

impl Update {
    /// No change yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an attribute.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.set.push((name, value.into()));
        self
    }

    /// Adds to a number.
    #[must_use]
    pub fn add(mut self, name: &'static str, by: i64) -> Self {
        self.add.push((name, by));
        self
    }

    /// Removes an attribute.
    #[must_use]
    pub fn remove(mut self, name: &'static str) -> Self {
        self.remove.push(name);
        self
    }
}

impl Write {
    /// Replaces the item at its own `pk` and `sk`. An item without them gets empty ones, which the table refuses.
    #[must_use]
    pub fn put(item: Item, expect: Cond) -> Self {
        let key = Key::of(&item).unwrap_or_else(|| Key::new("", ""));
        Self { key, expect, change: Change::Put(item) }
    }

    /// Updates an item.
    #[must_use]
    pub fn update(key: Key, expect: Cond, update: Update) -> Self {
        Self { key, expect, change: Change::Update(update) }
    }

    /// Deletes an item.
    #[must_use]
    pub fn delete(key: Key, expect: Cond) -> Self {
        Self { key, expect, change: Change::Delete }
    }

    /// Only checks an item.
    #[must_use]
    pub fn check(key: Key, expect: Cond) -> Self {
        Self { key, expect, change: Change::Check }
    }
}
