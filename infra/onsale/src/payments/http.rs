//! The routes: Stripe's, and some of our own (`/_control`, `/_ledger`, `/_events`, the bank's page).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request as HttpRequest, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::stream;
use tokio::sync::watch;

use super::challenge;
use super::desk::{Desk, Progress, Request, now_ms};
use super::error::Refusal;
use super::faults::Control;
use super::idempotency::Answer;
use super::operation::{Operation, Params};

#[derive(Clone)]
struct Shared {
    desk: Arc<Desk>,
    stopped: watch::Receiver<bool>,
}

/// The whole server; once `stopped` turns true, replies are lost instead of sent.
pub(super) fn router(desk: Arc<Desk>, stopped: watch::Receiver<bool>) -> Router {
    let shared = Shared { desk, stopped };
    let stripe = Router::new()
        .route("/v1/payment_intents", get(list).post(create))
        .route("/v1/payment_intents/{id}", get(one))
        .route("/v1/payment_intents/{id}/{operation}", post(change))
        .route("/v1/refunds", post(refund))
        .layer(from_fn_with_state(shared.clone(), door));
    let own = Router::new()
        .route("/_control", post(control))
        .route("/_ledger", get(ledger))
        .route("/_events", get(events))
        .route("/_challenge/{id}", get(ask).post(answered));
    stripe.merge(own).with_state(shared)
}

async fn door(State(shared): State<Shared>, request: HttpRequest, next: Next) -> Response {
    let authorization = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if shared.desk.outage() {
        return reply(Refusal::outage().into());
    }
    if !authorization.is_some_and(|value| value.starts_with("Bearer sk_")) {
        return reply(Refusal::unauthorized().into());
    }
    next.run(request).await
}

async fn create(State(shared): State<Shared>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    handle(shared, request(Operation::Create, String::new(), &uri, &headers, &body)).await
}

async fn refund(State(shared): State<Shared>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    handle(shared, request(Operation::Refund, String::new(), &uri, &headers, &body)).await
}

async fn change(
    State(shared): State<Shared>,
    Path((id, operation)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let operation = match &*operation {
        "confirm" => Operation::Confirm,
        "capture" => Operation::Capture,
        "cancel" => Operation::Cancel,
        _ => return reply(Refusal::missing("endpoint").into()),
    };
    handle(shared, request(operation, id, &uri, &headers, &body)).await
}

async fn one(State(shared): State<Shared>, Path(id): Path<String>, Query(params): Query<Params>) -> Response {
    let answer = shared.desk.get(&id, &params);
    send(&shared, Operation::Get, answer).await
}

async fn list(State(shared): State<Shared>, Query(params): Query<Params>) -> Response {
    let answer = shared.desk.list(&params);
    send(&shared, Operation::Get, answer).await
}

/// The bank's page.
async fn ask(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    let answer = shared.desk.get(&id, &Params::new());
    challenge::page(&answer.body).into_response()
}

/// What its customer said; then the browser goes back to the shop.
async fn answered(State(shared): State<Shared>, Path(id): Path<String>, uri: Uri, body: Bytes) -> Response {
    let asked = shared.desk.get(&id, &Params::new());
    let request = request(Operation::Challenge, id, &uri, &HeaderMap::new(), &body);
    match shared.desk.begin(&request) {
        Progress::Answered(answer) => challenge::back(&asked.body, &answer.body),
        Progress::Until(_) => lost(), // nobody is slow here
    }
}

async fn control(State(shared): State<Shared>, Json(control): Json<Control>) -> StatusCode {
    shared.desk.control(control);
    StatusCode::NO_CONTENT
}

async fn ledger(State(shared): State<Shared>) -> Response {
    let movements = shared.desk.movements();
    let lines = movements.iter().filter_map(|line| serde_json::to_string(line).ok());
    let text: String = lines.map(|line| line + "\n").collect();
    ([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response()
}

async fn events(State(shared): State<Shared>) -> Response {
    Json(shared.desk.events()).into_response()
}

fn request(operation: Operation, intent: String, uri: &Uri, headers: &HeaderMap, body: &[u8]) -> Request {
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let params = form_urlencoded::parse(body).into_owned().collect();
    Request { operation, intent, path: uri.path().to_owned(), params, key }
}

/// Runs the request to its end even if the caller goes away, as a provider does.
async fn handle(shared: Shared, request: Request) -> Response {
    let (operation, desk) = (request.operation, shared.desk.clone());
    let answer = tokio::spawn(async move {
        match desk.begin(&request) {
            Progress::Answered(answer) => answer,
            Progress::Until(ready_ms) => {
                let wait_ms = u64::try_from(ready_ms - now_ms()).unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(wait_ms + 1)).await;
                desk.finish(&request)
            }
        }
    });
    tokio::select! {
        answer = answer => match answer {
            Ok(answer) => send(&shared, operation, answer).await,
            Err(_) => lost(), // the task panicked: no reply, as from a process that died
        },
        () = stop(&shared) => lost(),
    }
}

/// Waits until the simulator is stopped.
async fn stop(shared: &Shared) {
    let mut stopped = shared.stopped.clone();
    let _ = stopped.wait_for(|stop| *stop).await; // a dropped sender means stop too
}

/// Sends the answer as late as the switches say, or not at all.
async fn send(shared: &Shared, operation: Operation, answer: Answer) -> Response {
    let (delay, lose) = shared.desk.reply_fault(operation);
    let stopping = tokio::select! {
        () = tokio::time::sleep(delay) => *shared.stopped.borrow(),
        () = stop(shared) => true,
    };
    if lose || stopping { lost() } else { reply(answer) }
}

fn reply(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(answer.body)).into_response()
}

/// A reply whose body breaks off at once: the connection is dropped before anything useful is sent.
fn lost() -> Response {
    Response::new(Body::from_stream(stream::once(async { Err::<Bytes, _>(io::Error::other("reply lost")) })))
}
