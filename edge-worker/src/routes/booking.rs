//! Booking calls: the access token is enforced here, before any call to the origin; the origin checks it again.

use domain::ids::EventId;
use domain::provider::{address_looks_like_card_number, key_looks_like_card_number, looks_like_card_number};
use domain::status::Phase;
use domain::token::AccessToken;
use serde::Deserialize;
use worker::{Headers, Method, Response};

use crate::answer::{Answer, with_cookie};
use crate::cache::{self, Status};
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::credentials;
use crate::origin::{self, Outgoing};
use crate::problem::{Code, Problem};
use crate::tally;

/// How long after its session's end a token still reaches the origin on [`Rule::Lasting`] calls, in
/// milliseconds of event time: a hold (10 minutes), its extensions and an order being paid end within it.
/// Whether such a hold or order exists only the origin knows, and it decides.
const LASTING_MS: i64 = 1_800_000;

/// Longest `Idempotency-Key`, in bytes.
const KEY_MAX: usize = 200;

/// What a booking call asks of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The session must be live.
    Live,
    /// A live hold or an order being paid keeps the session valid for this call.
    Lasting,
    /// The session may be long over: the token proves the place in the line.
    Ended,
}

/// The rule of a booking route; `None` if there is no such route.
pub fn rule(method: &Method, path: &[&str]) -> Option<Rule> {
    match (method, path) {
        (Method::Post, ["holds"]) => Some(Rule::Live),
        (Method::Get | Method::Delete, ["holds", _]) => Some(Rule::Lasting),
        (Method::Post, ["holds", _, "extension"]) => Some(Rule::Lasting),
        (Method::Get | Method::Post, ["orders"]) => Some(Rule::Lasting),
        (Method::Get, ["orders", _]) => Some(Rule::Lasting),
        (Method::Post, ["orders", _, "cancellation"]) => Some(Rule::Lasting),
        (Method::Get | Method::Post | Method::Delete, ["waiting"]) => Some(Rule::Ended),
        _ => None,
    }
}

/// Checks the token against the event clock and hands the call on.
pub async fn forward(call: &mut Call, event: &EventId, rule: Rule) -> Answer {
    let token = enforce(call, event, rule).await?;
    let body = call.body(BODY_MAX).await?;
    let (path, headers) = (path_and_query(call), headers(call, token)?);
    without_card_numbers(call, &path, &body)?;
    let outgoing =
        Outgoing { method: call.request.method(), path, headers, body, timeout_ms: origin::BOOKING_TIMEOUT_MS };
    let answer = pass_on(counted(event, origin::send(&call.config, outgoing).await?).await?)?;
    if rule == Rule::Ended { with_access(call, event, answer).await } else { Ok(answer) }
}

/// An answer of the waiting list; the access token that comes with an offer travels as every other does.
async fn with_access(call: &Call, event: &EventId, mut answer: Response) -> Answer {
    if answer.status_code() != 200 && answer.status_code() != 201 {
        return Ok(answer);
    }
    let (status, headers, text) = (answer.status_code(), answer.headers().clone(), answer.text().await?);
    let offer: Offer = serde_json::from_str(&text)?;
    let answer = Response::ok(text)?.with_status(status).with_headers(headers);
    match offer.access_token {
        Some(token) => with_cookie(answer, &credentials::access_cookie(&call.config, event, &token)),
        None => Ok(answer),
    }
}

/// What the edge reads in such an answer.
#[derive(Deserialize)]
struct Offer {
    access_token: Option<String>,
}

/// The access token's text, if it may make this call. Ladder: shown, authentic, no emergency stop, not revoked, in its time.
pub async fn enforce(call: &Call, event: &EventId, rule: Rule) -> Result<String, Problem> {
    let (text, token) = credentials::access(call, event)?;
    let status = cache::status(&call.env, event).await?;
    may_call(&token, rule, &status)?;
    Ok(text)
}

