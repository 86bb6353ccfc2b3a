//! An event as its editions reach the edge.

use std::ops::Deref;

pub use domain::edge_event::EdgeEvent;
use domain::edge_event::Finding;
use serde::{Deserialize, Serialize};

use crate::problem::{Code, Problem};

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

/// Refuses an event with all findings named.
pub fn findings(found: &[Finding]) -> Result<(), Problem> {
    if found.is_empty() {
        return Ok(());
    }
    Err(Problem::from(Code::BadEvent).with("findings", serde_json::to_value(found)?))
}
