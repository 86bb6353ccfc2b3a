//! `GET …/status.json`: the same bytes for everybody.

use domain::ids::EventId;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;

/// The status file.
pub async fn file(call: &Call, event: &EventId) -> Answer {
    let status = cache::status(&call.env, event).await?;
    answer::json_cached("public, max-age=1", &status.text)
}
