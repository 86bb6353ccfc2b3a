//! Why a build or the setup failed, and what to do.

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A program is not there.
    #[error("`{program}` was not found; {hint}")]
    Missing {
        /// The program.
        program: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// A program ended with a failure.
    #[error("`{command}` failed; its own words are above. {hint}")]
    Failed {
        /// The command line.
        command: String,
        /// What to do.
        hint: &'static str,
    },
    /// A file or folder.
    #[error("the build folder cannot be used: {0}")]
    Io(#[from] std::io::Error),
    /// The worker.
    #[error("the worker could not be built: {0}")]
    Edge(#[from] crate::edge::EdgeError),
}
