//! What the objects can be asked, by name.

/// Operation names of a shard.
pub mod shard_op {
    /// [`crate::wire::JoinAsk`] → [`crate::wire::InLine`].
    pub const JOIN: &str = "join";
    /// [`crate::wire::SessionAsk`] → [`crate::wire::Session`] or `null`.
    pub const SESSION: &str = "session";
    /// [`crate::wire::CutAsk`] → `CutAnswer`.
    pub const CUT: &str = "cut";
    /// [`crate::wire::Relay`] → [`crate::wire::RelayAnswer`].
    pub const RELAY: &str = "relay";
    /// `null` → [`crate::wire::View`].
    pub const VIEW: &str = "view";
    /// `null` → [`crate::wire::Copy`], the last status.
    pub const STATUS: &str = "status";
    /// `null` → [`crate::wire::MapText`], the last seat map.
    pub const MAP: &str = "map";
    /// `null` → [`crate::wire::MapText`], the last counts of it.
    pub const COUNTS: &str = "counts";
    /// [`crate::wire::RemainsAsk`] → [`crate::wire::RemainsTold`].
    pub const REMAINS: &str = "remains";
    /// [`crate::wire::RowsAsk`] → rows after a cohort.
    pub const ROWS: &str = "rows";
    /// [`crate::wire::RowAsk`] → the draw file's text.
    pub const DRAW: &str = "draw";
    /// [`crate::wire::MeterAsk`] → `null`, or too fast.
    pub const METER: &str = "meter";
    /// `AccountId` → whether it was slowed.
    pub const LIFT: &str = "lift";
    /// `null` → the seal file's text.
    pub const SEAL: &str = "seal";
    /// [`crate::wire::ProofAsk`] → `EntryProof`.
    pub const PROOF: &str = "proof";
    /// [`crate::wire::KeptCode`]s → how many.
    pub const CODES: &str = "codes";
    /// [`crate::wire::ClaimAsk`] → [`crate::wire::ClaimAnswer`].
    pub const CLAIM: &str = "claim";
    /// [`crate::wire::Use`]s, looked into → `null`.
    pub const FOUND: &str = "found";
    /// [`crate::wire::Use`] → the same, looked into.
    pub const LOOK: &str = "look";
    /// `null` → every [`crate::wire::Use`] that an entry here came by.
    pub const USES: &str = "uses";
    /// [`crate::wire::RegisteredAsk`] → [`crate::wire::Registered`].
    pub const REGISTERED: &str = "registered";
    /// `AccountId` → every row that names it.
    pub const TRACES: &str = "traces";
    /// `AccountId` → whether nothing names it any more; not so while the on-sale lasts.
    pub const ERASE: &str = "erase";
    /// `Tally`, what an isolate counted → `null`.
    pub const TALLY: &str = "tally";
    /// `null` → never answers: the instance panics.
    pub const PANIC: &str = "panic";
}

/// Operation names of the Pacer.
pub mod pacer_op {
    /// [`crate::operator::OperatorCall`] → what its act answers.
    pub const OPERATOR: &str = "operator";
    /// How many calls came with keys that nobody was ever given → `null`.
    pub const STRANGERS: &str = "strangers";
    /// [`crate::wire::HelloAsk`] → [`crate::wire::Hello`].
    pub const HELLO: &str = "hello";
    /// [`crate::wire::RowsAsk`] → rows after a cohort.
    pub const ROWS: &str = "rows";
    /// [`crate::wire::WakeAsk`] → `null`; re-arms a lost alarm, begins to restore lost storage.
    pub const WAKE: &str = "wake";
    /// `AccountId` → whether no shard of any line names it any more.
    pub const ERASE: &str = "erase";
    /// `Fault` → `null`.
    pub const FAULT: &str = "fault";
}
