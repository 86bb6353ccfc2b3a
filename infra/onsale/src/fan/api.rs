//! The public HTTP API as a fan's program sees it: one method per call, problems as values.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::door::Pass;
use crate::operate::Desk;

/// What went wrong with a call, as far as a fan's program can tell.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// A problem document: status, stable code, and the whole document.
    #[error("{status} {code}")]
    Problem {
        /// HTTP status.
        status: u16,
        /// The stable code, or `UNKNOWN` if the body was no problem document.
        code: String,
        /// The problem document (or `null`).
        body: Value,
    },
    /// No usable answer: connection refused, reset, timed out, or not JSON.
    #[error("no answer: {0}")]
    NoAnswer(#[from] reqwest::Error),
}

impl CallError {
    /// The stable code of a problem; `NO_ANSWER` without one.
    pub fn code(&self) -> &str {
        match self {
            CallError::Problem { code, .. } => code,
            CallError::NoAnswer(_) => "NO_ANSWER",
        }
    }

    /// Whether trying the same call again later can help (server trouble, throttling, lost connection).
    pub fn is_passing(&self) -> bool {
        match self {
            CallError::Problem { status, .. } => *status >= 500 || *status == 429,
            CallError::NoAnswer(_) => true,
        }
    }
}

/// The line's answer to a join or a look-up.
#[derive(Debug, Clone, Deserialize)]
pub struct InLine {
    /// The signed place token.
    pub token: String,
    /// Shard that keeps the entry.
    pub shard: u16,
    /// Epoch of the shard's log.
    pub epoch: u32,
    /// Position in that log.
    pub index: u64,
    /// The number in the line, once its cohort is closed.
    pub place: Option<u64>,
    /// The cohort, once it is closed.
    pub cohort: Option<u32>,
    /// When to ask again for a number, in milliseconds.
    #[serde(default)]
    pub ask_again_ms: u64,
}

/// What a fan reads from the status file.
#[derive(Debug, Clone, Deserialize)]
pub struct StatusView {
    /// The Pacer's beat.
    pub beat: u64,
    /// Phase of the on-sale.
    pub phase: String,
    /// The event clock's triple: wall, event, run (milliseconds).
    pub clock: [i64; 3],
    /// Places up to this number may come in.
    pub admitted: u64,
    /// Places given so far.
    pub given: u64,
    /// When to poll next, in milliseconds.
    pub next: u64,
    /// The organiser's or the system's message.
    #[serde(default)]
    pub msg: Option<String>,
}

/// A hold as answered by the box office.
#[derive(Debug, Clone, Deserialize)]
pub struct HoldView {
    /// Its id.
    pub hold: String,
    /// What is held.
    pub seats: Vec<HeldSeat>,
    /// All-in total in minor units.
    pub total_minor: i64,
    /// End of the hold in event time.
    pub until_ms: i64,
}

/// One seat of a hold or an order.
#[derive(Debug, Clone, Deserialize)]
pub struct HeldSeat {
    /// Seat id.
    pub seat: String,
}

/// An order as answered by the box office.
#[derive(Debug, Clone, Deserialize)]
pub struct OrderView {
    /// Its id.
    pub order: String,
    /// State, in the design's words.
    pub state: String,
    /// Its seats.
    #[serde(default)]
    pub seats: Vec<HeldSeat>,
    /// Its tickets, once issued.
    #[serde(default)]
    pub tickets: Vec<Value>,
}

/// A client of one event at one edge.
#[derive(Debug, Clone)]
pub struct Api {
    http: reqwest::Client,
    edge: String,
    event: String,
}

