//! The embedded DynamoDB: an in-process emulator behind its own HTTP server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use domain::plan::{Item, Value};
use dynoxide::types::AttributeValue;
use dynoxide::{Database, ImportOptions, server};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Why the emulator did not start.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// The database file could not be opened.
    #[error("the table's file {path} cannot be opened ({message}); remove it to start empty")]
    Open {
        /// The file.
        path: PathBuf,
        /// What the emulator says.
        message: String,
    },
    /// The items of an event were refused.
    #[error("the embedded DynamoDB refused the items: {0}")]
    Import(String),
    /// The listening socket is unusable.
    #[error("the table's server cannot listen: {0}")]
    Listen(#[from] std::io::Error),
}

/// A running emulator; it stops when dropped.
pub struct Embedded {
    address: SocketAddr,
    database: Database,
    _stop: oneshot::Sender<()>,
}

impl Embedded {
    /// Serves the database kept in `file` on `listener`.
    ///
    /// # Errors
    /// [`EmbeddedError`].
    pub fn start(listener: TcpListener, file: &Path) -> Result<Self, EmbeddedError> {
        let database = open(file)?;
        let address = listener.local_addr()?;
        let served = database.clone();
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let until = async { drop(stopped.await) };
            if let Err(error) = server::serve_with_shutdown(listener, served, until).await {
                tracing::error!(%error, "embedded DynamoDB stopped");
            }
        });
        Ok(Self { address, database, _stop: stop })
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Writes items in one transaction, past HTTP and without stream records: a second for a
    /// stadium, where batches over HTTP take half a minute.
    ///
    /// # Errors
    /// [`EmbeddedError::Import`]; nothing has been written then.
    pub async fn put_all(&self, table: &str, items: Vec<Item>) -> Result<(), EmbeddedError> {
        let (database, table) = (self.database.clone(), table.to_owned());
        let import = move || {
            let items = items.into_iter().map(emulated).collect();
            database.import_items(&table, items, ImportOptions::default())
        };
        let failed = |e: &dyn std::fmt::Display| EmbeddedError::Import(e.to_string());
        let done = tokio::task::spawn_blocking(import).await.map_err(|e| failed(&e))?;
        done.map(drop).map_err(|e| failed(&e))
    }
}

/// Opens the database and makes it fit for a long stream.
fn open(file: &Path) -> Result<Database, EmbeddedError> {
    let failed = |message: String| EmbeddedError::Open { path: file.to_owned(), message };
    let database = Database::new(&file.to_string_lossy()).map_err(|e| failed(e.to_string()))?;
    index_stream(file).map_err(|e| failed(e.to_string()))?;
    // No fsync at each commit: a killed process loses nothing, a power cut the last moments.
    database.disable_bulk_loading().map_err(|e| failed(e.to_string()))?;
    Ok(database)
}

/// The emulator looks for the stream's highest sequence number at every write, and for the next
/// records at every read, by scanning all records; with these indexes both stay fast.
fn index_stream(file: &Path) -> rusqlite::Result<()> {
    rusqlite::Connection::open(file)?.execute_batch(
        "CREATE INDEX IF NOT EXISTS onsale_stream_last
             ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
         CREATE INDEX IF NOT EXISTS onsale_stream_next
             ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));",
    )
}

fn emulated(item: Item) -> dynoxide::types::Item {
    item.into_iter().map(|(name, value)| (name, attribute(value))).collect()
}

fn attribute(value: Value) -> AttributeValue {
    match value {
        Value::S(text) => AttributeValue::S(text),
        Value::N(number) => AttributeValue::N(number.to_string()),
        Value::Bool(yes) => AttributeValue::BOOL(yes),
        Value::B(bytes) => AttributeValue::B(bytes),
        Value::L(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
    }
}
