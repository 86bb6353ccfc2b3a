//! `GET /v1/events/{id}`: what an event's page needs to know.

use domain::bytes32::to_hex;
use domain::ids::EventId;
use domain::keys::KeyKind;
use domain::status::public_key;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::draw;

/// The event, with what is needed to check the line's word.
pub async fn detail(call: &Call, event: &EventId) -> Answer {
    let view = cache::view(&call.env, event).await?;
    let mut body = serde_json::to_value(&view.event.event)?;
    let status_seed = call.config.keys.signing_key(KeyKind::Status, event);
    let ticket_seed = call.config.keys.signing_key(KeyKind::Ticket, event);
    body["status_key"] = json!(public_key(&status_seed));
    body["ticket_key"] = json!(public_key(&ticket_seed));
    body["commitment"] = json!(to_hex(&draw::event_commitment(&call.config, event)));
    body["limits"] = json!({ "max_per_account": view.event.max_per_account });
    answer::json_cached("public, max-age=5", &body.to_string())
}
