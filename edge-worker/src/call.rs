//! One request at the edge: its parts, its body, its correlation id, and where it may come from.

use std::rc::Rc;

use domain::ids::EventId;
use domain::provider::key_looks_like_card_number;
use serde::de::DeserializeOwned;
use worker::{Env, Method, Request, Url};

use crate::clock;
use crate::config::Config;
use crate::problem::{Code, Problem};

/// Longest body a route reads, in bytes; longer ones are refused unread.
pub const BODY_MAX: u64 = 16 * 1024;
/// Longest body of the operator's routes, in bytes: an event with its levels, a list of names.
pub const OPERATOR_BODY_MAX: u64 = 512 * 1024;

/// A request and what answering it needs.
pub struct Call {
    /// The request itself.
    pub request: Request,
    /// The bindings.
    pub env: Env,
    /// The configuration.
    pub config: Rc<Config>,
    /// The request's address.
    pub url: Url,
    /// One id from here to the stream, in every answer and log line.
    pub correlation: String,
    /// Whether the caller gave that id.
    pub is_given: bool,
}

impl Call {
    /// Takes a request apart.
    pub fn new(request: Request, env: Env) -> worker::Result<Self> {
        let config = Config::of(&env)?;
        let url = request.url()?;
        let given = given(request.headers().get("X-Correlation-Id")?);
        let (is_given, correlation) = (given.is_some(), given.unwrap_or_else(clock::random_id));
        Ok(Self { request, env, config, url, correlation, is_given })
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<String> {
        self.request.headers().get(name).ok().flatten()
    }

    /// A parameter of the query.
    pub fn query(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// Whether the request only reads.
    pub fn is_read(&self) -> bool {
        matches!(self.request.method(), Method::Get | Method::Head)
    }

    /// The body, after its declared length was checked.
    pub async fn body(&mut self, max: u64) -> Result<Vec<u8>, Problem> {
        self.check_length(max)?;
        let body = self.request.bytes().await?;
        let fits = u64::try_from(body.len()).is_ok_and(|len| len <= max);
        fits.then_some(body).ok_or_else(|| Code::BodyTooLarge.into())
    }

    /// Reads a small body that says nothing: an unread one costs the client its connection.
    pub async fn ignore_body(&mut self) -> Result<(), Problem> {
        self.body(BODY_MAX).await.map(drop)
    }

    /// The body as JSON.
    pub async fn json<T: DeserializeOwned>(&mut self, max: u64) -> Result<T, Problem> {
        Ok(serde_json::from_slice(&self.body(max).await?)?)
    }

    /// The body as JSON, if there is one.
    pub async fn optional_json<T: DeserializeOwned>(&mut self, max: u64) -> Result<Option<T>, Problem> {
        let body = self.body(max).await?;
        if body.is_empty() { Ok(None) } else { Ok(serde_json::from_slice(&body)?) }
    }

    fn check_length(&self, max: u64) -> Result<(), Problem> {
        match self.header("Content-Length").map(|text| text.parse::<u64>()) {
            None if self.request.inner().body().is_some() => Err(Code::LengthRequired.into()),
            None => Ok(()),
            Some(Ok(len)) if len <= max => Ok(()),
            Some(Ok(_)) => Err(Code::BodyTooLarge.into()),
            Some(Err(_)) => Err(Code::BadRequest.into()),
        }
    }

    /// Refuses writes that another site's page makes the browser send.
    pub fn check_origin(&self) -> Result<(), Problem> {
        let (own, said) = (self.url.origin().ascii_serialization(), self.header("Origin"));
        let origins = Origins { own: &own, said: said.as_deref(), cookies: self.header("Cookie").is_some() };
        Ok(check_origin(&self.request.method(), &origins)?)
    }
}

/// Where a request comes from.
pub struct Origins<'a> {
    /// This site.
    pub own: &'a str,
    /// What the browser says of the page.
    pub said: Option<&'a str>,
    /// Whether it carries cookies.
    pub cookies: bool,
}

/// A write that rests on a cookie must say where it comes from; any write that says it comes from elsewhere is refused.
pub fn check_origin(method: &Method, origins: &Origins<'_>) -> Result<(), Code> {
    match origins.said {
        _ if matches!(method, Method::Get | Method::Head) => Ok(()),
        Some(said) if said == origins.own => Ok(()),
        None if !origins.cookies => Ok(()),
        _ => Err(Code::ForeignOrigin),
    }
}

/// The event named in the path; one that cannot exist is simply not found.
pub fn event_id(text: &str) -> Result<EventId, Problem> {
    text.parse().map_err(|_| Code::NotFound.into())
}

fn is_correlation(id: &str) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (8..=64).contains(&id.len()) && id.bytes().all(is_word) && !key_looks_like_card_number(id)
}

/// The id that the caller gave, if it is one.
pub fn given(shown: Option<String>) -> Option<String> {
    shown.filter(|id| is_correlation(id))
}

/// The same, or a fresh one.
pub fn correlation(shown: Option<String>) -> String {
    given(shown).unwrap_or_else(clock::random_id)
}

/// The same for the read of a map at hand: who gives no id shares the one of this second's readers.
pub fn readers_correlation(shown: Option<String>) -> String {
    given(shown).unwrap_or_else(|| clock::second().readers.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_of_other_sites_pages_are_refused() {
        let own = "https://shop.example";
        let refused = |method, said, cookies| check_origin(&method, &Origins { own, said, cookies }).is_err();
        assert!(!refused(Method::Get, Some("https://elsewhere.example"), true), "reads change nothing");
        assert!(!refused(Method::Post, Some(own), true));
        assert!(!refused(Method::Post, None, false));
        assert!(refused(Method::Post, None, true), "a cookie without a word about the page");
        assert!(refused(Method::Post, Some("https://elsewhere.example"), false));
        assert!(refused(Method::Delete, Some("https://shop.example.evil"), true));
    }

    #[test]
    fn correlation_ids_are_short_plain_words() {
        assert!(is_correlation("abc-123_XYZ"));
        for bad in ["short", "with space", "line\nbreak", "4242424242424242", "4242-4242-4242-4242", &"x".repeat(65)] {
            assert!(!is_correlation(bad), "{bad}");
        }
    }
}
