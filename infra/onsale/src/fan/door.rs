//! What a scripted fan does at the door: keeps its arrival stamp, and works out the riddle it is given.

use domain::door::work::solve;
use serde_json::{Value, json};

use super::api::CallError;

/// What a fan shows when it joins.
#[derive(Debug, Clone, Default)]
pub struct Pass {
    /// The stamp of its first try.
    pub stamp: Option<String>,
    /// The proof that was asked for.
    pub proof: Option<Value>,
}

impl Pass {
    /// Takes what a refusal gives. Whether there is now a proof to show.
    pub async fn learn(&mut self, refused: &CallError) -> bool {
        let CallError::Problem { body, .. } = refused else { return false };
        if let Some(stamp) = body["stamp"].as_str() {
            self.stamp = Some(stamp.to_owned());
        }
        let work = body["work"]["riddle"].as_str().map(str::to_owned);
        let (Some(riddle), Some(bits)) = (work, body["work"]["bits"].as_u64()) else { return false };
        let bits = u8::try_from(bits).unwrap_or(u8::MAX);
        // A second of hashing would hold up every other fan of this thread.
        let worked = tokio::task::spawn_blocking(move || (solve(&riddle, bits), riddle)).await;
        let Ok((Some(answer), riddle)) = worked else { return false };
        self.proof = Some(json!({ "work": { "riddle": riddle, "answer": answer } }));
        true
    }
}
