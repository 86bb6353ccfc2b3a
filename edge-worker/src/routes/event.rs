//! `GET /v1/events/{id}`: what an event's page needs to know.

use domain::ids::EventId;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;

/// The event, with the keys to check what the line says.
pub async fn detail(call: &Call, event: &EventId) -> Answer {
    let view = cache::view(&call.env, event).await?;
    answer::json_cached("public, max-age=5", &serde_json::to_string(&*view)?)
}
