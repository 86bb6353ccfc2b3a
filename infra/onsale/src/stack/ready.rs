//! The addresses of a running stack, as one JSON object in a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where a running stack can be reached. `Debug` is left out on purpose: it carries a key.
#[derive(Clone, Serialize, Deserialize)]
pub struct Ready {
    /// The edge: pages and API.
    pub edge: String,
    /// The origin's function URL.
    pub origin: String,
    /// The payment simulator.
    pub payments: String,
    /// The mails that were sent, as JSON; empty in files of older stacks.
    #[serde(default)]
    pub mails: String,
    /// DynamoDB.
    pub dynamodb: String,
    /// The table's name.
    pub table: String,
    /// The operator's bearer key.
    pub operator_key: String,
    /// The event on sale, if one was imported.
    pub event: Option<String>,
    /// The state folder.
    pub state: PathBuf,
    /// The stack's own control address.
    pub control: String,
    /// The process id.
    pub pid: u32,
}

impl Ready {
    /// The file's name in the state folder.
    pub const FILE: &'static str = "ready.json";

    /// Reads the file that a running stack has written.
    ///
    /// # Errors
    /// It is not there (no stack runs with this state folder) or is not one.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    }

    /// Writes the file, whole or not at all, readable by its owner only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        super::state::write_private(path, &serde_json::to_vec(self)?)
    }
}
