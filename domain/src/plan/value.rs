//! Items, their keys and their values.

use std::collections::BTreeMap;

/// An item: attribute names to values, keys `pk` and `sk` included. Ordered, so that the same item
/// is always written down the same way.
pub type Item = BTreeMap<String, Value>;

/// The two-part key of an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
}

impl Key {
    /// A key of these parts.
    #[must_use]
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }

    /// The key of a stored item; `None` when it has none.
    #[must_use]
    pub fn of(item: &Item) -> Option<Self> {
        let part = |name| item.get(name).and_then(Value::as_str);
        Some(Self::new(part("pk")?, part("sk")?))
    }
}

/// The kinds of value that the table stores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Text.
    S(String),
    /// A whole number; money is in minor units, times in milliseconds.
    N(i64),
    /// Yes or no.
    Bool(bool),
    /// Bytes.
    B(Vec<u8>),
    /// A list.
    L(Vec<Value>),
}

impl Value {
    /// The text of an `S`.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::S(text) = self { Some(text) } else { None }
    }

    /// The number of an `N`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::N(number) = self { Some(*number) } else { None }
    }

    /// The bytes of a `B`.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if let Self::B(bytes) = self { Some(bytes) } else { None }
    }

    /// The values of an `L`.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Self::L(list) = self { Some(list) } else { None }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::S(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::N(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::N(i64::from(number))
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::N(i64::from(number))
    }
}
