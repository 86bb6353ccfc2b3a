//! The sweep: holds whose time has passed give their places back.
//!
//! Nothing depends on it: an overdue seat can be taken all the same. It makes the map and the counts true.

use std::time::Duration;

use domain::hold::{Expire, ExpireRefusal};
use domain::ids::EventId;
use domain::items::{BUCKETS, Hold};
use domain::plan::Key;
use domain::time::EventMs;
use table::{DecideError, Table, TableError};

/// How much one sweep may do.
#[derive(Clone, Copy, Debug)]
pub struct Broom {
    /// Holds of each bucket.
    pub per_bucket: i32,
    /// Milliseconds in all.
    pub within_ms: u64,
}

/// Sweeps the event's overdue holds within bounds; answers how many. Trouble is logged, not told: the next sweep
/// goes on where this one stopped.
pub async fn holds(table: &Table, event: &EventId, now: EventMs, broom: Broom) -> u32 {
    let swept = std::sync::atomic::AtomicU32::new(0);
    let buckets = futures::future::join_all((0..BUCKETS).map(|bucket| one_bucket(table, event, bucket, now, broom, &swept)));
    if tokio::time::timeout(Duration::from_millis(broom.within_ms), buckets).await.is_err() {
        tracing::warn!(%event, "the sweep ran out of time");
    }
    swept.into_inner()
}

async fn one_bucket(table: &Table, event: &EventId, bucket: u8, now: EventMs, broom: Broom, swept: &std::sync::atomic::AtomicU32) {
    let due = match table.due_holds(event, bucket, now, broom.per_bucket).await {
        Ok(due) => due,
        Err(error) => return tracing::warn!(%event, %error, "overdue holds cannot be listed"),
    };
    for key in due {
        match expire(table, &key, now).await {
            Ok(true) => drop(swept.fetch_add(1, std::sync::atomic::Ordering::Relaxed)),
            Ok(false) => {}
            Err(error) => tracing::warn!(%event, %error, "an overdue hold was not swept"),
        }
    }
}

/// Whether the hold was swept now.
async fn expire(table: &Table, key: &Key, now: EventMs) -> Result<bool, TableError> {
    let Some(item) = table.get(key).await? else { return Ok(false) };
    match table.decide(Expire::new(Hold::from_item(&item)?, now)).await {
        Ok(_) => Ok(true),
        Err(DecideError::Refused(ExpireRefusal::NotDue)) => Ok(false),
        Err(DecideError::Refused(refusal @ ExpireRefusal::Inconsistent)) => {
            tracing::error!(hold = %key.pk, %refusal, "a hold needs a person");
            Ok(false)
        }
        Err(DecideError::Table(error)) => Err(error),
    }
}
