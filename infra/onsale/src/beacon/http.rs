//! The two routes of drand's API that matter here, and `/_control`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use domain::beacon::{Chain, Round, sign};
use domain::bytes32::to_hex;
use domain::time::WallMs;
use serde_json::{Value, json};

use super::{Mood, locked};

/// What the routes work with.
#[derive(Clone)]
pub(super) struct Desk {
    pub chain: Chain,
    pub secret: [u8; 64],
    pub mood: Arc<Mutex<Mood>>,
}

type Answer = Result<Json<Value>, StatusCode>;

pub(super) fn router(desk: Desk) -> Router {
    Router::new()
        .route("/{chain}/info", get(info))
        .route("/{chain}/public/{round}", get(round))
        .route("/_control", post(control))
        .with_state(desk)
}

async fn info(State(desk): State<Desk>, Path(chain): Path<String>) -> Answer {
    let known = desk.chain;
    (chain == to_hex(&known.chain)).then_some(()).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(json!({
        "public_key": to_hex(&known.public_key), "period": known.period_s, "genesis_time": known.genesis_s,
        "hash": chain, "schemeID": known.scheme,
    })))
}

/// A round that is due; earlier ones too, none that is to come.
async fn round(State(desk): State<Desk>, Path((chain, round)): Path<(String, u64)>) -> Answer {
    let mood = *locked(&desk.mood);
    tokio::time::sleep(Duration::from_millis(mood.delay_ms)).await;
    let now = WallMs(jiff::Timestamp::now().as_millisecond());
    match () {
        () if mood.outage => Err(StatusCode::SERVICE_UNAVAILABLE),
        () if chain != to_hex(&desk.chain.chain) || round == 0 => Err(StatusCode::NOT_FOUND),
        () if desk.chain.time_of(round) > now => Err(StatusCode::TOO_EARLY),
        () => Ok(Json(desk.signed(round, mood.lies))),
    }
}

async fn control(State(desk): State<Desk>, Json(mood): Json<Mood>) -> StatusCode {
    *locked(&desk.mood) = mood;
    StatusCode::NO_CONTENT
}

impl Desk {
    fn signed(&self, round: u64, lies: bool) -> Value {
        let secret = if lies { self.secret.map(|byte| !byte) } else { self.secret };
        let signed = Round { round, signature: sign(&secret, round) };
        json!({
            "round": round, "randomness": to_hex(&signed.randomness()), "signature": to_hex(&signed.signature),
        })
    }
}
