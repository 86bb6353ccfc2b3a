//! What the payment provider tells by itself: checked, kept, acknowledged; never acted on here.
//!
//! The edge has checked the signature; it is checked again here. What is acknowledged lies in the table, and whoever reads the
//! stream acts on it.

use checkout::wall_now;
use domain::webhook::{self, BadSignature, Hint, Keep, NoOrder, Said};
use lambda_http::{Body, Request, Response};
use serde_json::json;
use table::DecideError;

use crate::answer::json as answer;
use crate::app::App;
use crate::call;
use crate::problem::Problem;

/// The header of a signature.
const SIGNATURE: &str = "stripe-signature";

/// Keeps an event if it is about an order of ours; any other is acknowledged too, or the provider would send it for days.
pub async fn receive(app: &App, request: &Request) -> Result<Response<Body>, Problem> {
    let secrets = app.webhook_secrets.as_ref().ok_or(Problem::NotFound)?;
    let body = call::body(request)?;
    let header = request.headers().get(SIGNATURE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    webhook::verify(header, body, secrets, wall_now()).map_err(refused)?;
    let kept = match webhook::read(body).map_err(|_| Problem::BadRequest("the body is not an event"))? {
        Said::Of(hint) => keep(app, hint).await?,
        Said::Nothing => false,
    };
    Ok(answer(200, &json!({"kept": kept})))
}

/// Whether it is about an order of ours.
async fn keep(app: &App, hint: Hint) -> Result<bool, Problem> {
    let (event, kind, order) = (hint.event.clone(), hint.kind.clone(), hint.order);
    match app.table.decide(Keep { hint, wall: wall_now() }).await {
        Ok(_) => {
            tracing::info!(%order, provider_event = event, kind, "the provider told of an order");
            Ok(true)
        }
        Err(DecideError::Refused(NoOrder)) => {
            tracing::warn!(%order, provider_event = event, kind, "the provider told of an order that is not here");
            Ok(false)
        }
        Err(DecideError::Table(error)) => Err(error.into()),
    }
}

fn refused(why: BadSignature) -> Problem {
    tracing::warn!(%why, "an event of the provider was refused");
    Problem::Signature
}
