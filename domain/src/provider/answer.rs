//! The provider's answers.

use serde::Deserialize;

use super::intent::{Intent, RawError, RawIntent, is_id};

/// Why the provider did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The card said no.
    #[error("the card was declined ({0})")]
    Declined(String),
    /// The intent's status does not allow it; where it stands, if the provider says so.
    #[error("the intent's status does not allow this")]
    State(Option<Box<Intent>>),
    /// Nothing is left to refund.
    #[error("already refunded")]
    Refunded,
    /// No such intent or payment method.
    #[error("the provider does not know it")]
    Missing,
    /// The first request under this key has not been answered yet.
    #[error("the idempotency key is in use")]
    KeyInUse,
    /// The key was used for something else; a mistake of ours.
    #[error("the idempotency key was used for something else")]
    KeySpent,
    /// Too many requests.
    #[error("the provider asks for patience")]
    Busy,
    /// The provider failed; whether it did anything is not known.
    #[error("the provider failed with status {0}")]
    Server(u16),
    /// Our key to the provider is not accepted.
    #[error("the provider does not accept our key")]
    Unauthorized,
    /// A parameter was refused; a mistake of ours.
    #[error("the provider refused a parameter")]
    Parameter,
    /// The answer is not what the provider's protocol allows.
    #[error("the provider's answer is unreadable")]
    Unreadable,
}

#[derive(Deserialize)]
struct RawFailure {
    error: RawError,
}

#[derive(Deserialize)]
struct RawPage {
    data: Vec<serde_json::Value>,
    has_more: bool,
}

/// A page of the provider's list. One payment that cannot be read does not hide the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Intents, newest first.
    pub intents: Vec<Intent>,
    /// Ids of those that cannot be read; `?` where that is the id itself.
    pub unreadable: Vec<String>,
    /// The last id of the page: the next one begins after it.
    pub last: Option<String>,
    /// Whether there is a next page.
    pub has_more: bool,
}

#[derive(Deserialize)]
struct RawRefund {
    amount: i64,
}

/// Reads the answer to everything that answers with an intent.
///
/// # Errors
/// What the provider refused, or [`Refused::Unreadable`].
pub fn read_intent(status: u16, body: &[u8]) -> Result<Intent, Refused> {
    let intent = Intent::from(read::<RawIntent>(status, body)?);
    if is_id(&intent.id) { Ok(intent) } else { Err(Refused::Unreadable) }
}

/// Reads a page of intents.
///
/// # Errors
/// As [`read_intent`].
pub fn read_page(status: u16, body: &[u8]) -> Result<Page, Refused> {
    let raw = read::<RawPage>(status, body)?;
    let id = |value: &serde_json::Value| value["id"].as_str().filter(|id| is_id(id)).map(str::to_owned);
    let mut page = Page { last: raw.data.last().and_then(id), has_more: raw.has_more, ..Page::default() };
    for value in raw.data {
        let named = id(&value);
        match (named, serde_json::from_value::<RawIntent>(value)) {
            (Some(_), Ok(intent)) => page.intents.push(intent.into()),
            (named, _) => page.unreadable.push(named.unwrap_or_else(|| "?".to_owned())),
        }
    }
    Ok(page)
}

/// Reads the answer to a refund: the minor units given back.
///
/// # Errors
/// As [`read_intent`].
pub fn read_refund(status: u16, body: &[u8]) -> Result<i64, Refused> {
    Ok(read::<RawRefund>(status, body)?.amount)
}

fn read<T: serde::de::DeserializeOwned>(status: u16, body: &[u8]) -> Result<T, Refused> {
    match status {
        200..=299 => serde_json::from_slice(body).map_err(|_| Refused::Unreadable),
        401 | 403 => Err(Refused::Unauthorized),
        429 => Err(Refused::Busy),
        500..=599 => Err(Refused::Server(status)),
        _ => Err(serde_json::from_slice::<RawFailure>(body)
            .map_or(Refused::Unreadable, |failure| refusal(status, failure.error))),
    }
}

fn refusal(status: u16, error: RawError) -> Refused {
    match (error.kind.as_deref(), error.code.as_deref(), status) {
        (Some("card_error"), code, _) => Refused::Declined(
            error.decline_code.or_else(|| code.map(str::to_owned)).unwrap_or_else(|| "unknown".to_owned()),
        ),
        (_, Some("payment_intent_unexpected_state"), _) => {
            Refused::State(error.payment_intent.map(|raw| Box::new((*raw).into())))
        }
        (_, Some("charge_expired_for_capture"), _) => Refused::State(None),
        (_, Some("charge_already_refunded"), _) => Refused::Refunded,
        (_, Some("idempotency_key_in_use"), _) | (_, _, 409) => Refused::KeyInUse,
        (Some("idempotency_error"), _, _) => Refused::KeySpent,
        (_, Some("resource_missing"), _) | (_, _, 404) => Refused::Missing,
        _ => Refused::Parameter,
    }
}