impl Api {
    /// A client for `event` at the edge's base address, for instance `http://127.0.0.1:8787`.
    pub fn new(edge: &str, event: &str) -> Self {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(20))
            .build()
            .expect("a client without TLS files or proxies always builds");
        Self { http, edge: edge.trim_end_matches('/').to_owned(), event: event.to_owned() }
    }

    /// The event this client speaks of.
    pub fn event(&self) -> &str {
        &self.event
    }

    fn event_url(&self, rest: &str) -> String {
        format!("{}/v1/events/{}{rest}", self.edge, self.event)
    }

    /// A request to a path below the event, to which callers add headers of their own.
    pub fn raw(&self, method: Method, rest: &str) -> RequestBuilder {
        self.http.request(method, self.event_url(rest))
    }

    /// Signs in at the development sign-in; answers the account's credential.
    pub async fn dev_sign_in(&self, name: &str) -> Result<String, CallError> {
        let url = format!("{}/v1/dev/sign-in", self.edge);
        let body: Value = read(self.http.post(url).json(&json!({ "name": name }))).await?;
        Ok(text(&body, "token"))
    }

    /// Has the operator mint accounts for a rehearsal, one per name, in order.
    pub async fn rehearsal_accounts(&self, operator_key: &str, names: &[String]) -> Result<Vec<String>, CallError> {
        let url = format!("{}/v1/operator/events/{}/rehearsal-accounts", self.edge, self.event);
        let body: Value = read(self.http.post(url).bearer_auth(operator_key).json(&json!({ "names": names }))).await?;
        Ok(body["accounts"].as_array().into_iter().flatten().map(|a| text(a, "token")).collect())
    }

    /// Where this event is operated by whoever has this key.
    pub fn desk(&self, operator_key: &str) -> Desk {
        Desk::new(&self.edge, &self.event, operator_key)
    }

    /// Joins the line; the same account always gets the same entry.
    pub async fn join(&self, account: &str) -> Result<InLine, CallError> {
        self.join_with(account, &Pass::default()).await
    }

    /// Joins the line and shows what the door asked for.
    pub async fn join_with(&self, account: &str, pass: &Pass) -> Result<InLine, CallError> {
        let mut request = self.raw(Method::POST, "/line").header("x-account-token", account);
        if let Some(stamp) = &pass.stamp {
            request = request.header("x-arrival-stamp", stamp);
        }
        read(request.json(&json!({ "proof": pass.proof }))).await
    }

    /// Looks the place up again.
    pub async fn line(&self, place: &str) -> Result<InLine, CallError> {
        read(self.raw(Method::GET, "/line").header("x-place-token", place)).await
    }

    /// The status file, as everyone reads it.
    pub async fn status(&self) -> Result<StatusView, CallError> {
        read(self.raw(Method::GET, "/status.json")).await
    }

    /// Claims the turn; answers the access token.
    pub async fn admission(&self, place: &str) -> Result<String, CallError> {
        let body: Value = read(self.raw(Method::POST, "/admission").header("x-place-token", place)).await?;
        Ok(text(&body, "token"))
    }

    /// The bytes of the seat map, or of what changed since a version; none where nothing did.
    pub async fn seatmap(&self, access: &str, since: Option<u64>) -> Result<Vec<u8>, CallError> {
        let path = since.map_or_else(|| "/seatmap".to_owned(), |since| format!("/seatmap?since={since}"));
        let answer = checked(self.raw(Method::GET, &path).header("x-access-token", access)).await?;
        Ok(answer.bytes().await?.to_vec())
    }

    /// Places a hold under an idempotency key; also answers how long the call took.
    pub async fn hold(&self, access: &str, key: &str, body: &Value) -> (Result<HoldView, CallError>, Duration) {
        let started = Instant::now();
        let request = self.raw(Method::POST, "/holds").header("x-access-token", access);
        let answer = read(request.header("idempotency-key", key).json(body)).await;
        (answer, started.elapsed())
    }

    /// Releases a hold.
    pub async fn release(&self, access: &str, hold: &str) -> Result<(), CallError> {
        let path = format!("/holds/{hold}");
        checked(self.raw(Method::DELETE, &path).header("x-access-token", access)).await.map(drop)
    }

    /// Pays a hold under an idempotency key.
    pub async fn order(&self, access: &str, key: &str, hold: &str, method: &str) -> Result<OrderView, CallError> {
        let body = json!({ "hold": hold, "paymentMethod": method });
        let request = self.raw(Method::POST, "/orders").header("x-access-token", access);
        read(request.header("idempotency-key", key).json(&body)).await
    }

    /// An order's present state.
    pub async fn order_state(&self, access: &str, order: &str) -> Result<OrderView, CallError> {
        read(self.raw(Method::GET, &format!("/orders/{order}")).header("x-access-token", access)).await
    }
}

fn text(body: &Value, field: &str) -> String {
    body[field].as_str().unwrap_or_default().to_owned()
}

async fn checked(request: RequestBuilder) -> Result<Response, CallError> {
    let answer = request.send().await?;
    if answer.status().is_success() { Ok(answer) } else { Err(problem(answer).await) }
}

async fn read<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, CallError> {
    Ok(checked(request).await?.json().await?)
}

async fn problem(answer: Response) -> CallError {
    let status: StatusCode = answer.status();
    let body: Value = answer.json().await.unwrap_or(Value::Null);
    let code = body["code"].as_str().unwrap_or("UNKNOWN").to_owned();
    CallError::Problem { status: status.as_u16(), code, body }
}
