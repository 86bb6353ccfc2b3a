//! The draw file: all that anyone needs to recompute the places of one cohort, published once and never changed.
//!
//! The commitment is published before the first join; the secret itself once the on-sale is closed. With it, [`DrawFile::verify`]
//! recomputes the seed from the published parts. Without a public beacon the draw is "drawn by the organiser", and says so.

use crate::bytes32;
use crate::cohort::{LogCut, Row, seed};
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
    /// With a round of a public randomness beacon after the cut: verifiable.
    Beacon,
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
    /// The beacon's randomness in lower-case hex, or null.
    pub beacon: Option<String>,
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
    /// The beacon is not hex, or there although the organiser drew, or missing although not.
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
    /// The file of a cohort that was drawn by the organiser (without a beacon).
    pub fn by_organiser(event: &EventId, row: &Row, commitment: [u8; 32]) -> Self {
        let Row { k, t, cuts, n, base, seed } = row.clone();
        let (beacon, drawn_by) = (None, DrawnBy::Organiser);
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
        let beacon = self.beacon_bytes().ok_or(DrawFault::Beacon)?;
        let want = seed(secret, self.k, self.n, self.cuts.iter().map(|c| &c.root), &beacon);
        if want == self.seed { Ok(()) } else { Err(DrawFault::Seed) }
    }

    /// The cohort's row, as this file tells it.
    pub fn row(&self) -> Row {
        Row { k: self.k, t: self.t_ms, cuts: self.cuts.clone(), n: self.n, base: self.base, seed: self.seed }
    }

    fn check_cuts(&self) -> Result<(), DrawFault> {
        let sizes = self.cuts.iter().map(|c| c.to.checked_sub(c.from));
        let sum = sizes.into_iter().try_fold(0_u64, |sum, size| sum.checked_add(size?));
        let ordered = self.cuts.is_sorted_by(|a, b| (a.shard, a.epoch) < (b.shard, b.epoch));
        if ordered && sum == Some(self.n) { Ok(()) } else { Err(DrawFault::Cuts(self.n)) }
    }

    /// Empty for the organiser's draw; 32 bytes otherwise.
    fn beacon_bytes(&self) -> Option<Vec<u8>> {
        match (self.drawn_by, &self.beacon) {
            (DrawnBy::Organiser, None) => Some(Vec::new()),
            (DrawnBy::Beacon, Some(hex)) => bytes32::from_hex(hex).map(Vec::from),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cohort::{Cut, CutAnswer, LogAnswer, close};

    const SECRET: [u8; 32] = [9; 32];

    fn row() -> Row {
        let answer = |shard, len, root| {
            let logs =
                vec![LogAnswer { epoch: 0, len, root: [root; 32] }, LogAnswer { epoch: 1, len: 9, root: [0; 32] }];
            CutAnswer { shard, cut: Cut { k: 0, t: WallMs(1_800_000_000_000) }, logs }
        };
        let cut = Cut { k: 0, t: WallMs(1_800_000_000_000) };
        close(None, &cut, &[0, 0], &[answer(1, 3, 2), answer(0, 4, 1)], &SECRET, &[])
            .expect("all answered")
            .expect("7 people")
    }

    fn file() -> DrawFile {
        DrawFile::by_organiser(&"demo".parse().expect("a valid id"), &row(), commitment(&SECRET))
    }

    #[test]
    fn draw_file_format_unchanged() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../golden/draw.json")).expect("golden/draw.json is JSON");
        let text = String::from_utf8(file().to_bytes()).expect("JSON is text");
        assert_eq!(
            golden["file"].as_str(),
            Some(text.as_str()),
            "published draw files could no longer be read or checked"
        );
        assert_eq!(
            golden["hash"].as_str(),
            Some(file_hash(text.as_bytes()).as_str()),
            "status files would name other draws"
        );
        let places: Vec<_> =
            (0..4).map(|i| (0, i)).chain((0..3).map(|i| (1, i))).map(|(s, i)| file().place_of(s, 0, i)).collect();
        let want: Vec<_> = golden["places"].as_array().expect("a list").iter().map(serde_json::Value::as_u64).collect();
        assert_eq!(places, want, "people who are already numbered would get other places");
    }

    #[test]
    fn a_published_draw_reads_and_verifies() {
        let read = DrawFile::parse(&file().to_bytes());
        assert_eq!(read, Ok(file()));
        assert_eq!(file().verify(&SECRET), Ok(()));
    }

    #[test]
    fn every_change_is_found() {
        type Change = fn(&mut DrawFile);
        let cases: [(Change, DrawFault); 8] = [
            (|f| f.n = 8, DrawFault::Cuts(8)),
            (|f| f.cuts.swap(0, 1), DrawFault::Cuts(7)),
            (|f| f.cuts[0].from = 5, DrawFault::Cuts(7)),
            (|f| f.cuts[0].root = [7; 32], DrawFault::Seed),
            (|f| f.k = 1, DrawFault::Seed),
            (|f| f.seed = [0; 32], DrawFault::Seed),
            (|f| f.beacon = Some("00".into()), DrawFault::Beacon),
            (|f| f.commitment = [0; 32], DrawFault::Commitment),
        ];
        for (at, (change, fault)) in cases.into_iter().enumerate() {
            let mut file = file();
            change(&mut file);
            assert_eq!(file.verify(&SECRET), Err(fault), "case {at}");
        }
        assert_eq!(file().verify(&[8; 32]), Err(DrawFault::Commitment));
    }

    #[test]
    fn nonsense_is_not_a_draw_file() {
        let bytes = file().to_bytes();
        assert!((0..bytes.len()).all(|cut| DrawFile::parse(&bytes[..cut]).is_err()), "truncated");
        assert!(DrawFile::parse(&[bytes, b"x".to_vec()].concat()).is_err(), "trailing");
    }

    #[test]
    fn entries_of_other_cohorts_have_no_place_here() {
        for (shard, epoch, index) in [(0, 0, 4), (1, 0, 3), (0, 1, 0), (2, 0, 0)] {
            assert_eq!(file().place_of(shard, epoch, index), None);
        }
    }
}
