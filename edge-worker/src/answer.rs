//! Answers: JSON bodies, cookies, and the headers that every answer carries.

use serde::Serialize;
use worker::{Headers, Response};

use crate::call::Call;
use crate::clock;
use crate::document::Document;
use crate::plain::{Plain, common};
use crate::problem::Problem;

/// What a route answers.
pub type Answer = Result<Response, Problem>;

/// A JSON answer that nobody may keep.
pub fn json(status: u16, body: &impl Serialize) -> Answer {
    Ok(Plain::json(status, "no-store", serde_json::to_string(body)?).response()?)
}

/// A document with its rule for caches, or the word that the reader has it already.
pub fn document(call: &Call, caching: &'static str, document: &Document) -> Answer {
    Ok(Plain::document(caching, document, call.header("If-None-Match").as_deref()).response()?)
}

/// Lines of JSON that nobody may keep.
pub fn lines(text: String) -> Answer {
    Ok(Plain::lines(text).response()?)
}

/// Adds a cookie (see [`crate::credentials::set_cookie`]).
pub fn with_cookie(response: Response, cookie: &str) -> Answer {
    let headers = response.headers().clone();
    headers.append("Set-Cookie", cookie)?;
    Ok(response.with_headers(headers))
}

/// Turns a refusal into its document and adds what every answer carries.
pub fn finish(call: &Call, result: Answer) -> worker::Result<Response> {
    let response = result.or_else(|problem| Plain::problem(&problem).response())?;
    let headers = response.headers().clone();
    let told = call.is_given || !is_for_everybody(&headers)?;
    for (name, value) in common(told.then_some(&call.correlation), &clock::second().date) {
        headers.set(name, value)?;
    }
    Ok(response.with_headers(headers))
}

/// Whether caches may keep an answer: then whoever reads it from there would be told the id of somebody else's call.
fn is_for_everybody(headers: &Headers) -> worker::Result<bool> {
    Ok(headers.get("Cache-Control")?.is_some_and(|rule| rule.starts_with("public")))
}
