//! Answers, and how trouble becomes a problem.

use checkout::Unfinished;
use lambda_http::{Body, Response};
use serde_json::Value;
use table::TableError;

use crate::problem::Problem;

/// A JSON answer.
pub fn json(status: u16, body: &Value) -> Response<Body> {
    let builder = Response::builder().status(status).header("content-type", "application/json");
    let builder = builder.header("cache-control", "no-store");
    builder.body(Body::Text(body.to_string())).unwrap_or_default() // constants only: they always build
}

/// A document for its reader alone.
pub fn document(kind: &'static str, disposition: &str, bytes: Vec<u8>) -> Response<Body> {
    let builder = Response::builder().status(200).header("content-type", kind).header("cache-control", "no-store");
    let builder = builder.header("content-disposition", disposition);
    builder.body(Body::Binary(bytes)).unwrap_or_default() // ids and constants only: they always build
}

/// An answer without content.
pub fn nothing() -> Response<Body> {
    Response::builder().status(204).body(Body::Empty).unwrap_or_default() // constants only: they always build
}

/// The table's trouble is logged here, once, and becomes a problem.
impl From<TableError> for Problem {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Busy(_) => {
                tracing::warn!(%error, "table");
                Self::Busy
            }
            TableError::Unreachable(_) => {
                tracing::error!(%error, "table");
                Self::Unavailable
            }
            TableError::Broken(_) | TableError::Plan(_) | TableError::Unreadable(_) => {
                tracing::error!(%error, "table");
                Self::Internal
            }
        }
    }
}

impl From<Unfinished> for Problem {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Table(error) => error.into(),
            Unfinished::Provider(error) => {
                tracing::error!(%error, "payment provider");
                Self::Unavailable
            }
            Unfinished::NoOrder(_) => Self::NotFound,
            other => {
                tracing::error!(error = %other, "order");
                Self::Internal
            }
        }
    }
}

/// Stored items contradict a rule: always a mistake above the table.
pub fn inconsistent(what: &dyn std::fmt::Display) -> Problem {
    tracing::error!(%what, "stored items contradict each other");
    Problem::Internal
}
