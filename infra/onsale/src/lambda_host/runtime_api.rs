//! The Lambda Runtime API (version 2018-06-01) over HTTP.
//!
//! Each instance has its own port, as each has its own sandbox at AWS: that is how the host knows
//! who asks.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::function::{Function, InvokeError};
use super::instance::{Instance, Work};

/// The largest answer a function may give (6 MB at AWS).
const RESPONSE_BYTES_MAX: usize = 6 * 1024 * 1024;

/// The Runtime API of one instance. Dropping it counts as the end of the instance's process: the
/// invocation it carried fails at that moment.
#[derive(Debug)]
pub struct Sandbox {
    instance: Arc<Instance>,
    address: SocketAddr,
    server: JoinHandle<()>,
}

impl Sandbox {
    /// Registers a new instance of `function` and serves its Runtime API on a free port of
    /// 127.0.0.1.
    ///
    /// # Errors
    /// When no port can be bound.
    pub fn open(function: &Arc<Function>) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let (address, listener) = (listener.local_addr()?, TcpListener::from_std(listener)?);
        let instance = Instance::open(Arc::clone(function));
        let app = router(Arc::clone(&instance));
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the Runtime API stopped");
            }
        });
        Ok(Self { instance, address, server })
    }

    /// The value of `AWS_LAMBDA_RUNTIME_API` for the instance's process.
    pub fn runtime_api(&self) -> String {
        self.address.to_string()
    }

    /// The instance.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.instance.closed();
        self.server.abort();
    }
}

fn router(instance: Arc<Instance>) -> Router {
    let base = "/2018-06-01/runtime";
    Router::new()
        .route(&format!("{base}/invocation/next"), get(next))
        .route(&format!("{base}/invocation/{{id}}/response"), post(response))
        .route(&format!("{base}/invocation/{{id}}/error"), post(error))
        .route(&format!("{base}/init/error"), post(init_error))
        .layer(DefaultBodyLimit::max(RESPONSE_BYTES_MAX))
        .with_state(instance)
}

async fn next(State(instance): State<Arc<Instance>>) -> Response {
    let work = instance.next().await;
    invocation(&instance, work)
}

fn invocation(instance: &Instance, work: Work) -> Response {
    let function = instance.function();
    let arn = format!("arn:aws:lambda:us-east-1:000000000000:function:{}", function.name());
    let deadline_ms = now_ms() + function.timeout().as_millis();
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("lambda-runtime-aws-request-id", work.id),
        ("lambda-runtime-deadline-ms", deadline_ms.to_string()),
        ("lambda-runtime-invoked-function-arn", arn),
    ];
    (headers, work.payload).into_response()
}

async fn response(State(instance): State<Arc<Instance>>, Path(id): Path<String>, body: Bytes) -> Response {
    accepted(instance.finish(&id, Ok(body)))
}

async fn error(State(instance): State<Arc<Instance>>, Path(id): Path<String>, body: String) -> Response {
    accepted(instance.finish(&id, Err(InvokeError::Function(body))))
}

async fn init_error(State(instance): State<Arc<Instance>>, headers: HeaderMap) -> Response {
    let kind = headers.get("lambda-runtime-function-error-type").and_then(|v| v.to_str().ok());
    tracing::error!(function = instance.function().name(), kind, "function failed to initialise");
    accepted(true)
}

fn accepted(known: bool) -> Response {
    match known {
        true => (StatusCode::ACCEPTED, r#"{"status":"OK"}"#).into_response(),
        false => {
            let why = r#"{"errorType":"InvalidRequestID","errorMessage":"not the current invocation"}"#;
            (StatusCode::BAD_REQUEST, why).into_response()
        }
    }
}

fn now_ms() -> u128 {
    // The clock of this machine is past 1970.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis())
}
