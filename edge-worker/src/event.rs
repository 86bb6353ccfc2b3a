//! An event as its editions reach the edge.

use std::ops::Deref;

pub use crate::stub::EdgeEvent;
use serde::{Deserialize, Serialize};

/// An event and how often it was defined anew: shards ask for an edition they do not have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Edition {
    /// Counts the definitions, from 1.
    pub edition: u64,
    /// The event.
    pub event: EdgeEvent,
}

impl Deref for Edition {
    type Target = EdgeEvent;

    fn deref(&self) -> &EdgeEvent {
        &self.event
    }
}
