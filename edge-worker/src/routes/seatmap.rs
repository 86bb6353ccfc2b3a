//! `GET …/seatmap`: the map that came with the Pacer's pulse; readers never touch the table.

use domain::ids::EventId;
use serde_json::json;

use crate::answer::Answer;
use crate::cache::{self, Map};
use crate::call::Call;
use crate::plain::Plain;
use crate::routes::booking::{Rule, enforce};

/// The seat map, or only its version if the reader has it (`?since=`).
pub async fn seatmap(call: &Call, event: &EventId) -> Answer {
    enforce(call, event, Rule::Lasting).await?;
    let map = cache::map(&call.env, event).await?;
    let since = call.query("since").and_then(|since| since.parse().ok());
    Ok(plain(&map, since, call.header("If-None-Match").as_deref()).response()?)
}

/// What a reader gets who has the version `since` or the document named by `none_match`.
pub fn plain(map: &Map, since: Option<i64>, none_match: Option<&str>) -> Plain {
    if since == Some(map.version) {
        return Plain::json(200, "no-store", json!({ "version": map.version }).to_string());
    }
    Plain::document("private, no-cache", &map.document, none_match)
}
