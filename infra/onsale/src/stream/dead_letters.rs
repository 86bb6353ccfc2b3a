//! Batches given up on: a description of each (shard, sequence numbers), never the records.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

/// The file they are appended to, a JSON line each, in the shape AWS sends to a queue.
#[derive(Debug)]
pub struct DeadLetters {
    path: PathBuf,
    function: String,
    arn: String,
}

impl DeadLetters {
    /// Dead letters of `function`, reading the stream `arn`, in the file `path`.
    pub fn new(path: PathBuf, function: &str, arn: &str) -> Self {
        Self { path, function: function.to_owned(), arn: arn.to_owned() }
    }

    pub(super) fn add(&self, shard: &str, batch: &[Value], attempts: u32) -> std::io::Result<()> {
        let number = |record: Option<&Value>| record.map(|r| r["dynamodb"]["SequenceNumber"].clone());
        let line = json!({
            "requestContext": {
                "functionArn": self.function,
                "condition": "RetryAttemptsExhausted",
                "approximateInvokeCount": attempts,
            },
            "version": "1.0",
            "timestamp": jiff::Timestamp::now().to_string(),
            "DDBStreamBatchInfo": {
                "shardId": shard,
                "startSequenceNumber": number(batch.first()),
                "endSequenceNumber": number(batch.last()),
                "batchSize": batch.len(),
                "streamArn": self.arn,
            },
        });
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        writeln!(file, "{line}")
    }
}
