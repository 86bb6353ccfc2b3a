//! The routes of the stand-ins.

use std::sync::{Arc, Mutex};

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde::Deserialize;

use super::{Desk, MAIL_KEY, Message, lock, pages, ses, verify};

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
        .route("/mail/{n}", get(one))
        .route("/mail/{n}/html", get(html))
        .route("/mail/{n}/{at}", get(attachment))
        .route(ses::PATH, post(ses::send))
        .layer(DefaultBodyLimit::max(16 * 1024 * 1024))
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

/// The mails: a list of JSON for programs, a page for browsers.
async fn mails(State(desk): Shared, headers: HeaderMap) -> Response {
    let mails = lock(&desk).mails.clone();
    let accepts = headers.get("accept").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepts.contains("text/html") { pages::list(&mails).into_response() } else { Json(mails).into_response() }
}

async fn one(State(desk): Shared, Path(n): Path<usize>) -> Response {
    let mail = lock(&desk).mails.get(n).cloned();
    mail.map_or_else(|| StatusCode::NOT_FOUND.into_response(), |mail| pages::one(n, &mail).into_response())
}

/// A mail's HTML as it is, for a frame.
async fn html(State(desk): Shared, Path(n): Path<usize>) -> Response {
    let mail = lock(&desk).mails.get(n).and_then(|mail| mail.html.clone());
    mail.map_or_else(|| StatusCode::NOT_FOUND.into_response(), pages::html)
}

async fn attachment(State(desk): Shared, Path((n, at)): Path<(usize, usize)>) -> Response {
    let found = lock(&desk).mails.get(n).and_then(|mail| mail.attachments.get(at).cloned());
    found.map_or_else(|| StatusCode::NOT_FOUND.into_response(), pages::attachment)
}
