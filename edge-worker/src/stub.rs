//! temporary
use domain::ids::EventId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct EdgeEvent {
    pub id: EventId, pub name: String, pub venue: String, pub opens_at_ms: i64, pub zone: String, pub currency: String,
    pub shards: u16, pub rate_per_minute: u32, pub tickets_per_order: f64, pub max_per_account: u32, pub claim_window_ms: i64,
    pub session_ms: i64, pub grace_ms: i64, pub beat_ms: i64, pub idle_beat_ms: i64, pub ends_at_ms: i64, pub rehearsal: bool,
    pub layout_version: String, pub levels: Vec<Value>, pub pools: Vec<Value>,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pace { pub admitted: u64, pub carry: f64 }