/// Whether an authentic token may make a call of this rule now. Ladder: no emergency stop, not revoked, the session lasts as
/// long as the call needs, by the event clock.
pub fn may_call(token: &AccessToken, rule: Rule, status: &Status) -> Result<(), Problem> {
    if status.file.phase == Phase::Stopped {
        return Err(Code::Stopped.into());
    }
    if token.rev < status.file.rev {
        return Err(Code::TokenRevoked.into());
    }
    let now = status.event_now(clock::now());
    let lasting = AccessToken { expires: token.expires.plus(LASTING_MS), ..*token };
    let live = match rule {
        Rule::Live => token.live(now),
        Rule::Lasting => lasting.live(now),
        Rule::Ended => true,
    };
    live.then_some(()).ok_or_else(|| Problem::from(Code::AccessExpired).with("expires_ms", token.expires.0))
}

/// A card's number, in whatever field, goes no further: not to the origin, nor into anybody's access log behind this.
fn without_card_numbers(call: &Call, path: &str, body: &[u8]) -> Result<(), Problem> {
    let key = call.header("Idempotency-Key").is_some_and(|key| key_looks_like_card_number(&key));
    // The event's id is the organiser's, and may be a date with a time.
    let rest = path.splitn(5, '/').last().unwrap_or_default();
    let found = key || address_looks_like_card_number(rest) || looks_like_card_number(&String::from_utf8_lossy(body));
    if found { Err(Code::CardNumberRefused.into()) } else { Ok(()) }
}

fn path_and_query(call: &Call) -> String {
    match call.url.query() {
        Some(query) => format!("{}?{query}", call.url.path()),
        None => call.url.path().to_owned(),
    }
}

fn headers(call: &Call, token: String) -> Result<Vec<(&'static str, String)>, Problem> {
    let mut headers = vec![("x-access-token", token), ("x-correlation-id", call.correlation.clone())];
    if !call.is_read() {
        headers.push(("content-type", "application/json".into()));
    }
    if let Some(key) = call.header("Idempotency-Key") {
        if key.is_empty() || key.len() > KEY_MAX || !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Problem::because(Code::BadRequest, "an Idempotency-Key has 1 to 200 visible ASCII characters"));
        }
        headers.push(("idempotency-key", key));
    }
    Ok(headers)
}

/// Reads a refusal of the origin on its way, and counts its code.
async fn counted(event: &EventId, mut response: Response) -> Result<Response, Problem> {
    let status = response.status_code();
    if status < 400 {
        return Ok(response);
    }
    let headers = response.headers().clone();
    let document = response.text().await.map_err(|_| Code::OriginUnavailable)?;
    if headers.get("Content-Type")?.is_some_and(|kind| kind.starts_with("application/problem+json")) {
        tally::refused(event.as_str(), &document);
    }
    Ok(Response::ok(document)?.with_status(status).with_headers(headers))
}

/// The origin's answer with only those headers that are meant for the fan.
pub fn pass_on(response: Response) -> Answer {
    let status = response.status_code();
    let kind = response.headers().get("Content-Type")?.unwrap_or_default();
    if status >= 400 && !kind.starts_with("application/problem+json") {
        // Not the box office's own words: the platform before it refused or failed.
        worker::console_error!("origin: unexpected status {status}");
        return Err(Code::OriginUnavailable.into());
    }
    let headers = Headers::new();
    headers.set("Cache-Control", "no-store")?;
    for name in ["Content-Type", "Retry-After"] {
        if let Some(value) = response.headers().get(name)? {
            headers.set(name, &value)?;
        }
    }
    Ok(response.with_headers(headers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_booking_route_has_its_rule() {
        let cases: [(Method, &[&str], Option<Rule>); 11] = [
            (Method::Post, &["waiting"], Some(Rule::Ended)),
            (Method::Put, &["waiting"], None),
            (Method::Post, &["holds"], Some(Rule::Live)),
            (Method::Get, &["holds", "h"], Some(Rule::Lasting)),
            (Method::Delete, &["holds", "h"], Some(Rule::Lasting)),
            (Method::Post, &["holds", "h", "extension"], Some(Rule::Lasting)),
            (Method::Post, &["orders"], Some(Rule::Lasting)),
            (Method::Get, &["orders", "o"], Some(Rule::Lasting)),
            (Method::Post, &["orders", "o", "cancellation"], Some(Rule::Lasting)),
            (Method::Post, &["pulse"], None),
            (Method::Put, &["holds"], None),
        ];
        for (method, path, want) in cases {
            assert_eq!(rule(&method, path), want, "{method:?} {path:?}");
        }
    }
}
