//! Many items at once, without conditions: for what is named by its content, and for tables that nobody uses yet.

use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use domain::plan::Item;
use tokio::task::JoinSet;

use crate::error::TableError;
use crate::read::failure;
use crate::value::item_to_sdk;
use crate::{Table, retry};

/// Items of one batch write, DynamoDB's limit.
const BATCH: usize = 25;
/// Batches under way at once.
const PARALLEL: usize = 8;

impl Table {
    /// Writes items without conditions, several batches at once.
    ///
    /// # Errors
    /// That the table failed; some items may have been written.
    pub async fn put_all(&self, items: &[Item], progress: &mut impl FnMut(usize, usize)) -> Result<(), TableError> {
        let mut under_way = JoinSet::new();
        let mut done = 0;
        for batch in items.chunks(BATCH) {
            if under_way.len() >= PARALLEL {
                done += finished(under_way.join_next().await)?;
                progress(done, items.len());
            }
            let (table, batch) = (self.clone(), batch.to_vec());
            under_way.spawn(async move { table.put_batch(&batch).await });
        }
        while !under_way.is_empty() {
            done += finished(under_way.join_next().await)?;
            progress(done, items.len());
        }
        Ok(())
    }

    async fn put_batch(&self, items: &[Item]) -> Result<usize, TableError> {
        let mut requests = put_requests(items)?;
        for n in 1..=retry::TRIES {
            let reply =
                self.client.batch_write_item().request_items(&self.name, requests).send().await.map_err(failure)?;
            requests = reply.unprocessed_items.and_then(|mut left| left.remove(&self.name)).unwrap_or_default();
            if requests.is_empty() {
                return Ok(items.len());
            }
            retry::wait(n).await;
        }
        Err(TableError::Busy("throttle"))
    }
}

fn put_requests(items: &[Item]) -> Result<Vec<WriteRequest>, TableError> {
    let put = |item: &Item| PutRequest::builder().set_item(Some(item_to_sdk(item))).build();
    let request = |item| Ok(WriteRequest::builder().put_request(put(item)?).build());
    let requests: Result<_, aws_sdk_dynamodb::error::BuildError> = items.iter().map(request).collect();
    requests.map_err(|e| TableError::Broken(e.to_string()))
}

fn finished(joined: Option<Result<Result<usize, TableError>, tokio::task::JoinError>>) -> Result<usize, TableError> {
    match joined {
        None => Ok(0),
        Some(Ok(result)) => result,
        Some(Err(error)) => Err(TableError::Broken(error.to_string())),
    }
}
