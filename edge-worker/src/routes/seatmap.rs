//! `GET …/seatmap`: the map that came with the Pacer's pulse; readers never touch the table.

use domain::ids::EventId;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::routes::booking::{Rule, enforce};

/// The seat map, or only its version if the reader has it (`?since=`).
pub async fn seatmap(call: &Call, event: &EventId) -> Answer {
    enforce(call, event, Rule::Lasting).await?;
    let map = cache::map(&call.env, event).await?;
    let version = map.get("version").cloned().unwrap_or_default();
    match call.query("since") {
        Some(since) if since.parse().ok().is_some_and(|known: i64| version == known) => {
            answer::json(200, &json!({ "version": version }))
        }
        _ => answer::json(200, &*map),
    }
}
