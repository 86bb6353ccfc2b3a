//! Delivering one batch until it is done or given up.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::dead_letters::DeadLetters;
use super::status::StreamStatus;
use crate::lambda_host::{Function, InvokeError};

/// Pause while no instance of the function lives; such waiting costs no attempt.
const ABSENT_PAUSE: Duration = Duration::from_millis(100);
/// First pause after a failure; it doubles with each attempt.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause between attempts.
const RETRY_PAUSE_MAX: Duration = Duration::from_secs(5);

/// How an attempt ended.
#[derive(Debug, PartialEq)]
enum Attempt {
    Done,
    /// The function took the records before this index.
    From(usize),
    Failed,
    Absent,
}

/// Delivers batches to a function.
#[derive(Debug)]
pub(super) struct Delivery {
    pub function: Arc<Function>,
    pub dead: DeadLetters,
    pub status: StreamStatus,
    pub retries_max: u32,
}

/// A part of a batch still to be delivered.
struct Part {
    records: Vec<Value>,
    attempts: u32,
}

impl Delivery {
    /// Returns when each record has been taken or stands in the dead letters.
    pub async fn batch(&self, shard: &str, records: Vec<Value>) {
        let mut parts = vec![Part { records, attempts: 0 }];
        while let Some(part) = parts.pop() {
            match self.attempt(&part.records).await {
                Attempt::Done => {}
                Attempt::Absent => {
                    tokio::time::sleep(ABSENT_PAUSE).await;
                    parts.push(part);
                }
                Attempt::From(index) => self.again(shard, part.after(index), &mut parts).await,
                Attempt::Failed => {
                    for half in part.halves().into_iter().rev() {
                        self.again(shard, half, &mut parts).await;
                    }
                }
            }
        }
    }

    async fn again(&self, shard: &str, part: Part, parts: &mut Vec<Part>) {
        if part.attempts > self.retries_max {
            self.give_up(shard, &part);
            return;
        }
        let pause = RETRY_PAUSE * 2_u32.saturating_pow(part.attempts.saturating_sub(1));
        tokio::time::sleep(pause.min(RETRY_PAUSE_MAX)).await;
        parts.push(part);
    }

    fn give_up(&self, shard: &str, part: &Part) {
        self.status.add_dead();
        let name = self.function.name();
        tracing::error!(function = name, records = part.records.len(), "a batch was given up");
        if let Err(error) = self.dead.add(shard, &part.records, part.attempts) {
            tracing::error!(function = name, %error, "the dead letter could not be written");
        }
    }

    async fn attempt(&self, records: &[Value]) -> Attempt {
        let payload = Bytes::from(json!({ "Records": records }).to_string());
        let attempt = match self.function.invoke(payload).await {
            Ok(answer) => outcome(records, &answer),
            Err(InvokeError::NoInstance) => Attempt::Absent,
            Err(error) => {
                tracing::warn!(function = self.function.name(), %error, "a batch failed");
                Attempt::Failed
            }
        };
        if matches!(attempt, Attempt::From(_) | Attempt::Failed) {
            self.status.add_failed();
        }
        attempt
    }
}

impl Part {
    fn after(mut self, index: usize) -> Self {
        Self { records: self.records.split_off(index), attempts: self.attempts + 1 }
    }

    fn halves(mut self) -> Vec<Self> {
        let attempts = self.attempts + 1;
        let later = self.records.split_off(self.records.len().div_ceil(2));
        let halves = [self.records, later].into_iter().filter(|r| !r.is_empty());
        halves.map(|records| Self { records, attempts }).collect()
    }
}

/// Reads a partial batch answer: the lowest failed record and all after it are to be tried again.
fn outcome(records: &[Value], answer: &[u8]) -> Attempt {
    let answer: Value = serde_json::from_slice(answer).unwrap_or(Value::Null);
    let Some(failures) = answer["batchItemFailures"].as_array().filter(|f| !f.is_empty()) else {
        return Attempt::Done;
    };
    let position = |failure: &Value| {
        let wanted = failure["itemIdentifier"].as_str()?;
        records.iter().position(|r| r["dynamodb"]["SequenceNumber"] == *wanted)
    };
    let positions: Option<Vec<usize>> = failures.iter().map(position).collect();
    // An identifier that is not of this batch makes the whole batch a failure, as at AWS.
    positions.and_then(|p| p.into_iter().min()).map_or(Attempt::Failed, Attempt::From)
}
