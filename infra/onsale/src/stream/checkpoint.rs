//! How far each shard has been delivered, kept in a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A shard's position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// Delivered up to and with this sequence number.
    After(String),
    /// Delivered to its end.
    Done,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    arn: String,
    shards: BTreeMap<String, Position>,
}

/// The positions in one stream, for one mapping.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    stored: Stored,
}

impl Checkpoint {
    /// Reads the file; a missing one, or one of another stream, begins at the stream's start.
    pub fn load(path: PathBuf, arn: &str) -> Self {
        let read = std::fs::read(&path).ok().and_then(|b| serde_json::from_slice::<Stored>(&b).ok());
        let fresh = || Stored { arn: arn.to_owned(), shards: BTreeMap::new() };
        let stored = read.filter(|s| s.arn == arn).unwrap_or_else(fresh);
        Self { path, stored }
    }

    /// Where the shard stands; `None` at its start.
    pub fn position(&self, shard: &str) -> Option<&Position> {
        self.stored.shards.get(shard)
    }

    /// Notes and stores a position.
    ///
    /// # Errors
    /// When the file cannot be written. The position holds in memory all the same: after a
    /// restart some records come again, which their readers allow for.
    pub fn advance(&mut self, shard: &str, position: Position) -> std::io::Result<()> {
        self.stored.shards.insert(shard.to_owned(), position);
        write_whole(&self.path, &serde_json::to_vec(&self.stored)?)
    }
}

/// Writes a file so that a reader sees the old or the new one, never half.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    std::fs::File::create(&beside)?.write_all(bytes)?;
    std::fs::rename(beside, path)
}
