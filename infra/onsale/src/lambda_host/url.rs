//! A function URL with IAM: signature check, payload 2.0, origin log.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode};
use tokio::net::TcpListener;

use super::function::{Function, InvokeError};
use super::origin_log::{OriginLog, OriginRequest};
use super::payload;
use super::sigv4::Signer;

/// The largest request a function URL takes.
const REQUEST_BYTES_MAX: usize = 6 * 1024 * 1024;

/// What a function URL needs.
#[derive(Debug, Clone)]
pub struct FunctionUrl {
    /// The function behind it.
    pub function: Arc<Function>,
    /// Whose signature it accepts.
    pub signer: Signer,
    /// Where requests are noted.
    pub log: OriginLog,
}

/// Serves the function URL on `listener`, in the background.
pub fn serve(listener: TcpListener, url: FunctionUrl) -> tokio::task::JoinHandle<()> {
    let app = Router::new().fallback(handle).with_state(url);
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, app).await {
            tracing::error!(%error, "function URL stopped");
        }
    })
}

async fn handle(State(url): State<FunctionUrl>, request: Request) -> Response<Body> {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let response = respond(&url, &parts, body).await;
    url.log.add(OriginRequest {
        at_ms: jiff::Timestamp::now().as_millisecond() - i64::try_from(started.elapsed().as_millis()).unwrap_or(0),
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        status: response.status().as_u16(),
        correlation_id: text(&parts, "x-correlation-id"),
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    response
}

async fn respond(url: &FunctionUrl, parts: &Parts, body: Body) -> Response<Body> {
    let Ok(body) = to_bytes(body, REQUEST_BYTES_MAX).await else {
        return message(StatusCode::PAYLOAD_TOO_LARGE, "Request too large");
    };
    let target = parts.uri.path_and_query().map_or("/", |p| p.as_str());
    let now = SystemTime::now();
    if !url.signer.verify(now, parts.method.as_str(), target, &parts.headers, &body) {
        return message(StatusCode::FORBIDDEN, "Forbidden");
    }
    match url.function.invoke(payload::event(parts, &body)).await {
        Ok(bytes) => payload::answer(&bytes).unwrap_or_else(bad_gateway),
        Err(InvokeError::NoInstance) => message(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable"),
        Err(error) => {
            tracing::warn!(%error, path = parts.uri.path(), "origin invocation failed");
            bad_gateway()
        }
    }
}

fn bad_gateway() -> Response<Body> {
    message(StatusCode::BAD_GATEWAY, "Internal Server Error")
}

fn message(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(format!(r#"{{"Message":"{text}"}}"#)));
    *response.status_mut() = status;
    let json = axum::http::HeaderValue::from_static("application/json");
    response.headers_mut().insert("content-type", json);
    response
}

fn text(parts: &Parts, name: &str) -> Option<String> {
    Some(parts.headers.get(name)?.to_str().ok()?.to_owned())
}
