//! The seal: who is in cohort 0, published before the public random number that draws them exists.

use super::{DrawFile, file_hash};
use crate::cohort::{LogCut, Sealed};
use crate::ids::EventId;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// The seal file of an event with a beacon. Every field stands in the draw file of cohort 0 too, so whoever kept the seal's
/// hash can compare ([`SealFile::of_draw`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealFile {
    /// The event.
    pub event: EventId,
    /// The cohort: 0.
    pub k: u32,
    /// The cut's time.
    pub t_ms: WallMs,
    /// People in the cohort.
    pub n: u64,
    /// People before: 0.
    pub base: u64,
    /// One cut per log, ordered by shard and epoch.
    pub cuts: Vec<LogCut>,
    /// SHA-256 of the event's draw secret.
    #[serde(with = "crate::bytes32")]
    pub commitment: [u8; 32],
    /// When the people were fixed.
    pub sealed_ms: WallMs,
    /// The round of the beacon that will draw them.
    pub round: u64,
}

impl SealFile {
    /// The file of a sealed cohort 0.
    pub fn new(event: &EventId, list: &Sealed, commitment: [u8; 32], sealed: WallMs, round: u64) -> Self {
        let Sealed { k, t, cuts, n, base } = list.clone();
        Self { event: event.clone(), k, t_ms: t, n, base, cuts, commitment, sealed_ms: sealed, round }
    }

    /// The seal that a draw file with a beacon rests on.
    pub fn of_draw(file: &DrawFile) -> Option<Self> {
        let DrawFile { event, k, t_ms, n, base, cuts, commitment, .. } = file.clone();
        let beacon = file.beacon.filter(|_| k == 0)?;
        Some(Self { event, k, t_ms, n, base, cuts, commitment, sealed_ms: beacon.sealed_ms, round: beacon.round })
    }

    /// The text to publish: compact JSON, always the same for the same seal.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // strings, numbers and lists only: cannot fail
    }

    /// The name by which the status file refers to it while the draw waits.
    pub fn hash(&self) -> String {
        file_hash(self.text().as_bytes())
    }
}
