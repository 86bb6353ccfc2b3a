//! `GET /v1/events/{id}`: what an event's page needs to know.

use domain::bytes32::to_hex;
use domain::ids::EventId;
use domain::keys::KeyKind;
use domain::status::public_key;
use serde::Serialize;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::draw;
use crate::event::EdgeEvent;

#[derive(Serialize)]
struct Detail<'a> {
    #[serde(flatten)]
    event: &'a EdgeEvent,
    /// Public key of the status file's signature, base64url.
    status_key: String,
    /// Public key of the tickets' signature, base64url.
    ticket_key: String,
    /// What the organiser committed to before the first join, hex.
    commitment: String,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    max_per_account: u32,
}

/// The event, with what is needed to check the line's word.
pub async fn detail(call: &Call, event: &EventId) -> Answer {
    let view = cache::view(&call.env, event).await?;
    let public = |kind| public_key(&call.config.keys.signing_key(kind, event));
    let detail = Detail {
        event: &view.event,
        status_key: public(KeyKind::Status),
        ticket_key: public(KeyKind::Ticket),
        commitment: to_hex(&draw::event_commitment(&call.config, event)),
        limits: Limits { max_per_account: view.event.max_per_account },
    };
    answer::json_cached("public, max-age=5", &serde_json::to_string(&detail)?)
}
