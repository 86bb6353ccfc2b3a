//! How far a mapping is, for the status page and for tests that wait until nothing is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use serde_json::{Value, json};

#[derive(Debug, Default)]
struct Inner {
    delivered: AtomicU64,
    failed: AtomicU64,
    dead: AtomicU64,
    caught_up_ms: AtomicI64,
}

/// Counters of one mapping, shared by its writer and its readers.
#[derive(Debug, Clone, Default)]
pub struct StreamStatus(Arc<Inner>);

impl StreamStatus {
    /// Records delivered, wanted or not.
    pub fn delivered(&self) -> u64 {
        self.0.delivered.load(Ordering::Relaxed)
    }

    /// Deliveries that failed, each attempt counted.
    pub fn failed(&self) -> u64 {
        self.0.failed.load(Ordering::Relaxed)
    }

    /// Batches given up on.
    pub fn dead_letters(&self) -> u64 {
        self.0.dead.load(Ordering::Relaxed)
    }

    /// When it last stood at the stream's end with nothing in hand, wall ms; 0 if never. Whatever
    /// was written before that moment's last read has been delivered.
    pub fn caught_up_ms(&self) -> i64 {
        self.0.caught_up_ms.load(Ordering::Relaxed)
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "delivered": self.delivered(),
            "failed": self.failed(),
            "dead_letters": self.dead_letters(),
            "caught_up_ms": self.caught_up_ms(),
        })
    }

    pub(super) fn add_delivered(&self, records: usize) {
        self.0.delivered.fetch_add(records as u64, Ordering::Relaxed);
    }

    pub(super) fn add_failed(&self) {
        self.0.failed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_dead(&self) {
        self.0.dead.fetch_add(1, Ordering::Relaxed);
    }

    /// `read_at_ms` is when the read began that found nothing.
    pub(super) fn set_caught_up(&self, read_at_ms: i64) {
        self.0.caught_up_ms.store(read_at_ms, Ordering::Relaxed);
    }
}
