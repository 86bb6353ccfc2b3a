//! Reading stored attributes.

use std::str::FromStr;

use super::attr;
use crate::plan::{Item, Value};

/// A stored item that is not what it should be. Never a business answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stored {kind} {key} has no readable {attribute}")]
pub struct Unreadable {
    /// Kind that was expected.
    pub kind: &'static str,
    /// Key of the item, or `?`.
    pub key: String,
    /// First attribute that is missing or of the wrong type.
    pub attribute: &'static str,
}

/// Reads one item of an expected kind.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    kind: &'static str,
    item: &'a Item,
}

impl<'a> Reader<'a> {
    /// A reader for an item whose `k` is `kind`.
    ///
    /// # Errors
    /// When the item is of another kind.
    pub fn new(kind: &'static str, item: &'a Item) -> Result<Self, Unreadable> {
        let reader = Self { kind, item };
        let found = reader.opt_text(attr::KIND);
        if found == Some(kind) { Ok(reader) } else { Err(reader.bad(attr::KIND)) }
    }

    /// The error for `attribute`.
    #[must_use]
    pub fn bad(&self, attribute: &'static str) -> Unreadable {
        let part = |name| self.opt_text(name).unwrap_or("?");
        let key = format!("{} {}", part(attr::PK), part(attr::SK));
        Unreadable { kind: self.kind, key, attribute }
    }

    /// A text that may be missing.
    #[must_use]
    pub fn opt_text(&self, name: &'static str) -> Option<&'a str> {
        self.item.get(name).and_then(Value::as_str)
    }

    /// A text.
    ///
    /// # Errors
    /// When it is missing.
    pub fn text(&self, name: &'static str) -> Result<&'a str, Unreadable> {
        self.opt_text(name).ok_or_else(|| self.bad(name))
    }

    /// A number that may be missing.
    #[must_use]
    pub fn opt_number(&self, name: &'static str) -> Option<i64> {
        self.item.get(name).and_then(Value::as_i64)
    }

    /// A number.
    ///
    /// # Errors
    /// When it is missing.
    pub fn number(&self, name: &'static str) -> Result<i64, Unreadable> {
        self.opt_number(name).ok_or_else(|| self.bad(name))
    }

    /// A number from 0 to 2³² − 1.
    ///
    /// # Errors
    /// When it is missing or out of range.
    pub fn count(&self, name: &'static str) -> Result<u32, Unreadable> {
        u32::try_from(self.number(name)?).map_err(|_| self.bad(name))
    }

    /// A number from 0 to 2³² − 1; a missing one is 0.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn opt_count(&self, name: &'static str) -> Result<u32, Unreadable> {
        self.opt_number(name).map_or(Ok(0), |number| u32::try_from(number).map_err(|_| self.bad(name)))
    }

    /// A list; a missing one is empty.
    #[must_use]
    pub fn list(&self, name: &'static str) -> &'a [Value] {
        self.item.get(name).and_then(Value::as_list).unwrap_or_default()
    }

    /// Bytes.
    ///
    /// # Errors
    /// When they are missing.
    pub fn bytes(&self, name: &'static str) -> Result<&'a [u8], Unreadable> {
        self.item.get(name).and_then(Value::as_bytes).ok_or_else(|| self.bad(name))
    }

    /// A text that parses as `T`.
    ///
    /// # Errors
    /// When it is missing or does not parse.
    pub fn parse<T: FromStr>(&self, name: &'static str) -> Result<T, Unreadable> {
        self.text(name)?.parse().map_err(|_| self.bad(name))
    }

    /// A text that may be missing and else parses as `T`.
    ///
    /// # Errors
    /// When it is there and does not parse.
    pub fn opt_parse<T: FromStr>(&self, name: &'static str) -> Result<Option<T>, Unreadable> {
        self.opt_text(name).map(|t| t.parse().map_err(|_| self.bad(name))).transpose()
    }

    /// The part of the sort key after `prefix`, parsed.
    ///
    /// # Errors
    /// When the sort key has another shape.
    pub fn sort_key<T: FromStr>(&self, prefix: &str) -> Result<T, Unreadable> {
        let rest = self.text(attr::SK)?.strip_prefix(prefix);
        rest.and_then(|r| r.parse().ok()).ok_or_else(|| self.bad(attr::SK))
    }

    /// The part of the partition key after `prefix`, parsed.
    ///
    /// # Errors
    /// When the partition key has another shape.
    pub fn partition_key<T: FromStr>(&self, prefix: &str) -> Result<T, Unreadable> {
        let rest = self.text(attr::PK)?.strip_prefix(prefix);
        rest.and_then(|r| r.parse().ok()).ok_or_else(|| self.bad(attr::PK))
    }
}

/// Collects attributes into an item.
#[derive(Clone, Debug)]
pub(super) struct Builder(Item);

impl Builder {
    pub(super) fn new(key: &crate::plan::Key, kind: &str) -> Self {
        let item = Item::new();
        Self(item).with(attr::PK, key.pk.as_str()).with(attr::SK, key.sk.as_str()).with(attr::KIND, kind)
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn maybe(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn done(self) -> Item {
        self.0
    }
}
