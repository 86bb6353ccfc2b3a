//! Messages about presale codes: between the front, the shard that counts a code, and the shard of an account's entry.

use domain::code::{Refused, Terms};
use domain::ids::AccountId;
use domain::time::WallMs;
use serde::{Deserialize, Serialize};

/// A use of a code that an entry may be written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The code's hash.
    #[serde(with = "domain::bytes32")]
    pub code: [u8; 32],
    /// Until when.
    pub until: WallMs,
}

/// A code that is imported, by its hash.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct KeptCode {
    /// Its hash.
    #[serde(with = "domain::bytes32")]
    pub code: [u8; 32],
    /// What it is good for.
    pub terms: Terms,
}

/// An account claims a use.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ClaimAsk {
    /// The code's hash.
    #[serde(with = "domain::bytes32")]
    pub code: [u8; 32],
    /// Who.
    pub account: AccountId,
    /// The lane asked for; none leaves it to the code.
    pub lane: Option<u8>,
}

/// What the code's shard says to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimAnswer {
    /// Counted: an entry of this lane may be written.
    Granted {
        /// The lane.
        lane: u8,
        /// Until when.
        until: WallMs,
    },
    /// Not counted.
    Refused {
        /// Why.
        why: Refused,
        /// Uses that have no entry as far as is known, of this lane: somebody has to look.
        lane: u8,
        /// Those uses.
        open: Vec<Use>,
    },
}

/// A use that was granted to an account, until then.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Use {
    /// The code's hash.
    #[serde(with = "domain::bytes32")]
    pub code: [u8; 32],
    /// Who.
    pub account: AccountId,
    /// Until when it was granted.
    pub until: WallMs,
    /// Whether the entry is known to be there.
    pub entered: bool,
}
