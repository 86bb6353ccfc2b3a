//! The stack's own HTTP: status, kill and start of parts. It asks for the operator's key, so that
//! no page in a browser can drive it.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::part::Part;
use super::{Inner, invoke};

type Answer = Result<Json<Value>, (StatusCode, String)>;

pub(super) fn serve(listener: TcpListener, stack: Arc<Inner>) -> JoinHandle<()> {
    let app = Router::new()
        .route("/status", get(status))
        .route("/origin-log", get(origin_log))
        .route(invoke::PATH, post(invoke::invoke))
        .route("/parts/{part}/kill", post(kill))
        .route("/parts/{part}/start", post(start))
        .with_state(stack);
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, app).await {
            tracing::error!(%error, "control stopped");
        }
    })
}

async fn status(State(stack): State<Arc<Inner>>, headers: HeaderMap) -> Answer {
    allowed(&stack, &headers)?;
    Ok(Json(stack.status().await))
}

async fn origin_log(State(stack): State<Arc<Inner>>, headers: HeaderMap) -> Answer {
    allowed(&stack, &headers)?;
    Ok(Json(json!(stack.origin_log.requests())))
}

async fn kill(State(stack): State<Arc<Inner>>, Path(part): Path<String>, headers: HeaderMap) -> Answer {
    allowed(&stack, &headers)?;
    stack.kill(parse(&part)?).await.map_err(failed)?;
    Ok(Json(json!({ "killed": part })))
}

async fn start(State(stack): State<Arc<Inner>>, Path(part): Path<String>, headers: HeaderMap) -> Answer {
    allowed(&stack, &headers)?;
    stack.revive(parse(&part)?).await.map_err(failed)?;
    Ok(Json(json!({ "started": part })))
}

pub(super) fn allowed(stack: &Inner, headers: &HeaderMap) -> Result<(), (StatusCode, String)> {
    let wanted = format!("Bearer {}", stack.operator_key());
    let given = headers.get("authorization").map_or(&b""[..], |v| v.as_bytes());
    let equal: bool = subtle::ConstantTimeEq::ct_eq(wanted.as_bytes(), given).into();
    equal.then_some(()).ok_or((StatusCode::UNAUTHORIZED, "the operator's key is needed".to_owned()))
}

pub(super) fn parse(name: &str) -> Result<Part, (StatusCode, String)> {
    Part::from_str(name).map_err(|e| (StatusCode::NOT_FOUND, e.to_string()))
}

fn failed(error: super::StackError) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
