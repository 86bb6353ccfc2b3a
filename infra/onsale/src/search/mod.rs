//! The search index at the edge as a program fills it: signed calls, and filling it anew from what the table last said of each event.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::search::{BATCH, Doc, sign};
use domain::time::WallMs;
use futures::StreamExt;
use futures::stream;
use serde::Serialize;
use serde_json::{Value, json};
use table::{Table, TableError};

/// Events that are read at once.
const AT_ONCE: usize = 16;
const EVENTS: &str = "/v1/search/events";
const GENERATIONS: &str = "/v1/search/generations";

/// Why the index was not filled.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The edge refused: code, and in words why.
    #[error("refused ({code}): {why}")]
    Refused {
        /// The stable code.
        code: String,
        /// The problem's detail, or its title.
        why: String,
    },
    /// No usable answer.
    #[error("the edge does not answer")]
    Silent(#[from] reqwest::Error),
    /// The table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The index of one edge. `Debug` is left out on purpose: it carries keys.
pub struct Index {
    http: reqwest::Client,
    edge: String,
    keys: MasterKeys,
}

impl Index {
    /// The index behind this address, for whoever has the master keys.
    #[must_use]
    pub fn new(edge: &str, keys: MasterKeys) -> Self {
        Self { http: reqwest::Client::new(), edge: edge.trim_end_matches('/').to_owned(), keys }
    }

    /// Fills the index anew from the table and searches it then; the old one is searched until the end. → events.
    ///
    /// # Errors
    /// [`SearchError`]; then the old one goes on being searched.
    pub async fn rebuild(&self, table: &Table, mut progress: impl FnMut(usize, usize)) -> Result<usize, SearchError> {
        let generation = self.begin().await?;
        let events = table.noted_events().await?;
        let mut told = 0;
        for (n, part) in events.chunks(BATCH).enumerate() {
            let docs = docs(table, part).await?;
            if !docs.is_empty() {
                self.fill(&docs).await?;
            }
            told += docs.len();
            progress((n * BATCH + part.len()).min(events.len()), events.len());
        }
        self.switch(generation).await?;
        Ok(told)
    }

    /// Begins a generation. → its number.
    ///
    /// # Errors
    /// [`SearchError`], as for all calls here.
    pub async fn begin(&self) -> Result<i64, SearchError> {
        Ok(self.post(GENERATIONS, &json!({})).await?["generation"].as_i64().unwrap_or_default())
    }

    /// Writes events, at most [`BATCH`].
    ///
    /// # Errors
    /// [`SearchError`].
    pub async fn fill(&self, docs: &[Doc]) -> Result<(), SearchError> {
        self.post(EVENTS, &docs).await.map(drop)
    }

    /// Searches a generation from now on.
    ///
    /// # Errors
    /// [`SearchError`].
    pub async fn switch(&self, generation: i64) -> Result<(), SearchError> {
        self.post(&format!("{GENERATIONS}/{generation}"), &json!({})).await.map(drop)
    }

    async fn post(&self, path: &str, body: &impl Serialize) -> Result<Value, SearchError> {
        let body = serde_json::to_vec(body).unwrap_or_default(); // plain data: it always serialises
        let signature = sign(path, &body, &self.keys, now());
        let request = self.http.post(format!("{}{path}", self.edge)).header("X-Onsale-Signature", signature).body(body);
        let answer = request.send().await?;
        let good = answer.status().is_success();
        let said: Value = answer.json().await?;
        let text = |field: &str| said[field].as_str().unwrap_or_default().to_owned();
        let why = if said["detail"].is_string() { text("detail") } else { text("title") };
        if good { Ok(said) } else { Err(SearchError::Refused { code: text("code"), why }) }
    }
}

/// What was last said of these events; of some nothing may have been said yet.
async fn docs(table: &Table, events: &[EventId]) -> Result<Vec<Doc>, TableError> {
    let notices = stream::iter(events).map(|event| table.notice(event)).buffer_unordered(AT_ONCE);
    let notices: Vec<_> = notices.collect().await;
    notices.into_iter().filter_map(|read| read.map(|notice| notice.map(|notice| notice.doc)).transpose()).collect()
}

fn now() -> WallMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    WallMs(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
