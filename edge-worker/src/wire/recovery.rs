//! Messages of a Pacer that lost its storage.

use std::collections::BTreeMap;

use domain::cohort::Remains;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RelayAnswer;
use crate::event::Edition;

/// A Pacer without storage asks a shard what is left, and to promise that nothing below this beat acts any more.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RemainsAsk {
    /// The beat; 0 asks for no promise.
    pub beat: u64,
}

/// What is left at a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RemainsTold {
    /// What the rule of restoring decides from.
    pub remains: Remains,
    /// The event.
    pub event: Option<Edition>,
    /// The Pacer's facts as the last beat brought them, and the number of that beat.
    pub facts: Option<(u64, BTreeMap<String, Value>)>,
    /// What it would answer to that beat.
    pub answer: RelayAnswer,
}

/// A shard wakes a Pacer that has been silent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WakeAsk {
    /// Shards of the event: a Pacer that lost its storage has to ask them all.
    pub shards: u16,
}
