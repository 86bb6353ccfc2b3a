//! Documents of an order: opened by the link alone, which is checked here before the origin is asked; the origin checks it again.

use domain::ids::{EventId, OrderId};
use domain::token::{DocumentToken, Token as _};
use worker::{Headers, Method, Response};

use crate::answer::Answer;
use crate::call::Call;
use crate::clock;
use crate::origin::{self, Outgoing};
use crate::problem::Code;
use crate::routes::booking;

/// A document shows itself: no script, nothing from elsewhere, in nobody's frame.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Hands a document on.
pub async fn show(call: &Call, event: &EventId, order: &str, file: &str) -> Answer {
    let order: OrderId = order.parse().map_err(|_| Code::NotFound)?;
    let link = call.query("link").ok_or(Code::LinkEnded)?;
    let token = DocumentToken::decode(&link, &call.config.keys, event).map_err(|_| Code::LinkEnded)?;
    if !token.opens(&order, clock::now()) {
        return Err(Code::LinkEnded.into());
    }
    let outgoing = Outgoing {
        method: Method::Get,
        path: format!("/v1/events/{event}/orders/{order}/{file}?link={link}"),
        headers: vec![("x-correlation-id", call.correlation.clone())],
        body: Vec::new(),
        timeout_ms: origin::BOOKING_TIMEOUT_MS,
    };
    let answer = origin::send(&call.config, outgoing).await?;
    let disposition = answer.headers().get("Content-Disposition")?;
    let answer = booking::pass_on(answer)?;
    if answer.status_code() == 200 { Ok(guarded(answer, disposition)?) } else { Ok(answer) }
}

/// The link is in the address: it is told to nobody, and kept by nobody.
fn guarded(answer: Response, disposition: Option<String>) -> worker::Result<Response> {
    let headers: Headers = answer.headers().clone();
    headers.set("Content-Security-Policy", POLICY)?;
    headers.set("Referrer-Policy", "no-referrer")?;
    headers.set("Content-Disposition", &disposition.unwrap_or_else(|| "attachment".to_owned()))?;
    Ok(answer.with_headers(headers))
}
