//! Idempotency keys as Stripe treats them.
//!
//! The first request under a key that begins to execute decides: the same request again is answered
//! with the very same status and body, a 500 included. Another endpoint or other parameters are
//! refused. A request that never began (no API key, outage, key still in use) leaves no trace. After a day a key is as good as
//! one that was never used.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::Refusal;

/// An HTTP status and a JSON body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    pub status: u16,
    pub body: Value,
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self { status: refusal.status, body: refusal.body() }
    }
}

/// What was first asked under a key, and the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub path: String,
    pub params: Vec<(String, String)>,
    pub answer: Answer,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub at_ms: i64,
}

/// How long a key is remembered, in milliseconds: a day.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

impl Remembered {
    /// Whether the key is still known.
    pub fn is_kept(&self, now_ms: i64) -> bool {
        now_ms - self.at_ms <= KEPT_MS
    }

    /// The answer to a request that comes under a key already used.
    pub fn again(&self, path: &str, params: &[(String, String)]) -> Result<Answer, Refusal> {
        if self.path != path {
            return Err(Refusal::other_use_of_key("endpoint"));
        }
        if self.params != params {
            return Err(Refusal::other_use_of_key("parameters"));
        }
        Ok(self.answer.clone())
    }
}
