//! The sweep: holds whose time has passed give their places back.
//!
//! Nothing depends on it: an overdue seat can be taken all the same. It makes the map and the counts true.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use domain::hold::{Expire, ExpireRefusal};
use domain::ids::EventId;
use domain::items::Hold;
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

/// All buckets.
pub const ALL: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The quarter of the buckets whose turn it is in a beat.
#[must_use]
pub fn quarter(beat: u64) -> &'static [u8] {
    let parts = ALL.chunks(ALL.len() / 4);
    parts.into_iter().nth((beat % 4) as usize).unwrap_or(ALL)
}

/// Sweeps the overdue holds of these buckets of an event within bounds; answers how many. Trouble is logged, not told: the next sweep
/// goes on where this one stopped.
pub async fn holds(table: &Table, event: &EventId, buckets: &[u8], now: EventMs, broom: Broom) -> u32 {
    let swept = AtomicU32::new(0);
    let all =
        futures::future::join_all(buckets.iter().map(|bucket| one_bucket(table, event, *bucket, now, broom, &swept)));
    if tokio::time::timeout(Duration::from_millis(broom.within_ms), all).await.is_err() {
        tracing::warn!(%event, "the sweep ran out of time");
    }
    swept.into_inner()
}

async fn one_bucket(table: &Table, event: &EventId, bucket: u8, now: EventMs, broom: Broom, swept: &AtomicU32) {
    let due = match table.due_holds(event, bucket, now, broom.per_bucket).await {
        Ok(due) => due,
        Err(error) => return tracing::warn!(%event, %error, "overdue holds cannot be listed"),
    };
    for key in due {
        match expire(table, &key, now).await {
            Ok(true) => drop(swept.fetch_add(1, Ordering::Relaxed)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_beats_sweep_every_bucket_once() {
        let swept: Vec<u8> = (5..9).flat_map(quarter).copied().collect();
        let mut sorted = swept.clone();
        sorted.sort_unstable();
        assert_eq!((sorted.as_slice(), ALL.len()), (ALL, usize::from(domain::items::BUCKETS)));
    }
}
