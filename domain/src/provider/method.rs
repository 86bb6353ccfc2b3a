//! Payment methods, and the refusal of card numbers.

use std::fmt;
use std::str::FromStr;

/// The provider's name for a payment method, `pm_` and up to 100 letters, digits or underscores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentMethod(String);

/// Why a text is not a payment method. Never shows the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMethod {
    /// It looks like a card number, which must never come here.
    #[error("card numbers are not accepted here")]
    CardNumber,
    /// It is something else.
    #[error("not a payment method of the provider")]
    Shape,
}

impl PaymentMethod {
    /// The provider's name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PaymentMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PaymentMethod {
    type Err = BadMethod;

    fn from_str(text: &str) -> Result<Self, BadMethod> {
        if looks_like_card_number(text) {
            return Err(BadMethod::CardNumber);
        }
        let rest = text.strip_prefix("pm_").ok_or(BadMethod::Shape)?;
        let fits = (1..=100).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if fits { Ok(Self(text.to_owned())) } else { Err(BadMethod::Shape) }
    }
}

/// Kinds of payment methods that the provider can authorize first and capture later, as it names them.
const LATER: [&str; 10] = [
    "card",
    "link",
    "affirm",
    "afterpay_clearpay",
    "amazon_pay",
    "cashapp",
    "klarna",
    "mobilepay",
    "paypal",
    "revolut_pay",
];

/// A kind of payment method that money cannot be set aside on. Seats would be sold before anybody knew whether they are paid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a kind of payment method that can be authorized first and captured later")]
pub struct CapturedAtOnce(pub String);

/// Reads a list of kinds of payment methods, separated by commas.
///
/// # Errors
/// The first kind that cannot be captured later; an empty list is one.
pub fn kinds(list: &str) -> Result<Vec<String>, CapturedAtOnce> {
    let known =
        |kind: &str| LATER.contains(&kind).then(|| kind.to_owned()).ok_or_else(|| CapturedAtOnce(kind.to_owned()));
    list.split(',').map(|kind| known(kind.trim())).collect()
}

/// Whether `text` contains 13 to 19 digits, perhaps with spaces or dashes between them, whose check
/// digit is right (Luhn).
#[must_use]
pub fn looks_like_card_number(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == ' ' || c == '-';
    text.split(|c: char| !is_part(c)).any(|run| {
        let digits: Vec<u32> = run.chars().filter_map(|c| c.to_digit(10)).collect();
        (13..=19).contains(&digits.len()) && luhn(&digits)
    })
}

/// The same of a path or query, where signs may be written as `%20` or `+`.
#[must_use]
pub fn address_looks_like_card_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (String::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        at += if code.is_some() { 3 } else { 1 };
        plain.push(char::from(code.unwrap_or(if byte == b'+' { b' ' } else { byte })));
    }
    looks_like_card_number(&plain)
}

/// Whether an idempotency key looks like a card number. A hash or UUID in hex is left alone, since one in five hundred of these has
/// such digits somewhere by chance: a number alone never has its letters.
#[must_use]
pub fn key_looks_like_card_number(key: &str) -> bool {
    let hex: Vec<char> = key.chars().filter(|c| *c != '-').collect();
    let is_hash =
        hex.len() >= 32 && hex.iter().all(char::is_ascii_hexdigit) && hex.iter().any(char::is_ascii_alphabetic);
    !is_hash && looks_like_card_number(key)
}

fn luhn(digits: &[u32]) -> bool {
    let double = |d: u32| if d > 4 { 2 * d - 9 } else { 2 * d };
    let sum: u32 = digits.iter().rev().enumerate().map(|(at, d)| if at % 2 == 1 { double(*d) } else { *d }).sum();
    sum.is_multiple_of(10)
}
