//! What belongs to an account and to no event.

use domain::token::{Token as _, account_scope};
use worker::Method;

use crate::answer::Answer;
use crate::call::Call;
use crate::clock;
use crate::credentials;
use crate::origin::{self, Outgoing};
use crate::problem::{Code, Problem};
use crate::routes::booking;

/// `GET /v1/orders`: the account's orders, a page at a time. Without a good account token the origin is not asked.
pub async fn orders(call: &Call) -> Answer {
    let outgoing = outgoing(call, Method::Get, path(call.query("after"))?)?;
    booking::pass_on(origin::send(&call.config, outgoing).await?)
}

/// A call to the origin in the name of the account whose credential is shown.
pub fn outgoing(call: &Call, method: Method, path: String) -> Result<Outgoing, Problem> {
    let token = credentials::account(call, clock::now())?;
    Ok(Outgoing {
        method,
        path,
        headers: vec![
            ("x-account-token", token.encode(&call.config.keys, &account_scope())),
            ("x-correlation-id", call.correlation.clone()),
        ],
        body: Vec::new(),
        timeout_ms: origin::BOOKING_TIMEOUT_MS,
    })
}

/// Where a page ended is the origin's to read; here it only has to be harmless in an address.
fn path(after: Option<String>) -> Result<String, Problem> {
    let harmless =
        |text: &str| text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    match after {
        None => Ok("/v1/orders".to_owned()),
        Some(after) if harmless(&after) => Ok(format!("/v1/orders?after={after}")),
        Some(_) => Err(Problem::because(Code::BadRequest, "after is not where a page ended")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_texts_go_into_an_address() {
        assert_eq!(path(None).ok().as_deref(), Some("/v1/orders"));
        assert_eq!(path(Some("1.A-_".into())).ok().as_deref(), Some("/v1/orders?after=1.A-_"));
        for bad in ["a b", "a&b=c", "ä", "a/../b", &"9".repeat(65)] {
            assert!(path(Some(bad.to_owned())).is_err(), "{bad}");
        }
    }
}
