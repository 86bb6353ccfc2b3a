//! An organiser's server: it keeps what it hears, and answers as it is told to.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::any;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// One call that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The header `webhook-id`.
    pub id: String,
    /// The header `webhook-timestamp`.
    pub timestamp: String,
    /// The header `webhook-signature`.
    pub signature: String,
    /// The header `content-type`.
    pub content_type: String,
    /// The body as it arrived.
    pub body: String,
}

impl Call {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// What it tells.
    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap_or_default().to_owned()
    }
}

#[derive(Default)]
struct Desk {
    calls: Vec<Call>,
    answers: VecDeque<u16>,
    elsewhere: String,
}

/// The server; it ends with this.
pub struct Receiver {
    url: String,
    desk: Arc<Mutex<Desk>>,
    task: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Receiver {
    /// Serves on a free port.
    ///
    /// # Errors
    /// There is none.
    pub async fn start() -> std::io::Result<Self> {
        Self::on(TcpListener::bind("127.0.0.1:0").await?)
    }

    /// Serves on a listener.
    ///
    /// # Errors
    /// It has no address.
    pub fn on(listener: TcpListener) -> std::io::Result<Self> {
        let url = format!("http://{}/hooks", listener.local_addr()?);
        let desk = Arc::<Mutex<Desk>>::default();
        let router = Router::new().route("/{*path}", any(hear)).with_state(Arc::clone(&desk));
        let task = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        Ok(Self { url, desk, task })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What arrived so far.
    pub fn calls(&self) -> Vec<Call> {
        lock(&self.desk).calls.clone()
    }

    /// Answers the next calls with these statuses, and 200 after them.
    pub fn answers(&self, statuses: &[u16]) {
        lock(&self.desk).answers = statuses.iter().copied().collect();
    }

    /// Where its redirects lead.
    pub fn redirects_to(&self, url: &str) {
        lock(&self.desk).elsewhere = url.to_owned();
    }
}

async fn hear(State(desk): State<Arc<Mutex<Desk>>>, headers: HeaderMap, body: String) -> (StatusCode, HeaderMap) {
    let header = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let mut desk = lock(&desk);
    let (id, timestamp, signature) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
    desk.calls.push(Call { id, timestamp, signature, content_type: header("content-type"), body });
    let status =
        desk.answers.pop_front().and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
    let location = desk.elsewhere.parse().map(|url| ("location", url));
    let headers = location.iter().filter(|_| status.is_redirection());
    (
        status,
        headers.filter_map(|(name, url)| Some((name.parse().ok()?, axum::http::HeaderValue::clone(url)))).collect(),
    )
}

fn lock(desk: &Mutex<Desk>) -> std::sync::MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}
