//! `POST /v1/provider/events`: what the payment provider tells by itself, handed on to the origin.
//!
//! The signature is checked here, over the body's very bytes, so that nobody else's call reaches the origin; the origin checks it
//! again. What an event means is not known here.

use domain::webhook;
use worker::Method;

use super::booking;
use crate::answer::Answer;
use crate::call::Call;
use crate::clock;
use crate::origin::{self, Outgoing};
use crate::problem::{Code, Problem};

/// Longest event, in bytes: a payment with 50 entries of metadata has some 30,000.
const EVENT_MAX: u64 = 64 * 1024;

/// Checks an event and hands it on. Ladder: there is a secret, the method, the length, the signature.
pub async fn event(call: &mut Call) -> Answer {
    let config = call.config.clone();
    let secrets = config.webhook_secrets.as_ref().ok_or(Code::NotFound)?;
    if call.request.method() != Method::Post {
        return Err(Code::MethodNotAllowed.into());
    }
    let signature = call.header("Stripe-Signature").unwrap_or_default();
    let body = call.body(EVENT_MAX).await?;
    webhook::verify(&signature, &body, secrets, clock::now()).map_err(|_| Problem::from(Code::SignatureInvalid))?;
    booking::pass_on(origin::send(&call.config, outgoing(call, signature, body)).await?)
}

fn outgoing(call: &Call, signature: String, body: Vec<u8>) -> Outgoing {
    Outgoing {
        method: Method::Post,
        path: call.url.path().to_owned(),
        headers: vec![
            ("content-type", "application/json".into()),
            ("stripe-signature", signature),
            ("x-correlation-id", call.correlation.clone()),
        ],
        body,
        timeout_ms: origin::BOOKING_TIMEOUT_MS,
    }
}
