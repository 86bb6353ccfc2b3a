//! Reads the stream's shards in order, parents before children.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::checkpoint::{Checkpoint, Position};
use super::deliver::Delivery;
use super::mapping::Mapping;
use super::status::StreamStatus;
use crate::dynamo::{CallError, DynamoClient};

/// Pause when there is nothing to read.
const IDLE_PAUSE: Duration = Duration::from_millis(100);
/// Pause after the stream could not be read.
const ERROR_PAUSE: Duration = Duration::from_millis(500);
/// The largest page `GetRecords` gives.
const PAGE: usize = 1_000;

/// The reader of one mapping.
#[derive(Debug)]
pub(super) struct Reader {
    pub client: DynamoClient,
    pub arn: String,
    pub mapping: Mapping,
    pub delivery: Delivery,
    pub checkpoint: Checkpoint,
    pub status: StreamStatus,
}

/// A shard as `DescribeStream` names it.
#[derive(Debug, Clone)]
struct Shard {
    id: String,
    parent: Option<String>,
}

/// What one look at a shard found.
enum Look {
    Nothing,
    Records,
    End,
}

impl Reader {
    /// Reads for ever; errors are waited out.
    pub async fn run(mut self) {
        loop {
            if let Err(error) = self.rounds().await {
                tracing::warn!(function = self.delivery.function.name(), %error, "the stream could not be read");
                tokio::time::sleep(ERROR_PAUSE).await;
            }
        }
    }

    /// Reads until a shard ends (new ones must then be looked for) or a call fails.
    async fn rounds(&mut self) -> Result<(), CallError> {
        let shards = self.readable().await?;
        let mut iterators = HashMap::new();
        for shard in &shards {
            iterators.insert(shard.id.clone(), self.iterator(&shard.id).await?);
        }
        if iterators.is_empty() {
            tokio::time::sleep(ERROR_PAUSE).await;
            return Ok(());
        }
        loop {
            let began_ms = jiff::Timestamp::now().as_millisecond();
            let mut idle = true;
            for (shard, iterator) in &mut iterators {
                match self.look(shard, iterator).await? {
                    Look::Nothing => {}
                    Look::Records => idle = false,
                    Look::End => return Ok(()),
                }
            }
            if idle {
                self.status.set_caught_up(began_ms);
                tokio::time::sleep(IDLE_PAUSE).await;
            }
        }
    }

    /// Reads and delivers one page of a shard.
    async fn look(&mut self, shard: &str, iterator: &mut String) -> Result<Look, CallError> {
        let ask = json!({ "ShardIterator": iterator, "Limit": PAGE });
        let mut page = self.client.streams("GetRecords", &ask).await?;
        let records = match page["Records"].take() {
            Value::Array(records) => records,
            _ => Vec::new(),
        };
        let found = !records.is_empty();
        self.deliver(shard, records).await;
        match page["NextShardIterator"].as_str() {
            Some(next) => next.clone_into(iterator),
            None => {
                self.advance(shard, Position::Done);
                return Ok(Look::End);
            }
        }
        Ok(if found { Look::Records } else { Look::Nothing })
    }

    async fn deliver(&mut self, shard: &str, records: Vec<Value>) {
        let mut wanted = Vec::new();
        let mut last = None;
        for mut record in records {
            last = record["dynamodb"]["SequenceNumber"].as_str().map(str::to_owned);
            self.status.add_delivered(1);
            if self.mapping.filter.matches(&record) {
                record["eventSourceARN"] = Value::String(self.arn.clone());
                wanted.push(record);
            }
            if wanted.len() == self.mapping.batch_size {
                self.flush(shard, std::mem::take(&mut wanted), last.as_deref()).await;
            }
        }
        self.flush(shard, wanted, last.as_deref()).await;
    }

    async fn flush(&mut self, shard: &str, batch: Vec<Value>, last: Option<&str>) {
        if !batch.is_empty() {
            self.delivery.batch(shard, batch).await;
        }
        if let Some(last) = last {
            self.advance(shard, Position::After(last.to_owned()));
        }
    }

    fn advance(&mut self, shard: &str, position: Position) {
        if let Err(error) = self.checkpoint.advance(shard, position) {
            tracing::error!(%error, "the stream's checkpoint could not be written");
        }
    }

    /// The shards to read now: unfinished, and their parent (if it still exists) is finished.
    async fn readable(&self) -> Result<Vec<Shard>, CallError> {
        let all = self.shards().await?;
        let done = |id: &str| self.checkpoint.position(id) == Some(&Position::Done);
        let known = |id: &str| all.iter().any(|s| s.id == id);
        let free = |shard: &&Shard| !done(&shard.id) && shard.parent.as_deref().is_none_or(|p| done(p) || !known(p));
        Ok(all.iter().filter(free).cloned().collect())
    }

    async fn shards(&self) -> Result<Vec<Shard>, CallError> {
        let mut shards = Vec::new();
        let mut ask = json!({ "StreamArn": self.arn });
        loop {
            let answer = self.client.streams("DescribeStream", &ask).await?;
            let description = &answer["StreamDescription"];
            shards.extend(description["Shards"].as_array().into_iter().flatten().filter_map(shard));
            match description["LastEvaluatedShardId"].as_str() {
                Some(last) => ask["ExclusiveStartShardId"] = json!(last),
                None => return Ok(shards),
            }
        }
    }

    async fn iterator(&self, shard: &str) -> Result<String, CallError> {
        let mut ask = json!({ "StreamArn": self.arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON" });
        if let Some(Position::After(number)) = self.checkpoint.position(shard) {
            ask["ShardIteratorType"] = json!("AFTER_SEQUENCE_NUMBER");
            ask["SequenceNumber"] = json!(number);
        }
        let answer = match self.client.streams("GetShardIterator", &ask).await {
            Err(error) if error.is("TrimmedDataAccessException") => self.at_horizon(shard).await?,
            other => other?,
        };
        Ok(answer["ShardIterator"].as_str().unwrap_or_default().to_owned())
    }

    /// Where the checkpoint is older than what the stream keeps, what is left is read.
    async fn at_horizon(&self, shard: &str) -> Result<Value, CallError> {
        let ask = json!({ "StreamArn": self.arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON" });
        self.client.streams("GetShardIterator", &ask).await
    }
}

fn shard(value: &Value) -> Option<Shard> {
    let id = value["ShardId"].as_str()?.to_owned();
    Some(Shard { id, parent: value["ParentShardId"].as_str().map(str::to_owned) })
}
