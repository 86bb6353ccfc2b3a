//! Calls to services outside the deployment, bounded in time as a whole.

use std::time::Duration;

use futures_util::future::{Either, select};
use serde::de::DeserializeOwned;
use worker::{AbortController, Delay, Fetch, Headers, Method, Request, RequestInit, Response};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The service cannot be reached, or what it says cannot be read.
    Unreachable,
    /// It took too long; the call may have taken effect.
    TooLong,
}

/// Sends a request and waits `ms` at most for the head of its answer.
pub async fn send(request: Request, ms: u64) -> Result<Response, Silence> {
    let abort = AbortController::default();
    let signal = abort.signal();
    let sent = Fetch::Request(request);
    match select(Box::pin(sent.send_with_signal(&signal)), Delay::from(Duration::from_millis(ms))).await {
        Either::Left((Ok(response), _)) => Ok(response),
        Either::Left((Err(error), _)) => {
            worker::console_warn!("outside: {error}");
            Err(Silence::Unreachable)
        }
        Either::Right(_) => {
            abort.abort();
            Err(Silence::TooLong)
        }
    }
}

/// A POST request with these headers.
pub fn post(url: &str, headers: &[(&str, &str)], body: String) -> worker::Result<Request> {
    let all = Headers::new();
    for (name, value) in headers {
        all.set(name, value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_headers(all).with_body(Some(body.into()));
    Request::new_with_init(url, &init)
}

/// The JSON of a successful answer, within `ms`.
pub async fn json<T: DeserializeOwned>(mut response: Response, ms: u64) -> Result<T, Silence> {
    if !(200..300).contains(&response.status_code()) {
        return Err(Silence::Unreachable);
    }
    match select(Box::pin(response.json()), Delay::from(Duration::from_millis(ms))).await {
        Either::Left((read, _)) => read.map_err(|_| Silence::Unreachable),
        Either::Right(_) => Err(Silence::TooLong),
    }
}
