//! Lambda's Invoke, as far as it is needed to deliver dead letters again: the same path and answers as at AWS, under the
//! operator's key instead of a signature.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::Inner;
use super::control::{allowed, parse};
use crate::lambda_host::InvokeError;
use crate::letters::FAILED;

/// Where Lambda takes invocations.
pub(super) const PATH: &str = "/2015-03-31/functions/{function}/invocations";

pub(super) async fn invoke(
    State(stack): State<Arc<Inner>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    payload: Bytes,
) -> Response {
    let function = allowed(&stack, &headers).and_then(|()| parse(&name)).map(|part| stack.function(part));
    match function {
        Err(refused) => refused.into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, "that part is no function").into_response(),
        Ok(Some(function)) => answer(function.invoke(payload).await),
    }
}

fn answer(outcome: Result<Bytes, InvokeError>) -> Response {
    match outcome {
        Ok(answer) => answer.into_response(),
        Err(InvokeError::NoInstance) => (StatusCode::TOO_MANY_REQUESTS, "no instance runs").into_response(),
        Err(error) => ([(FAILED, "Unhandled")], error.to_string()).into_response(),
    }
}
