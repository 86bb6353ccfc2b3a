//! Batches given up on: a file each, with the records themselves, so that they can be delivered when the stream has
//! long forgotten them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

/// The folder they are written to, in the shape that AWS writes to a bucket.
#[derive(Debug)]
pub struct DeadLetters {
    folder: PathBuf,
    function: String,
    arn: String,
    count: AtomicU32,
}

impl DeadLetters {
    /// The folder's name in a state folder.
    pub const FOLDER: &'static str = "dead-letters";

    /// Dead letters of `function`, reading the stream `arn`, in a folder below `state`.
    pub fn new(state: &Path, function: &str, arn: &str) -> Self {
        let folder = state.join(Self::FOLDER);
        Self { folder, function: function.to_owned(), arn: arn.to_owned(), count: AtomicU32::new(0) }
    }

    pub(super) fn add(&self, shard: &str, batch: &[Value], attempts: u32) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let (now, n) = (jiff::Timestamp::now(), self.count.fetch_add(1, Ordering::Relaxed));
        let name = format!("{}-{}-{n:04}.json", self.function, now.as_millisecond());
        put(&self.folder.join(name), &self.letter(shard, batch, attempts, now))
    }

    fn letter(&self, shard: &str, batch: &[Value], attempts: u32, now: jiff::Timestamp) -> Value {
        let number = |record: Option<&Value>| record.map(|r| r["dynamodb"]["SequenceNumber"].clone());
        json!({
            "requestContext": {
                "functionArn": self.function,
                "condition": "RetryAttemptsExhausted",
                "approximateInvokeCount": attempts,
            },
            "version": "1.0",
            "timestamp": now.to_string(),
            "DDBStreamBatchInfo": {
                "shardId": shard,
                "startSequenceNumber": number(batch.first()),
                "endSequenceNumber": number(batch.last()),
                "batchSize": batch.len(),
                "streamArn": self.arn,
            },
            "payload": json!({ "Records": batch }).to_string(),
        })
    }
}

/// Writes a letter whole or not at all.
pub(crate) fn put(path: &Path, letter: &Value) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, letter.to_string())?;
    fs::rename(beside, path)
}
