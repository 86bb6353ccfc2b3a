//! The stream's two mappings, as Lambda's event source mapping does them: filters, batches,
//! partial failures, bisecting, bounded retries and dead letters.
//!
//! It reads DynamoDB Streams over HTTP from any endpoint. Each mapping has its own reader and
//! its own checkpoint file, so one that fails never slows the other. Records of one item keep
//! their order; a record is delivered at least once.

mod checkpoint;
pub(crate) mod dead_letters;
mod deliver;
mod filter;
mod mapping;
mod reader;
mod status;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

pub use checkpoint::Checkpoint;
pub use dead_letters::DeadLetters;
pub use filter::Filter;
pub use mapping::{Mapping, PROJECT_FILTER, SETTLE_FILTER, project, settle};
pub use status::StreamStatus;

use crate::dynamo::DynamoClient;
use crate::lambda_host::Function;
use deliver::Delivery;
use reader::Reader;

/// A running mapping; it stops when dropped.
#[derive(Debug)]
pub struct Poller {
    status: StreamStatus,
    task: tokio::task::JoinHandle<()>,
}

impl Poller {
    /// Starts delivering the stream `arn` to `function`. Checkpoint and dead letters are kept in
    /// `folder`, so that a restart continues where this one ends.
    pub fn start(client: DynamoClient, arn: String, mapping: Mapping, function: Arc<Function>, folder: &Path) -> Self {
        let status = StreamStatus::default();
        let name = function.name().to_owned();
        let delivery = Delivery {
            function,
            dead: DeadLetters::new(folder, &name, &arn),
            status: status.clone(),
            retries_max: mapping.retries_max,
        };
        let checkpoint = Checkpoint::load(folder.join(format!("stream-{name}.json")), &arn);
        let reader = Reader { client, arn, mapping, delivery, checkpoint, status: status.clone() };
        Self { status, task: tokio::spawn(reader.run()) }
    }

    /// How far it is.
    pub fn status(&self) -> &StreamStatus {
        &self.status
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        self.task.abort();
    }
}
