//! The embedded DynamoDB: an in-process emulator behind its own HTTP server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use dynoxide::{Database, server};
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
    /// The listening socket is unusable.
    #[error("the table's server cannot listen: {0}")]
    Listen(#[from] std::io::Error),
}

/// A running emulator; it stops when dropped.
#[derive(Debug)]
pub struct Embedded {
    address: SocketAddr,
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
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let until = async { drop(stopped.await) };
            if let Err(error) = server::serve_with_shutdown(listener, database, until).await {
                tracing::error!(%error, "embedded DynamoDB stopped");
            }
        });
        Ok(Self { address, _stop: stop })
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
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
