//! One request, read: headers by name, body as text; and its correlation id.

use domain::provider::{address_looks_like_card_number, key_looks_like_card_number, looks_like_card_number};
use lambda_http::{Body, Request, RequestExt as _};
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// What a handler sees of a request. `Debug` is deliberately not derived: tokens and bodies are in it.
pub struct Call {
    access: Option<String>,
    account: Option<String>,
    pulse: Option<String>,
    desk: Option<String>,
    key: Option<String>,
    accepts_gzip: bool,
    body: String,
}

/// Most bytes of a body: a hold of 40 seats takes about 3 kB.
const BODY_MAX: usize = 64 * 1024;

impl Call {
    /// Reads a request.
    ///
    /// # Errors
    /// The body is not text, or too long.
    pub fn read(request: &Request) -> Result<Self, Problem> {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let body = std::str::from_utf8(body(request)?).map_err(|_| Problem::BadRequest("the body is not text"))?;
        Ok(Self {
            access: header("x-access-token"),
            account: header("x-account-token"),
            pulse: header("x-pulse-token"),
            desk: header("x-desk-token"),
            key: header("idempotency-key").filter(|key| is_key(key)),
            accepts_gzip: header("accept-encoding").is_some_and(|value| value.contains("gzip")),
            body: body.to_owned(),
        })
    }

    /// The access token, as sent.
    pub fn access(&self) -> Option<&str> {
        self.access.as_deref()
    }

    /// The account token, as sent.
    pub fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// The pulse token, as sent.
    pub fn pulse(&self) -> Option<&str> {
        self.pulse.as_deref()
    }

    /// The desk token, as sent.
    pub fn desk(&self) -> Option<&str> {
        self.desk.as_deref()
    }

    /// Whether the answer may be compressed.
    pub fn accepts_gzip(&self) -> bool {
        self.accepts_gzip
    }

    /// The body as sent, to be fingerprinted and never logged.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The idempotency key.
    ///
    /// # Errors
    /// There is none, or none that we take.
    pub fn key(&self) -> Result<&str, Problem> {
        self.key.as_deref().ok_or(Problem::KeyRequired)
    }

    /// Refuses a call that carries what looks like a card's number, wherever it is: such a number must not get into tables or logs.
    ///
    /// # Errors
    /// There is one.
    pub fn without_card_numbers(&self, query: Option<&str>) -> Result<(), Problem> {
        let key = self.key.as_deref().is_some_and(key_looks_like_card_number);
        let query = query.is_some_and(address_looks_like_card_number);
        if key || query || looks_like_card_number(&self.body) { Err(Problem::CardNumber) } else { Ok(()) }
    }

    /// The body, read as JSON.
    ///
    /// # Errors
    /// It is not what the route takes.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_str(&self.body).map_err(|_| Problem::BadRequest("the body is not what this route takes"))
    }
}

/// The very bytes of a body.
///
/// # Errors
/// They are too many.
pub fn body(request: &Request) -> Result<&[u8], Problem> {
    let bytes: &[u8] = match request.body() {
        Body::Text(text) => text.as_bytes(),
        Body::Binary(bytes) => bytes,
        _ => &[],
    };
    if bytes.len() > BODY_MAX { Err(Problem::BadRequest("the body is too long")) } else { Ok(bytes) }
}

/// The correlation id of a request: the caller's, if it has a harmless shape, else the function's request id.
pub fn correlation(request: &Request) -> String {
    let given = request.headers().get("x-correlation-id").and_then(|value| value.to_str().ok());
    let harmless = |id: &&str| {
        (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let harmless = |id: &&str| harmless(id) && !key_looks_like_card_number(id);
    match (given.filter(harmless), request.lambda_context_ref()) {
        (Some(id), _) => id.to_owned(),
        (None, Some(context)) => context.request_id.clone(),
        (None, None) => "none".to_owned(),
    }
}

fn is_key(key: &str) -> bool {
    (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
}
