//! Answers in plain words: what both ways out of this crate are made from, the runtime's response object and the text
//! that the shim's short way turns into one.

use std::borrow::Cow;

use worker::{Headers, Response};

use crate::clock;
use crate::document::{Binary, Document, is_known};
use crate::problem::Problem;

/// A status, headers and a body.
pub struct Plain {
    status: u16,
    headers: Vec<(&'static str, Cow<'static, str>)>,
    body: Body,
}

/// What follows the headers.
enum Body {
    Nothing,
    Text(String),
    Bytes(Vec<u8>),
}

impl Plain {
    /// A JSON answer.
    pub fn json(status: u16, caching: &'static str, body: String) -> Self {
        Self::of(status, "application/json", caching, Body::Text(body))
    }

    /// Lines of JSON that nobody may keep.
    pub fn lines(text: String) -> Self {
        Self::of(200, "application/x-ndjson", "no-store", Body::Text(text))
    }

    /// A JSON document with its rule for caches, or the word that the reader has it already.
    pub fn document(caching: &'static str, document: &Document, none_match: Option<&str>) -> Self {
        Self::file("application/json", caching, document, none_match)
    }

    /// A document of any kind in the same way.
    pub fn file(kind: &'static str, caching: &'static str, document: &Document, none_match: Option<&str>) -> Self {
        let known = none_match.is_some_and(|tags| document.is_known(tags));
        let (status, body) = if known { (304, Body::Nothing) } else { (200, Body::Text(document.text.clone())) };
        Self::of(status, kind, caching, body).with("ETag", document.tag.clone())
    }

    /// Bytes in the same way.
    pub fn binary(caching: &'static str, binary: &Binary, none_match: Option<&str>) -> Self {
        let known = none_match.is_some_and(|tags| is_known(&binary.tag, tags));
        let (status, body) = if known { (304, Body::Nothing) } else { (200, Body::Bytes(binary.bytes.clone())) };
        Self::of(status, "application/octet-stream", caching, body).with("ETag", binary.tag.clone())
    }

    /// The word that the reader has all there is.
    pub fn nothing() -> Self {
        Self { status: 204, headers: vec![("Cache-Control", Cow::Borrowed("no-store"))], body: Body::Nothing }
    }

    /// A refusal's document.
    pub fn problem(problem: &Problem) -> Self {
        let status = problem.code.http().0;
        let plain = Self::of(status, "application/problem+json", "no-store", Body::Text(problem.body().to_string()));
        match problem.retry_after_s() {
            Some(seconds) => plain.with("Retry-After", seconds.to_string()),
            None => plain,
        }
    }

    fn of(status: u16, kind: &'static str, caching: &'static str, body: Body) -> Self {
        let headers = vec![("Content-Type", Cow::Borrowed(kind)), ("Cache-Control", Cow::Borrowed(caching))];
        Self { status, headers, body }
    }

    fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The runtime's object.
    pub fn response(self) -> worker::Result<Response> {
        let headers = Headers::new();
        for (name, value) in &self.headers {
            headers.set(name, value)?;
        }
        let response = match self.body {
            Body::Nothing => Response::empty()?,
            Body::Text(text) => Response::ok(text)?,
            Body::Bytes(bytes) => Response::from_bytes(bytes)?,
        };
        Ok(response.with_status(self.status).with_headers(headers))
    }

    /// Status, names and values of all headers, an empty line, and the body: one line each, as `shim.mjs` reads them.
    /// A value has no line break: they are the worker's own words, and [`crate::call::correlation`] checks the one
    /// that is not. Bytes cannot be said in words: their answer goes the long way.
    pub fn words(&self, correlation: Option<&str>) -> Option<String> {
        let body = match &self.body {
            Body::Nothing => "",
            Body::Text(text) => text,
            Body::Bytes(_) => return None,
        };
        let mut words = String::with_capacity(body.len() + 320);
        words.push_str(&self.status.to_string());
        let own = self.headers.iter().map(|(name, value)| (*name, value.as_ref()));
        let second = clock::second();
        for (name, value) in own.chain(common(correlation, &second.date)) {
            for part in ["\n", name, "\n", value] {
                words.push_str(part);
            }
        }
        words.push_str("\n\n");
        words.push_str(body);
        Some(words)
    }
}

/// What every answer carries, and its call's id, if it is told. Pages set their clocks by the date; the bare runtime sends none.
pub fn common<'a>(correlation: Option<&'a str>, date: &'a str) -> impl Iterator<Item = (&'static str, &'a str)> {
    let id = correlation.map(|id| ("X-Correlation-Id", id));
    [("Date", date), ("X-Content-Type-Options", "nosniff")].into_iter().chain(id)
}
