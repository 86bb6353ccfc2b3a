//! The routes of the stand-ins.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde::Deserialize;

use super::{Desk, MAIL_KEY, Message, lock, verify};

#[derive(Deserialize)]
struct Verification {
    secret: Option<String>,
    response: Option<String>,
}

type Shared = State<Arc<Mutex<Desk>>>;

pub(super) fn router(desk: Arc<Mutex<Desk>>) -> Router {
    Router::new()
        .route("/turnstile/v0/siteverify", post(siteverify))
        .route("/mail", get(mails).post(mail))
        .with_state(desk)
}

async fn siteverify(State(desk): Shared, Form(asked): Form<Verification>) -> Response {
    let mut desk = lock(&desk);
    if desk.outage {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    Json(verify(&mut desk, asked.secret.as_deref(), asked.response.as_deref())).into_response()
}

async fn mail(State(desk): Shared, headers: HeaderMap, Json(message): Json<Message>) -> StatusCode {
    let shown = headers.get("authorization").and_then(|value| value.to_str().ok());
    if shown.and_then(|value| value.strip_prefix("Bearer ")) != Some(MAIL_KEY) {
        return StatusCode::UNAUTHORIZED;
    }
    lock(&desk).mails.push(message);
    StatusCode::ACCEPTED
}

async fn mails(State(desk): Shared) -> Json<Vec<Message>> {
    Json(lock(&desk).mails.clone())
}
