//! Tells the search index at the edge what is new of an event.
//!
//! It hangs at the end of the projection and must never hold it up: an index that does not answer costs a moment now and then,
//! and is told later. What was said last lies in the table, so nothing depends on this process's memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::search::{Doc, Note, Step, Told, sign, step};
use domain::stock;
use domain::time::WallMs;
use table::{DecideError, Table, TableError};

/// How often an event is looked at.
const EVERY: Duration = Duration::from_secs(15);
/// Patience with the index.
const PATIENCE: Duration = Duration::from_secs(1);
/// Where the index takes events.
const PATH: &str = "/v1/search/events";

/// Whoever tells; built once.
#[derive(Debug)]
pub struct Teller {
    table: Table,
    http: reqwest::Client,
    edge: String,
    keys: MasterKeys,
    looked: Mutex<HashMap<EventId, Instant>>,
}

impl Teller {
    /// Tells the index behind this address, signed by these keys.
    ///
    /// # Errors
    /// The HTTP client cannot be set up.
    pub fn new(table: Table, edge: String, keys: MasterKeys) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder().timeout(PATIENCE).build()?;
        Ok(Self { table, http, edge, keys, looked: Mutex::default() })
    }

    /// Looks at an event if it was not looked at lately. Trouble is logged here and tried again with a later beat.
    pub async fn look(&self, event: &EventId) {
        if !self.is_due(event) {
            return;
        }
        if let Err(error) = self.tell_news(event).await {
            tracing::warn!(%event, %error, "the search index is to be told again");
        }
    }

    fn is_due(&self, event: &EventId) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.get(event).is_none_or(|at| at.elapsed() >= EVERY);
        if due {
            looked.insert(event.clone(), Instant::now());
        }
        due
    }

    /// The last word is read before the event is: see [`Note`].
    async fn tell_news(&self, event: &EventId) -> Result<(), TellError> {
        let last = self.table.notice(event).await?;
        let Some(definition) = self.table.definition(event).await? else { return Ok(()) };
        let stock = stock::of(&self.table.map(event).await?);
        let Some(doc) = Doc::of(&definition, &stock.all, 0) else { return Ok(()) };
        match step(last.as_ref(), doc, now()) {
            Step::Rest => Ok(()),
            Step::Tell(doc) => self.tell(&doc).await,
            Step::Note(note) => self.note(note).await,
        }
    }

    async fn note(&self, note: Note) -> Result<(), TellError> {
        let doc = note.doc.clone();
        match self.table.decide(note).await {
            Ok(_) => self.tell(&doc).await,
            // Whoever was faster tells.
            Err(DecideError::Refused(_)) => Ok(()),
            Err(DecideError::Table(error)) => Err(error.into()),
        }
    }

    async fn tell(&self, doc: &Doc) -> Result<(), TellError> {
        let body = serde_json::to_vec(&[doc]).unwrap_or_default(); // plain data: it always serialises
        let signature = sign(PATH, &body, &self.keys, now());
        let request = self.http.post(format!("{}{PATH}", self.edge)).header("X-Onsale-Signature", signature);
        let answer = request.body(body).send().await.map_err(reqwest::Error::without_url)?;
        if !answer.status().is_success() {
            return Err(TellError::Refused(answer.status().as_u16()));
        }
        match self.table.decide(Told { event: doc.id.clone(), version: doc.version }).await {
            Ok(_) | Err(DecideError::Refused(_)) => Ok(()),
            Err(DecideError::Table(error)) => Err(error.into()),
        }
    }
}

fn now() -> WallMs {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    WallMs(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Why the index was not told.
#[derive(Debug, thiserror::Error)]
enum TellError {
    /// The table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No answer.
    #[error("the index does not answer: {0}")]
    Silent(#[from] reqwest::Error),
    /// Not taken.
    #[error("the index answers {0}")]
    Refused(u16),
}
