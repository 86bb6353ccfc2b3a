//! The edge of the local stack: builds the Worker and runs it in the real Workers runtime.
//!
//! [`build`] turns the crate `edge-worker` into a folder the runtime can load; [`Workerd`] runs that
//! folder. It knows nothing of routes, tokens or the origin's work: it only hands over
//! addresses and keys, and those only through the process environment, never through a file.

mod build;
mod config;
mod workerd;

pub use build::{EdgeBundle, Profile, build};
pub use config::{EdgeConfig, Outside};
pub use workerd::Workerd;

use std::path::PathBuf;

/// Why the edge could not be built or run.
#[derive(Debug, thiserror::Error)]
pub enum EdgeError {
    /// `cargo build` or `npm ci` ended with a failure; its own words went to standard error.
    #[error("`{0}` failed")]
    Command(String),
    /// The JavaScript around the WebAssembly module could not be generated.
    #[error("generating the Worker's glue: {0}")]
    Glue(String),
    /// A file or process could not be used.
    #[error("{what}: {source}")]
    Io {
        /// What was attempted.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The runtime ended, or did not say its port in time.
    #[error("workerd did not start: {0}")]
    Start(String),
}

/// Names the attempt in an I/O error.
fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> EdgeError {
    move |source| EdgeError::Io { what: what.into(), source }
}

/// The workspace this tool was built from: it builds and serves the sources beside it.
fn workspace() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
