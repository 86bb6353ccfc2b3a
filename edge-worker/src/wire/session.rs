//! Sessions: what the front asks an account's shard, and its answer.

use domain::ids::{AccountId, SessionId};
use domain::time::EventMs;
use domain::token::Door;
use serde::{Deserialize, Serialize};

/// A numbered place whose turn has come opens its session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SessionAsk {
    /// Who.
    pub account: AccountId,
    /// Its number.
    pub place: u64,
    /// The lane of that number.
    pub lane: u8,
    /// How the account came in, as its token says.
    pub door: Door,
    /// Revocation epoch of the place token.
    pub rev: u32,
    /// Whether the account's own credential was shown with it.
    pub vouched: bool,
    /// Event time of the claim.
    pub now: EventMs,
    /// A fresh id for a first claim; without one only an open session is answered.
    pub session: Option<SessionId>,
    /// Whether an open session shall last longer.
    pub longer: bool,
    /// Whether a session that is over is shown all the same.
    pub ended: bool,
}

/// An account's session.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Its id.
    pub session: SessionId,
    /// Its end.
    pub expires: EventMs,
    /// Whether it was made longer, which goes once.
    pub longer: bool,
    /// Revocation epoch that a token issued now carries.
    pub rev: u32,
}
