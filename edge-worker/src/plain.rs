//! Answers in plain words: what both ways out of this crate are made from, the runtime's response object and the text
//! that the shim's short way turns into one.

use std::borrow::Cow;

use worker::{Headers, Response};

use crate::clock;
use crate::document::Document;
use crate::problem::Problem;

/// A status, headers and a body.
pub struct Plain {
    status: u16,
    headers: Vec<(&'static str, Cow<'static, str>)>,
    body: Option<String>,
}

impl Plain {
    /// A JSON answer.
    pub fn json(status: u16, caching: &'static str, body: String) -> Self {
        Self::of(status, "application/json", caching, Some(body))
    }

    /// Lines of JSON that nobody may keep.
    pub fn lines(text: String) -> Self {
        Self::of(200, "application/x-ndjson", "no-store", Some(text))
    }

    /// A document with its rule for caches, or the word that the reader has it already.
    pub fn document(caching: &'static str, document: &Document, none_match: Option<&str>) -> Self {
        let known = none_match.is_some_and(|tags| document.is_known(tags));
        let (status, body) = if known { (304, None) } else { (200, Some(document.text.clone())) };
        Self::of(status, "application/json", caching, body).with("ETag", document.tag.clone())
    }

    /// A refusal's document.
    pub fn problem(problem: &Problem) -> Self {
        let status = problem.code.http().0;
        let plain = Self::of(status, "application/problem+json", "no-store", Some(problem.body().to_string()));
        match problem.retry_after_s() {
            Some(seconds) => plain.with("Retry-After", seconds.to_string()),
            None => plain,
        }
    }

    fn of(status: u16, kind: &'static str, caching: &'static str, body: Option<String>) -> Self {
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
        let response = self.body.map_or_else(Response::empty, Response::ok)?;
        Ok(response.with_status(self.status).with_headers(headers))
    }

    /// Status, names and values of all headers, an empty line, and the body: one line each, as `shim.mjs` reads them.
    /// A value has no line break: they are the worker's own words, and [`crate::call::correlation`] checks the one
    /// that is not.
    pub fn words(&self, correlation: &str) -> String {
        let body = self.body.as_deref().unwrap_or_default();
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
        words
    }
}

/// What every answer carries. Pages set their clocks by the date; the bare runtime sends none.
pub fn common<'a>(correlation: &'a str, date: &'a str) -> [(&'static str, &'a str); 3] {
    [("X-Correlation-Id", correlation), ("Date", date), ("X-Content-Type-Options", "nosniff")]
}
