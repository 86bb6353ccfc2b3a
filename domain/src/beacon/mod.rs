//! A public randomness beacon: a chain of numbered rounds, each signed by a league of which no member can choose or foresee
//! the signature. Which round a draw takes follows from time alone, so nobody can choose that either.
//!
//! Chains of drand with the scheme `bls-unchained-g1-rfc9380` (for example "quicknet"): the signature of a round is a point of
//! BLS12-381's G1 over SHA-256(round, 8 bytes big-endian), and its randomness is SHA-256(signature).
//! Source: drand's specification and HTTP API (`GET {base}/{chain hash}/public/{round}`); RFC 9380 for hashing to the curve.

mod bls;
#[cfg(test)]
mod tests;

pub use bls::{public_key, sign};

use crate::bytes32;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The one scheme that is understood.
pub const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// From the moment the people of a cohort are fixed to the earliest round that may draw them, in milliseconds: time enough to
/// publish the fixed list to everybody before the round exists.
pub const LEAD_MS: i64 = 3_000;

/// A beacon's chain, as an event names it before anybody joins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The chain's hash: its name in drand's HTTP API.
    #[serde(with = "bytes32")]
    pub chain: [u8; 32],
    /// The league's public key, a point of G2.
    #[serde(with = "bytes32")]
    pub public_key: [u8; 96],
    /// Time of round 1, seconds since 1970.
    pub genesis_s: i64,
    /// Time between rounds, seconds.
    pub period_s: u32,
    /// Signature scheme: [`SCHEME`].
    pub scheme: String,
}

/// A signed round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u64,
    /// The league's signature, a point of G1.
    #[serde(with = "bytes32")]
    pub signature: [u8; 48],
}

/// Why a beacon's answer is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BeaconFault {
    /// Not JSON of drand's form.
    #[error("it is not a beacon's answer")]
    Form,
    /// Another round than the one asked for.
    #[error("it is another round")]
    Round,
    /// The randomness is not the hash of the signature.
    #[error("its randomness is not the hash of its signature")]
    Randomness,
    /// Not signed by the chain's key.
    #[error("it is not signed by the beacon's key")]
    Signature,
}

/// What drand's `/public/{round}` answers, as far as it matters.
#[derive(Deserialize)]
struct Answer {
    round: u64,
    randomness: String,
    signature: String,
}

impl Chain {
    /// When a round is due: `genesis + (round − 1) × period`.
    pub fn time_of(&self, round: u64) -> WallMs {
        let before = i64::try_from(round.saturating_sub(1)).unwrap_or(i64::MAX);
        let seconds = before.saturating_mul(i64::from(self.period_s)).saturating_add(self.genesis_s);
        WallMs(seconds.saturating_mul(1_000))
    }

    /// The first round that is due at `at` or later.
    pub fn first_round_at(&self, at: WallMs) -> u64 {
        let since_ms = at.0.saturating_sub(self.genesis_s.saturating_mul(1_000)).max(0).unsigned_abs();
        since_ms.div_ceil(u64::from(self.period_s.max(1)) * 1_000).saturating_add(1)
    }

    /// The round that draws a list which was fixed at `sealed`: the first one [`LEAD_MS`] later.
    pub fn round_for(&self, sealed: WallMs) -> u64 {
        self.first_round_at(sealed.plus(LEAD_MS))
    }

    /// Whether the signature is the league's.
    pub fn is_signed(&self, round: &Round) -> bool {
        bls::verify(&self.public_key, round.round, &round.signature)
    }

    /// Reads and checks a beacon's answer to the question for `round`.
    pub fn read(&self, round: u64, answer: &[u8]) -> Result<Round, BeaconFault> {
        let answer: Answer = serde_json::from_slice(answer).map_err(|_| BeaconFault::Form)?;
        let signature = bytes32::from_hex(&answer.signature).ok_or(BeaconFault::Form)?;
        let read = Round { round: answer.round, signature };
        match () {
            () if read.round != round => Err(BeaconFault::Round),
            () if bytes32::from_hex(&answer.randomness) != Some(read.randomness()) => Err(BeaconFault::Randomness),
            () if !self.is_signed(&read) => Err(BeaconFault::Signature),
            () => Ok(read),
        }
    }

    /// Whether the chain can be used at all: scheme, key, period and genesis make sense.
    pub fn is_sound(&self) -> bool {
        self.scheme == SCHEME && self.period_s > 0 && self.genesis_s >= 0 && bls::is_key(&self.public_key)
    }
}

impl Round {
    /// The round's randomness: SHA-256 of its signature.
    pub fn randomness(&self) -> [u8; 32] {
        Sha256::digest(self.signature).into()
    }
}
