//! `GET /v1/events/{id}`: what an event's page needs to know.

use std::rc::Rc;

use domain::bytes32::to_hex;
use domain::ids::EventId;
use domain::keys::KeyKind;
use domain::status::public_key;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::clock;
use crate::document::Document;
use crate::draw;
use crate::event::EdgeEvent;
use crate::problem::Problem;
use crate::shelf::{Lot, Shelf};

#[derive(Serialize)]
struct Detail {
    #[serde(flatten)]
    event: Value,
    /// Public key of the status file's signature, base64url.
    status_key: String,
    /// Public key of the tickets' signature, base64url.
    ticket_key: String,
    /// What the organiser committed to before the first join, hex.
    commitment: String,
    /// The secret itself, hex: published once the on-sale is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_secret: Option<String>,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    max_per_account: u32,
}

thread_local! {
    /// Three keys are derived for it: too dear for every request.
    static DETAILS: Shelf<Document> = const { Shelf::of(64) };
}

/// How long a detail is shown without a look at the event, in milliseconds.
const DETAIL_MS: i64 = 1_000;

/// The event, with what is needed to check the line's word.
pub async fn detail(call: &Call, event: &EventId) -> Answer {
    let detail = match DETAILS.with(|shelf| shelf.peek(event.as_str(), clock::now())) {
        Some(known) => known,
        None => compose(call, event).await?,
    };
    answer::document(call, "public, max-age=5", &detail)
}

async fn compose(call: &Call, event: &EventId) -> Result<Rc<Document>, Problem> {
    let view = cache::view(&call.env, event).await?;
    let key = |kind| public_key(&call.config.keys.signing_key(kind, event));
    let detail = Detail {
        event: public(&view.event)?,
        status_key: key(KeyKind::Status),
        ticket_key: key(KeyKind::Ticket),
        commitment: to_hex(&draw::event_commitment(&call.config, event)),
        draw_secret: view.closed.then(|| to_hex(&draw::secret(&call.config, event))),
        limits: Limits { max_per_account: view.event.max_per_account },
    };
    let document = Document::new(serde_json::to_string(&detail)?);
    let until = clock::now().plus(DETAIL_MS);
    Ok(DETAILS.with(|shelf| shelf.keep(event.as_str(), Lot::new(document, until, until))))
}

/// The event as everybody may read it: of its checks only what a fan can act on.
fn public(event: &EdgeEvent) -> Result<Value, Problem> {
    let mut shown = serde_json::to_value(event)?;
    if let Some(fields) = shown.as_object_mut() {
        let checks = &event.checks;
        fields.insert("checks".into(), json!({ "challenge": checks.challenge, "claims": checks.claims }));
    }
    Ok(shown)
}
