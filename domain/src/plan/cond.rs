//! Conditions with DynamoDB's meaning.

use std::cmp::Ordering;

use super::{Item, Value};

/// What must hold of the stored item for its write, and so for the whole plan, to happen.
///
/// The meaning is DynamoDB's: a comparison with an attribute that is missing or of another type is
/// false, except [`Cond::Ne`], which is then true. Order is defined for numbers, texts and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Nothing is asked.
    Always,
    /// There is no such item.
    Absent,
    /// There is such an item.
    Exists,
    /// The attribute equals the value.
    Eq(&'static str, Value),
    /// The attribute is missing or differs from the value.
    Ne(&'static str, Value),
    /// The attribute is below the value.
    Lt(&'static str, Value),
    /// The attribute is at most the value.
    Le(&'static str, Value),
    /// The attribute is above the value.
    Gt(&'static str, Value),
    /// The attribute is at least the value.
    Ge(&'static str, Value),
    /// The attribute is missing, as all are of an item that does not exist.
    Missing(&'static str),
    /// All hold; an empty list always does.
    All(Vec<Cond>),
    /// One holds; an empty list never does. An empty list is no expression for the table.
    Any(Vec<Cond>),
}

impl Cond {
    /// Whether the condition holds of the stored item (`None`: there is none).
    #[must_use]
    pub fn holds(&self, item: Option<&Item>) -> bool {
        let order = |name: &str, value| attribute(item, name).and_then(|v| compare(v, value));
        match self {
            Self::Always => true,
            Self::Absent => item.is_none(),
            Self::Exists => item.is_some(),
            Self::Eq(name, value) => attribute(item, name) == Some(value),
            Self::Ne(name, value) => attribute(item, name) != Some(value),
            Self::Lt(name, value) => order(name, value).is_some_and(Ordering::is_lt),
            Self::Le(name, value) => order(name, value).is_some_and(Ordering::is_le),
            Self::Gt(name, value) => order(name, value).is_some_and(Ordering::is_gt),
            Self::Ge(name, value) => order(name, value).is_some_and(Ordering::is_ge),
            Self::Missing(name) => attribute(item, name).is_none(),
            Self::All(all) => all.iter().all(|c| c.holds(item)),
            Self::Any(any) => any.iter().any(|c| c.holds(item)),
        }
    }

    /// Both this and `other`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::Always => other,
            Self::All(mut all) => {
                all.push(other);
                Self::All(all)
            }
            one => Self::All(vec![one, other]),
        }
    }

    /// This or `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Any(mut any) => {
                any.push(other);
                Self::Any(any)
            }
            one => Self::Any(vec![one, other]),
        }
    }

    /// `attribute = value`.
    #[must_use]
    pub fn eq(name: &'static str, value: impl Into<Value>) -> Self {
        Self::Eq(name, value.into())
    }
}

fn attribute<'a>(item: Option<&'a Item>, name: &str) -> Option<&'a Value> {
    item.and_then(|i| i.get(name))
}

/// Order within one of the types that have one.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::N(l), Value::N(r)) => Some(l.cmp(r)),
        (Value::S(l), Value::S(r)) => Some(l.as_bytes().cmp(r.as_bytes())),
        (Value::B(l), Value::B(r)) => Some(l.cmp(r)),
        _ => None,
    }
}
