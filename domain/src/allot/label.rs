//! Reasons and names that operators give.

use std::fmt;
use std::str::FromStr;

/// Longest reason or name, in bytes of UTF-8.
pub const LABEL_MAX: usize = 80;

/// A reason for a block, or for whom the house keeps a seat: one line of printable text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label(String);

/// Text that is not a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a reason or name is one line of 1 to {LABEL_MAX} bytes of printable text")]
pub struct BadLabel;

impl FromStr for Label {
    type Err = BadLabel;

    fn from_str(text: &str) -> Result<Self, BadLabel> {
        let text = text.trim();
        let good = (1..=LABEL_MAX).contains(&text.len()) && !text.chars().any(char::is_control);
        good.then(|| Self(text.to_owned())).ok_or(BadLabel)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
