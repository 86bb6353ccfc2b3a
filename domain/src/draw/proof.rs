//! A fan's own entry, proved to be among those that were drawn.

use super::{DrawFile, Fault};
use crate::bytes32;
use crate::cohort::{Entry, entry_leaf};
use crate::ids::EventId;
use crate::merkle::{self, Hash};
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// The Merkle proof of one entry, as the fan's shard hands it out: some 500 bytes to 2 KB, by the length of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryProof {
    /// The event.
    pub event: EventId,
    /// Shard of the entry.
    pub shard: u16,
    /// Epoch of its log.
    pub epoch: u32,
    /// Index in the log.
    pub index: u64,
    /// Time the entry counts from.
    pub time_ms: WallMs,
    /// The account's pseudonym in this event's logs.
    #[serde(with = "bytes32")]
    pub pseudonym: [u8; 32],
    /// The cohort that numbers it; its draw file has the root.
    pub k: u32,
    /// Sibling hashes in hex, lowest first.
    pub path: Vec<HexHash>,
}

/// A hash that is written in hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexHash(#[serde(with = "bytes32")] pub Hash);

impl EntryProof {
    /// The place that follows for this entry from the draw file of its cohort, once the entry is proved to be in it.
    pub fn place(&self, file: &DrawFile) -> Result<u64, Fault> {
        let row = file.row();
        if (&file.event, file.k) != (&self.event, self.k) {
            return Err(Fault::Foreign);
        }
        let cut = row.log(self.shard, self.epoch).ok_or(Fault::Proof)?;
        let path: Vec<Hash> = self.path.iter().map(|hash| hash.0).collect();
        let leaf = entry_leaf(&self.pseudonym, self.time_ms);
        if !merkle::verify(&cut.root, cut.to, self.index, &leaf, &path) {
            return Err(Fault::Proof);
        }
        let entry = Entry { epoch: self.epoch, index: self.index, time: self.time_ms };
        row.place_of_entry(self.shard, &entry).ok_or(Fault::Proof)
    }
}
