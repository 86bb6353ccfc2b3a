//! The Lambda Runtime API (version 2018-06-01) over HTTP.
//!
//! Each instance has its own prefix, so that the host knows who asks:
//! `AWS_LAMBDA_RUNTIME_API=127.0.0.1:PORT/INSTANCE`.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;

use super::function::{Function, InvokeError};
use super::instance::{Instance, Work};

/// The largest answer a function may give (6 MB at AWS).
const RESPONSE_BYTES_MAX: usize = 6 * 1024 * 1024;

type Instances = Arc<Mutex<HashMap<String, Arc<Instance>>>>;

/// A running Runtime API that instances register with.
#[derive(Debug, Clone)]
pub struct RuntimeHost {
    address: SocketAddr,
    instances: Instances,
}

impl RuntimeHost {
    /// Serves the Runtime API on a free port of 127.0.0.1 for as long as the tokio runtime lives.
    ///
    /// # Errors
    /// When no port can be bound.
    pub async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let host = Self {
            address: listener.local_addr()?,
            instances: Instances::default(),
        };
        let app = router(host.instances.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(host)
    }

    /// Registers a new instance of `function`.
    pub fn open(&self, function: &Arc<Function>) -> Arc<Instance> {
        let id = format!("{}-{:08x}", function.name(), rand::random::<u32>());
        let instance = Instance::open(id.clone(), Arc::clone(function));
        self.lock().insert(id, Arc::clone(&instance));
        instance
    }

    /// Forgets an instance whose process has ended and fails what it carried.
    pub fn close(&self, instance: &Instance) {
        instance.closed();
        self.lock().remove(instance.id());
    }

    /// The value of `AWS_LAMBDA_RUNTIME_API` for an instance.
    pub fn runtime_api(&self, instance: &Instance) -> String {
        format!("{}/{}", self.address, instance.id())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Instance>>> {
        self.instances
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn router(instances: Instances) -> Router {
    let base = "/{instance}/2018-06-01/runtime";
    Router::new()
        .route(&format!("{base}/invocation/next"), get(next))
        .route(
            &format!("{base}/invocation/{{id}}/response"),
            post(response),
        )
        .route(&format!("{base}/invocation/{{id}}/error"), post(error))
        .route(&format!("{base}/init/error"), post(init_error))
        .layer(DefaultBodyLimit::max(RESPONSE_BYTES_MAX))
        .with_state(instances)
}

fn find(instances: &Instances, id: &str) -> Result<Arc<Instance>, StatusCode> {
    let instances = instances.lock().unwrap_or_else(PoisonError::into_inner);
    instances.get(id).cloned().ok_or(StatusCode::FORBIDDEN)
}

async fn next(
    State(instances): State<Instances>,
    Path(instance): Path<String>,
) -> Result<Response, StatusCode> {
    let instance = find(&instances, &instance)?;
    let work = instance.next().await;
    Ok(invocation(&instance, work))
}

fn invocation(instance: &Instance, work: Work) -> Response {
    let function = instance.function();
    let arn = format!(
        "arn:aws:lambda:us-east-1:000000000000:function:{}",
        function.name()
    );
    let deadline_ms = now_ms() + function.timeout().as_millis();
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("lambda-runtime-aws-request-id", work.id),
        ("lambda-runtime-deadline-ms", deadline_ms.to_string()),
        ("lambda-runtime-invoked-function-arn", arn),
    ];
    (headers, work.payload).into_response()
}

async fn response(
    State(instances): State<Instances>,
    Path((instance, id)): Path<(String, String)>,
    body: Bytes,
) -> Result<Response, StatusCode> {
    let known = find(&instances, &instance)?.finish(&id, Ok(body));
    Ok(accepted(known))
}

async fn error(
    State(instances): State<Instances>,
    Path((instance, id)): Path<(String, String)>,
    body: String,
) -> Result<Response, StatusCode> {
    let instance = find(&instances, &instance)?;
    Ok(accepted(
        instance.finish(&id, Err(InvokeError::Function(body))),
    ))
}

async fn init_error(
    State(instances): State<Instances>,
    Path(instance): Path<String>,
    headers: HeaderMap,
) -> Result<Response, StatusCode> {
    let instance = find(&instances, &instance)?;
    let kind = headers
        .get("lambda-runtime-function-error-type")
        .and_then(|v| v.to_str().ok());
    tracing::error!(
        function = instance.function().name(),
        kind,
        "function failed to initialise"
    );
    Ok(accepted(true))
}

fn accepted(known: bool) -> Response {
    match known {
        true => (StatusCode::ACCEPTED, r#"{"status":"OK"}"#).into_response(),
        false => {
            let why =
                r#"{"errorType":"InvalidRequestID","errorMessage":"not the current invocation"}"#;
            (StatusCode::BAD_REQUEST, why).into_response()
        }
    }
}

fn now_ms() -> u128 {
    // The clock of this machine is past 1970.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis())
}
