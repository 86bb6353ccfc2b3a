//! Answers: JSON bodies, cookies, and the headers that every answer carries.

use serde::Serialize;
use worker::{Headers, Response};

use crate::call::Call;
use crate::clock;
use crate::problem::Problem;

/// What a route answers.
pub type Answer = Result<Response, Problem>;

/// A JSON answer that nobody may keep.
pub fn json(status: u16, body: &impl Serialize) -> Answer {
    text(status, "application/json", "no-store", &serde_json::to_string(body)?)
}

/// A JSON answer with its own rule for caches.
pub fn json_cached(caching: &str, body: &str) -> Answer {
    text(200, "application/json", caching, body)
}

fn text(status: u16, kind: &str, caching: &str, body: &str) -> Answer {
    let headers = Headers::new();
    headers.set("Content-Type", kind)?;
    headers.set("Cache-Control", caching)?;
    Ok(Response::ok(body)?.with_status(status).with_headers(headers))
}

/// Adds a cookie (see [`crate::credentials::set_cookie`]).
pub fn with_cookie(response: Response, cookie: &str) -> Answer {
    let headers = response.headers().clone();
    headers.append("Set-Cookie", cookie)?;
    Ok(response.with_headers(headers))
}

/// Turns a refusal into its document and adds what every answer carries.
pub fn finish(call: &Call, result: Answer) -> worker::Result<Response> {
    let response = result.or_else(|problem| problem.response())?;
    let headers = response.headers().clone();
    headers.set("X-Correlation-Id", &call.correlation)?;
    // Pages set their clocks by it; the bare runtime sends none.
    headers.set("Date", &clock::http_date())?;
    headers.set("X-Content-Type-Options", "nosniff")?;
    Ok(response.with_headers(headers))
}
