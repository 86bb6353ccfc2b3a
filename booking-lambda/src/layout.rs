//! The layout, as stored: compressed for those who take it so.

use domain::ids::EventId;
use lambda_http::{Body, Response};

use crate::answer;
use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;

/// Sends the layout.
pub async fn show(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let event = app.events.get(&app.table, event).await?;
    if call.accepts_gzip() {
        return Ok(packed(event.venue.packed.clone()));
    }
    let layout = serde_json::to_value(&event.venue.layout).map_err(|_| Problem::Internal)?;
    Ok(answer::json(200, &layout))
}

fn packed(bytes: Vec<u8>) -> Response<Body> {
    let builder =
        Response::builder().status(200).header("content-type", "application/json").header("content-encoding", "gzip");
    builder.body(Body::Binary(bytes)).unwrap_or_default() // constants only: they always build
}
