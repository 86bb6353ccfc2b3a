//! The two calls that the edge makes, made as the edge makes them.

use std::fmt;
use std::time::{Duration, SystemTime};

use domain::keys::MasterKeys;
use domain::time::WallMs;
use domain::token::{PulseToken, Token};
use serde_json::{Value, json};

use super::{BEAT_MS, Target};

/// What came back.
pub(super) struct Answer {
    /// HTTP status; 0 if nothing came.
    pub status: u16,
    /// Whether it is a problem document by its media type.
    pub problem: bool,
    /// Its JSON.
    pub body: Value,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status, self.body["code"].as_str()) {
            (0, _) => f.write_str("no answer"),
            (status, Some(code)) => write!(f, "the answer is {status} {code}"),
            (status, None) => write!(f, "the answer is {status}"),
        }
    }
}

impl Target {
    /// A pulse of `beat`, with a token for `token_beat`.
    pub(super) async fn pulse(
        &self,
        beat: u64,
        keys: &MasterKeys,
        token_beat: u64,
        now: WallMs,
        paused: bool,
    ) -> Answer {
        let token = PulseToken { beat: token_beat, expires: now.plus(60_000) }.encode(keys, &self.event);
        let body = json!({ "beat": beat, "paused": paused, "beat_ms": BEAT_MS, "map_version": -1 });
        self.post("/pulse", ("x-pulse-token", &token), &body).await
    }

    /// A booking call: any route below the event that only shoppers may use.
    pub(super) async fn book(&self, token: &str) -> Answer {
        self.post("/holds", ("x-access-token", token), &json!({})).await
    }

    async fn post(&self, path: &str, (header, token): (&str, &str), body: &Value) -> Answer {
        let url = format!("{}/v1/events/{}{path}", self.url, self.event);
        let body = body.to_string().into_bytes();
        let mut request = reqwest::Client::new().post(&url).header("content-type", "application/json");
        if let Some(signed) = self.signer.as_ref().and_then(|s| s.headers(SystemTime::now(), "POST", &url, &[], &body))
        {
            for (name, value) in signed {
                request = request.header(name, value);
            }
        }
        if !token.is_empty() {
            request = request.header(header, token);
        }
        let request = request.header("idempotency-key", "check-origin").timeout(Duration::from_secs(5));
        match request.body(body).send().await {
            Ok(answer) => read(answer).await,
            Err(_) => Answer { status: 0, problem: false, body: Value::Null },
        }
    }
}

async fn read(answer: reqwest::Response) -> Answer {
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let problem = kind.starts_with("application/problem+json");
    let status = answer.status().as_u16();
    Answer { status, problem, body: answer.json().await.unwrap_or(Value::Null) }
}
