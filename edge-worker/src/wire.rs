//! Messages between the front, the shards and the Pacer. They never leave the deployment.

mod codes;
mod hello;
mod ops;
mod recovery;
mod registered;
mod session;

use std::collections::BTreeMap;

use domain::cohort::{Cut, Row};
use domain::ids::AccountId;
use domain::lane::MAX_LANES;
use domain::pace::Claims;
use domain::report::Tally;
use domain::time::{EventMs, WallMs};
use domain::token::Entrance;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::Edition;

pub use codes::{ClaimAnswer, ClaimAsk, Grant, KeptCode, Use};
pub use hello::{Hello, HelloAsk};
pub use ops::{pacer_op, shard_op};
pub use recovery::{RemainsAsk, RemainsTold, WakeAsk};
pub use registered::{Registered, RegisteredAsk, Wish};
pub use session::{Session, SessionAsk};

/// An account joins, or asks for its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JoinAsk {
    /// Who.
    pub account: AccountId,
    /// What the token shown with it says; it restores an entry the shard has lost.
    pub shown: Option<ShownPlace>,
    /// How an account without an entry gets one; without this it gets none.
    pub entering: Option<Entering>,
}

/// What the door says of somebody who may come in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entering {
    /// The time from which the arrival counts.
    pub since: WallMs,
    /// Whether an arrival stamp says so.
    pub stamped: bool,
    /// What its entry is kept with.
    pub entrance: Entrance,
    /// The use of a code that it comes in by.
    #[serde(default)]
    pub grant: Option<Grant>,
}

/// Counts something in the shard where all calls about it come together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeterAsk {
    /// What.
    pub key: String,
    /// So many …
    pub count: u32,
    /// … in so many milliseconds.
    pub per_ms: i64,
}

/// The content of a place token that was checked at the front.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ShownPlace {
    /// Epoch of the entry's log.
    pub epoch: u32,
    /// Index in it.
    pub index: u64,
    /// Time it counts from.
    pub joined: WallMs,
    /// Its number, 0 if none is known.
    pub place: u64,
    /// The cohort of that number.
    pub cohort: u32,
    /// How it came into the line.
    pub entrance: Entrance,
    /// Revocation epoch of the token.
    pub rev: u32,
    /// Whether the account's own credential was shown with it; then a revoked token is still a fact.
    pub vouched: bool,
}

/// Where an account stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InLine {
    /// Epoch of the entry's log.
    pub epoch: u32,
    /// Index in it.
    pub index: u64,
    /// Time it counts from.
    pub joined: WallMs,
    /// Number and cohort, once the cohort is closed.
    pub number: Option<(u64, u32)>,
    /// How it came into the line.
    pub entrance: Entrance,
    /// Revocation epoch that a token issued now carries.
    pub rev: u32,
    /// Whether the entry was made by this call.
    pub fresh: bool,
    /// When to ask for a number, in milliseconds from now.
    pub ask_again_ms: i64,
}

/// The Pacer cuts a cohort.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CutAsk {
    /// The beat that asks; only higher ones act.
    pub beat: u64,
    /// The cut.
    pub cut: Cut,
}

/// What a beat brings to every shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Relay {
    /// The beat; only higher ones act.
    pub beat: u64,
    /// Time to the next beat, in milliseconds.
    pub beat_ms: i64,
    /// Whether the on-sale is over.
    pub closed: bool,
    /// Event time of the beat.
    pub event_ms: EventMs,
    /// Places up to this one have let their turn lapse.
    pub lapsed: u64,
    /// The same for each lane beside the main line.
    pub lapsed_lanes: [u64; MAX_LANES],
    /// The rank up to which those who registered are invited.
    pub invited: u64,
    /// Revocation epoch.
    pub rev: u32,
    /// Turns for those who wait longest in this shard's late lane.
    pub turns: u64,
    /// The new status, word for word.
    pub status: Copy,
    /// The seat map if it changed since the shard's last answer.
    pub map: Option<MapText>,
    /// How much is free where, in the same way.
    #[serde(default)]
    pub counts: Option<MapText>,
    /// The last closed row.
    pub row: Option<Row>,
    /// The seal file, while cohort 0 waits for the beacon.
    pub seal: Option<String>,
    /// The event if the shard has another edition.
    pub event: Option<Edition>,
    /// What the Pacer would need if it lost its storage, by name.
    pub facts: BTreeMap<String, Value>,
}

/// A text with its shelf life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copy {
    /// The bytes, as everybody gets them.
    pub text: String,
    /// When the next one is due.
    pub due: WallMs,
}

/// A seat map with its times of change ([`domain::map::chart::Chart`]), or its counts, word for word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapText {
    /// Its version.
    pub version: i64,
    /// Its JSON.
    pub text: String,
}

/// What a shard tells about itself with each beat.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RelayAnswer {
    /// Turns claimed, counted with this relay's event time and lapsed place.
    pub claims: Claims,
    /// People waiting in the late lane.
    pub late_waiting: u64,
    /// Since when the first of them wait.
    pub late: Vec<WallMs>,
    /// Generation of that storage.
    pub generation: u32,
    /// Entries in all its logs.
    pub entries: u64,
    /// Version of the seat map it has.
    pub map: Option<i64>,
    /// Version of the counts it has.
    #[serde(default)]
    pub counts: Option<i64>,
    /// Edition of the event it has.
    pub edition: u64,
    /// How often readers asked it for a copy since it was last loaded.
    #[serde(default)]
    pub reads: u64,
    /// Accounts whose turn never opens a session.
    #[serde(default)]
    pub slowed: u64,
    /// Of those who registered here and are invited, how many withdrew.
    #[serde(default)]
    pub withdrawn: u64,
    /// Requests and refusals that isolates counted and told this shard.
    #[serde(default)]
    pub tally: Tally,
}

/// Rows after a cohort.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RowsAsk {
    /// Of which line.
    #[serde(default)]
    pub line: u8,
    /// The last cohort known, if any.
    pub after: Option<u32>,
}

/// One row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RowAsk {
    /// Its cohort.
    pub k: u32,
}

/// A fan asks for the proof of an entry that has a number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProofAsk {
    /// Who.
    pub account: AccountId,
    /// Epoch of the entry's log.
    pub epoch: u32,
    /// Index in it.
    pub index: u64,
    /// Time it counts from.
    pub joined: WallMs,
}

/// What an event's front needs to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct View {
    /// The event.
    pub event: Edition,
    /// Whether the on-sale is over.
    pub closed: bool,
}
