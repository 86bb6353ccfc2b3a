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
    /// Serves the database kept in `file`, or in memory, on `listener`.
    ///
    /// # Errors
    /// [`EmbeddedError`].
    pub fn start(listener: TcpListener, file: Option<&Path>) -> Result<Self, EmbeddedError> {
        let database = open(file)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let until = async { drop(stopped.await) };
            if let Err(error) = server::serve_with_shutdown(listener, database, until).await {
                tracing::error!(%error, "embedded DynamoDB stopped");
            }
        });
        Ok(Self {
            address,
            _stop: stop,
        })
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn open(file: Option<&Path>) -> Result<Database, EmbeddedError> {
    let shown = file.unwrap_or(Path::new(":memory:"));
    let opened = match file {
        Some(path) => Database::new(&path.to_string_lossy()),
        None => Database::memory(),
    };
    opened.map_err(|e| EmbeddedError::Open {
        path: shown.to_owned(),
        message: e.to_string(),
    })
}
