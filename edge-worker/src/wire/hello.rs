//! Messages of a shard that finds its storage empty.

use domain::cohort::Cut;
use serde::{Deserialize, Serialize};

use crate::event::Edition;

/// A shard without storage introduces itself.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct HelloAsk {
    /// Its line.
    #[serde(default)]
    pub line: u8,
    /// Its number.
    pub shard: u16,
}

/// What such a shard needs to begin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// A generation that no one else gets.
    pub generation: u32,
    /// The event.
    pub event: Edition,
    /// The beat: messages of lower ones are late.
    pub beat: u64,
    /// The cut of the newest closed row, or of the seal.
    pub closed: Option<Cut>,
    /// The seal file, while cohort 0 waits for the beacon.
    pub seal: Option<String>,
    /// Revocation epoch.
    pub rev: u32,
}
