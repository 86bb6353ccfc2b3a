//! `GET …/status.json`: the same bytes for everybody.

use domain::ids::EventId;

use crate::answer::Answer;
use crate::cache::{self, Status};
use crate::call::Call;
use crate::plain::Plain;

/// The status file.
pub async fn file(call: &Call, event: &EventId) -> Answer {
    let status = cache::status(&call.env, event).await?;
    Ok(plain(&status, call.header("If-None-Match").as_deref()).response()?)
}

/// What a reader gets who has the document named by `none_match`.
pub fn plain(status: &Status, none_match: Option<&str>) -> Plain {
    Plain::document("public, max-age=1", &status.document, none_match)
}
