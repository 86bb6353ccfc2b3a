//! An event as its editions reach the edge.

use std::ops::Deref;

pub use domain::edge_event::EdgeEvent;
use domain::edge_event::Finding;
use domain::keys::{KeyKind, MasterKeys};
use serde::{Deserialize, Serialize};

use crate::problem::{Code, Problem};

/// An event and how often it was defined anew: shards ask for an edition they do not have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Edition {
    /// Counts the definitions, from 1.
    pub edition: u64,
    /// The master key that signed when the event was first stored. What must not change while the event lives follows
    /// from it, whatever key signs today.
    pub key_id: u8,
    /// The event.
    pub event: EdgeEvent,
}

impl Edition {
    /// A key that lasts as long as the event.
    pub fn lasting_key(&self, keys: &MasterKeys, kind: KeyKind) -> Result<[u8; 32], Problem> {
        let missing = || format!("the on-sale began with master key {}, which is not live", self.key_id);
        keys.key(kind, &self.id, self.key_id).ok_or_else(|| Problem::because(Code::KeyRetired, missing()))
    }
}

impl Deref for Edition {
    type Target = EdgeEvent;

    fn deref(&self) -> &EdgeEvent {
        &self.event
    }
}

/// Refuses an event with all findings named.
pub fn findings(found: &[Finding]) -> Result<(), Problem> {
    if found.is_empty() {
        return Ok(());
    }
    Err(Problem::from(Code::BadEvent).with("findings", serde_json::to_value(found)?))
}
