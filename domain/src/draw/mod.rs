//! The draw file: all that anyone needs to recompute the places of one cohort, published once and never changed.
//!
//! The commitment is published before the first join; the secret itself once the on-sale is closed. With it, [`DrawFile::verify`]
//! recomputes the seed from the published parts, and [`check`] a whole on-sale. Without a public beacon the draw is "drawn by
//! the organiser", and says so.

mod check;
mod fault;
mod proof;
mod seal;
#[cfg(test)]
mod tests;

pub use check::{Checked, EventFacts, StatusKey, Verdict, check, check_line};
pub use fault::{Fault, Refused};
pub use proof::{EntryProof, HexHash};
pub use seal::SealFile;

use crate::beacon::Round;
use crate::bytes32;
use crate::cohort::{BeaconDraw, LogCut, Row, seed};
use crate::ids::EventId;
use crate::time::WallMs;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Who drew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawnBy {
    /// No beacon: whoever knew the secret could have tried last entries until the seed pleased.
    Organiser,
    /// Cohort 0 with a round of a public randomness beacon that came after its people were fixed: verifiable.
    Beacon,
    /// A later cohort with the same round: fixed by what was published, but the organiser knew the round before the people.
    Chained,
}

/// The public randomness as a draw file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeaconPart {
    /// When the people of cohort 0 were fixed.
    pub sealed_ms: WallMs,
    /// The round that follows from that time.
    pub round: u64,
    /// The league's signature.
    #[serde(with = "bytes32")]
    pub signature: [u8; 48],
    /// SHA-256 of the signature: what enters the seed.
    #[serde(with = "bytes32")]
    pub randomness: [u8; 32],
}

/// The draw file of one cohort. Field order and form are frozen by `golden/draw.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawFile {
    /// The event.
    pub event: EventId,
    /// The cohort.
    pub k: u32,
    /// The cut's time.
    pub t_ms: WallMs,
    /// People in the cohort.
    pub n: u64,
    /// People in the cohorts before.
    pub base: u64,
    /// One cut per log, ordered by shard and epoch.
    pub cuts: Vec<LogCut>,
    /// Seed of the shuffle.
    #[serde(with = "bytes32")]
    pub seed: [u8; 32],
    /// SHA-256 of the event's draw secret.
    #[serde(with = "bytes32")]
    pub commitment: [u8; 32],
    /// The public randomness, or null.
    pub beacon: Option<BeaconPart>,
    /// Who drew.
    pub drawn_by: DrawnBy,
}

/// What is wrong with a draw file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawFault {
    /// Not JSON of this form.
    #[error("not a draw file: {0}")]
    Form(String),
    /// Cuts out of order, backwards, or not adding up to `n`.
    #[error("the cuts do not add up to {0} people")]
    Cuts(u64),
    /// The secret is not the one that was committed to.
    #[error("the secret does not match the commitment")]
    Commitment,
    /// The beacon is there although the organiser drew, or missing although not; or its randomness is not its signature's.
    #[error("the beacon does not fit the way of drawing")]
    Beacon,
    /// The seed does not follow from secret, cohort, size, roots and beacon.
    #[error("the seed does not follow from the published parts")]
    Seed,
}

/// The commitment to a draw secret: SHA-256(secret).
pub fn commitment(secret: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// The name by which the status file refers to a draw file: base64url of SHA-256 over its bytes.
pub fn file_hash(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(bytes))
}

impl DrawFile {
    /// The file of a closed cohort.
    pub fn new(event: &EventId, row: &Row, commitment: [u8; 32]) -> Self {
        let Row { k, t, cuts, n, base, seed, beacon } = row.clone();
        let drawn_by = match (&beacon, k) {
            (None, _) => DrawnBy::Organiser,
            (Some(_), 0) => DrawnBy::Beacon,
            (Some(_), _) => DrawnBy::Chained,
        };
        let beacon = beacon.map(BeaconPart::from);
        Self { event: event.clone(), k, t_ms: t, n, base, cuts, seed, commitment, beacon, drawn_by }
    }

    /// The bytes to publish: compact JSON, always the same for the same draw.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default() // strings, numbers and lists only: cannot fail
    }

    /// Reads published bytes and checks that the cuts add up.
    pub fn parse(bytes: &[u8]) -> Result<Self, DrawFault> {
        let file: Self = serde_json::from_slice(bytes).map_err(|e| DrawFault::Form(e.to_string()))?;
        file.check_cuts().map(|()| file)
    }

    /// The place (from 1) of an entry of this cohort, see [`Row::place_of`].
    pub fn place_of(&self, shard: u16, epoch: u32, index: u64) -> Option<u64> {
        self.row().place_of(shard, epoch, index)
    }

    /// Checks everything against the secret that is published when the on-sale is closed.
    pub fn verify(&self, secret: &[u8; 32]) -> Result<(), DrawFault> {
        self.check_cuts()?;
        if commitment(secret) != self.commitment {
            return Err(DrawFault::Commitment);
        }
        let randomness = self.randomness()?;
        let want = seed(secret, self.k, self.n, self.cuts.iter().map(|c| &c.root), randomness.as_ref());
        if want == self.seed { Ok(()) } else { Err(DrawFault::Seed) }
    }

    /// The cohort's row, as this file tells it.
    pub fn row(&self) -> Row {
        let beacon = self.beacon.map(BeaconDraw::from);
        Row { k: self.k, t: self.t_ms, cuts: self.cuts.clone(), n: self.n, base: self.base, seed: self.seed, beacon }
    }

    fn check_cuts(&self) -> Result<(), DrawFault> {
        let sizes = self.cuts.iter().map(|c| c.to.checked_sub(c.from));
        let sum = sizes.into_iter().try_fold(0_u64, |sum, size| sum.checked_add(size?));
        let ordered = self.cuts.is_sorted_by(|a, b| (a.shard, a.epoch) < (b.shard, b.epoch));
        if ordered && sum == Some(self.n) { Ok(()) } else { Err(DrawFault::Cuts(self.n)) }
    }

    /// What entered the seed beside secret and people: nothing in the organiser's draw.
    fn randomness(&self) -> Result<Option<[u8; 32]>, DrawFault> {
        match (self.drawn_by, self.k, &self.beacon) {
            (DrawnBy::Organiser, _, None) => Ok(None),
            (DrawnBy::Beacon, 0, Some(part)) => part.checked().map(Some),
            (DrawnBy::Chained, 1.., Some(part)) => part.checked().map(Some),
            _ => Err(DrawFault::Beacon),
        }
    }
}

impl BeaconPart {
    fn checked(&self) -> Result<[u8; 32], DrawFault> {
        let BeaconDraw { round, .. } = (*self).into();
        if round.randomness() == self.randomness { Ok(self.randomness) } else { Err(DrawFault::Beacon) }
    }
}

impl From<BeaconDraw> for BeaconPart {
    fn from(BeaconDraw { sealed, round }: BeaconDraw) -> Self {
        Self { sealed_ms: sealed, round: round.round, signature: round.signature, randomness: round.randomness() }
    }
}

impl From<BeaconPart> for BeaconDraw {
    fn from(part: BeaconPart) -> Self {
        Self { sealed: part.sealed_ms, round: Round { round: part.round, signature: part.signature } }
    }
}
