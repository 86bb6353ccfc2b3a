//! Why a stack does not start, or a part of it.

use std::path::PathBuf;

/// What went wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// Another stack runs there.
    #[error("a stack already runs with the state folder {0}; end it, or give another one with --state")]
    InUse(PathBuf),
    /// The state folder's file is damaged.
    #[error("{0} cannot be read; remove the state folder to start afresh")]
    State(PathBuf),
    /// A file, folder or socket.
    #[error("the state folder or a local port cannot be used: {0}")]
    Io(#[from] std::io::Error),
    /// The embedded DynamoDB.
    #[error(transparent)]
    Embedded(#[from] crate::dynamo::EmbeddedError),
    /// DynamoDB, embedded or not.
    #[error(transparent)]
    Dynamo(#[from] crate::dynamo::CallError),
    /// The event is not imported.
    #[error("the event could not be imported: {0}")]
    Import(#[from] table::ImportError),
    /// The edge.
    #[error(transparent)]
    Edge(#[from] crate::edge::EdgeError),
}
