//! What reached the origin: method, path, status and correlation id; never tokens or bodies.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// How many requests are kept in memory; the file keeps them all.
const KEPT: usize = 100_000;

/// One request that reached the function URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginRequest {
    /// Wall time of its arrival, ms since 1970.
    pub at_ms: i64,
    /// HTTP method.
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// Status of the answer.
    pub status: u16,
    /// Correlation id given by the edge, if any.
    pub correlation_id: Option<String>,
    /// How long the answer took, ms.
    pub took_ms: u64,
}

#[derive(Debug, Default)]
struct Inner {
    kept: VecDeque<OriginRequest>,
    file: Option<File>,
}

/// The log, shared by its writers and readers.
#[derive(Debug, Clone, Default)]
pub struct OriginLog {
    inner: Arc<Mutex<Inner>>,
}

impl OriginLog {
    /// A log that also appends JSON lines to `path`.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn to_file(path: &Path) -> std::io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let inner = Inner { kept: VecDeque::new(), file: Some(file) };
        Ok(Self { inner: Arc::new(Mutex::new(inner)) })
    }

    /// Every request kept, oldest first.
    pub fn requests(&self) -> Vec<OriginRequest> {
        self.lock().kept.iter().cloned().collect()
    }

    pub(super) fn add(&self, request: OriginRequest) {
        let mut inner = self.lock();
        if let (Some(file), Ok(line)) = (&mut inner.file, serde_json::to_string(&request)) {
            // A full disk must not stop the origin; the request is still in memory.
            let _ = writeln!(file, "{line}");
        }
        if inner.kept.len() == KEPT {
            inner.kept.pop_front();
        }
        inner.kept.push_back(request);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
