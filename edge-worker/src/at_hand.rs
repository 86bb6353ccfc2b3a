//! The short way: what an isolate can answer from its memory, without a request object of its own, and without waiting.
//!
//! `shim.mjs` hands over a few strings and gets one back, or nothing; then the request goes the long way, through
//! [`crate::router`]. Both ways use the same rules and the same words, so that nobody can tell which one was taken.

use domain::ids::EventId;
use domain::token::Verifier;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Method;

use crate::cache;
use crate::call::{self, Origins};
use crate::clock;
use crate::config::Config;
use crate::credentials::Shown;
use crate::fault::{self, Fault};
use crate::plain::Plain;
use crate::problem::Problem;
use crate::routes::booking::{self, Rule};
use crate::routes::{seatmap, status};
use crate::tally;

/// The status file, if it is here and young.
#[wasm_bindgen]
pub fn status_at_hand(event: &str, none_match: Option<String>, correlation: Option<String>) -> Option<String> {
    fault::strike_if_ordered(Fault::Front);
    let status = cache::status_at_hand(event, clock::now())?;
    let plain = status::plain(&status, none_match.as_deref());
    tally::request(event, "status.json");
    plain.words(call::given(correlation).as_deref())
}

/// The answer to a call that needs an access token, if it is refused, or if the reader has the seat map that it asks for.
///
/// `site` is the scheme and host that were asked, `path` what follows the event in the address, with its query. A read
/// with a token needs neither cookies nor origin.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)] // Strings are what crosses the border for nothing.
pub fn guarded_at_hand(
    method: String,
    site: &str,
    event: &str,
    path: &str,
    none_match: Option<String>,
    token: Option<String>,
    cookies: Option<String>,
    origin: Option<String>,
    correlation: Option<String>,
) -> Option<String> {
    let (config, method, event) = (Config::known()?, Method::from(method), event.parse().ok()?);
    let origins = Origins { own: site, said: origin.as_deref(), cookies: cookies.is_some() };
    let shown = Shown { token: token.as_deref(), cookies: cookies.as_deref() };
    let answered = match call::check_origin(&method, &origins) {
        Ok(()) => guarded(&config, &method, &event, path, none_match.as_deref(), &shown)?,
        Err(code) => Err(code.into()),
    };
    let (words, refused) = match answered {
        Ok(copy) => (copy.words(Some(&call::readers_correlation(correlation)))?, None),
        Err(problem) => (Plain::problem(&problem).words(Some(&call::correlation(correlation)))?, Some(problem)),
    };
    tally::request(event.as_str(), path);
    if let Some(problem) = refused {
        tally::refusal(event.as_str(), &problem.word());
    }
    Some(words)
}

fn guarded(
    config: &Config,
    method: &Method,
    event: &EventId,
    path: &str,
    none_match: Option<&str>,
    shown: &Shown<'_>,
) -> Option<Result<Plain, Problem>> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let segments: Vec<&str> = path.split('/').collect();
    let (rule, map) = match (method, segments.as_slice()) {
        (Method::Get | Method::Head, ["seatmap"]) => (Rule::Lasting, true),
        (method, path) => (booking::rule(method, path)?, false),
    };
    let now = clock::now();
    let status = cache::status_at_hand(event.as_str(), now);
    // Refusals ask for no status: where nobody else does, there is none.
    let own;
    let verifier = match &status {
        Some(status) => status.verifier(&config.keys, event),
        None => {
            own = Verifier::new(&config.keys, event);
            &own
        }
    };
    let token = match shown.access(config, event, verifier) {
        Ok((_, token)) => token,
        Err(problem) => return Some(Err(problem)),
    };
    match booking::may_call(&token, rule, &*status?) {
        Ok(()) if map => seatmap::at_hand(&*cache::map_at_hand(event.as_str(), now)?, query, none_match),
        // Only the long way can ask the origin.
        Ok(()) => None,
        Err(problem) => Some(Err(problem)),
    }
}
