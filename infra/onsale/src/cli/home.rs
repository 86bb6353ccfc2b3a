//! Where the running stack is found.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::build::workspace;
use crate::stack::Ready;

/// The state folder that commands refer to.
pub(super) struct Home(PathBuf);

impl Home {
    pub fn new(given: Option<PathBuf>) -> Self {
        Self(given.unwrap_or_else(|| workspace().join(".onsale")))
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The addresses of the stack that runs with this folder.
    pub fn ready(&self) -> anyhow::Result<Ready> {
        Ready::read(&self.0.join(Ready::FILE)).with_context(|| {
            format!("no stack runs with the state folder {}; start one with `onsale up`", self.0.display())
        })
    }
}
