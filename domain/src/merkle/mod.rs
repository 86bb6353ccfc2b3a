//! Merkle trees over append-only logs, hashed as in RFC 6962 (certificate transparency): leaf `SHA-256(0x00 ‖ data)`,
//! node `SHA-256(0x01 ‖ left ‖ right)`, empty tree `SHA-256("")`.
//!
//! A [`Frontier`] grows leaf by leaf and keeps only the roots of its complete subtrees, at most 64 hashes; a [`Tree`] keeps
//! every complete node and proves. An inclusion proof shows that a leaf stands at an index under a root; [`verify`] follows
//! RFC 9162, 2.1.3.2.

mod tree;

pub use tree::Tree;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The hash of a leaf's data.
pub fn leaf_hash(data: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(data).finalize().into()
}

fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The growing edge of a tree: enough to append and to know the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "FrontierWire", try_from = "FrontierWire")]
pub struct Frontier {
    len: u64,
    /// Roots of the complete subtrees, largest first: one per set bit of `len`.
    peaks: Vec<Hash>,
}

/// Stored form of a frontier: length and peaks in hex.
#[derive(Serialize, Deserialize)]
struct FrontierWire {
    len: u64,
    peaks: Vec<String>,
}

impl From<Frontier> for FrontierWire {
    fn from(from: Frontier) -> Self {
        Self { len: from.len, peaks: from.peaks.iter().map(crate::bytes32::to_hex).collect() }
    }
}

impl TryFrom<FrontierWire> for Frontier {
    type Error = &'static str;
    fn try_from(from: FrontierWire) -> Result<Self, Self::Error> {
        let peaks = from.peaks.iter().map(|p| crate::bytes32::from_hex(p)).collect::<Option<Vec<_>>>();
        let peaks = peaks.ok_or("a peak is not 32 bytes of hex")?;
        if peaks.len() != from.len.count_ones() as usize {
            return Err("the number of peaks does not fit the length");
        }
        Ok(Self { len: from.len, peaks })
    }
}

impl Frontier {
    /// Number of leaves.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no leaf yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a leaf by its hash (see [`leaf_hash`]).
    pub fn push(&mut self, leaf: Hash) {
        let merges = self.len.trailing_ones();
        let node = (0..merges).fold(leaf, |right, _| match self.peaks.pop() {
            Some(left) => node_hash(&left, &right),
            None => right, // not reached: there is a peak per set bit
        });
        self.peaks.push(node);
        self.len += 1;
    }

    /// The root over all leaves so far.
    pub fn root(&self) -> Hash {
        let joined = self.peaks.iter().rev().copied().reduce(|right, left| node_hash(&left, &right));
        joined.unwrap_or_else(|| Sha256::digest([]).into())
    }
}

/// The root of a tree with these leaf hashes.
pub fn root(leaves: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    leaves.iter().for_each(|leaf| frontier.push(*leaf));
    frontier.root()
}

/// Whether `path` proves that `leaf` stands at `index` of the tree with `len` leaves and this root.
pub fn verify(root: &Hash, len: u64, index: u64, leaf: &Hash, path: &[Hash]) -> bool {
    if index >= len {
        return false;
    }
    let (mut at, mut last, mut hash) = (index, len - 1, *leaf);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node_hash(sibling, &hash);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && hash == *root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes32::to_hex;

    fn leaves(n: u8) -> Vec<Hash> {
        (0..n).map(|i| leaf_hash(&[i])).collect()
    }

    fn proof(leaves: &[Hash], index: u64) -> Option<Vec<Hash>> {
        leaves.iter().copied().collect::<Tree>().proof(index, leaves.len() as u64)
    }

    /// Vectors of the certificate-transparency reference implementation (`merkletree` tests): leaf data in hex, roots 0 to 8.
    #[test]
    fn roots_of_the_reference_tree() {
        let data: [&[u8]; 8] = [
            &[],
            &[0x00],
            &[0x10],
            &[0x20, 0x21],
            &[0x30, 0x31],
            &[0x40, 0x41, 0x42, 0x43],
            &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
            &[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
        ];
        let hashes: Vec<_> = data.iter().map(|d| leaf_hash(d)).collect();
        let roots = [
            (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
            (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
            (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
        ];
        for (n, want) in roots {
            assert_eq!(to_hex(&root(&hashes[..n])), want, "{n} leaves");
        }
    }

    #[test]
    fn every_leaf_of_every_small_tree_is_proved() {
        for n in 1..=33 {
            let leaves = leaves(n);
            let root = root(&leaves);
            for (index, leaf) in leaves.iter().enumerate() {
                let path = proof(&leaves, index as u64).expect("index is inside");
                assert!(verify(&root, n.into(), index as u64, leaf, &path), "{index} of {n}");
            }
        }
    }

    #[test]
    fn proofs_do_not_fit_elsewhere() {
        let leaves = leaves(21);
        let root = root(&leaves);
        let path = proof(&leaves, 13).expect("13 < 21");
        assert!((0..22).filter(|&i| i != 13).all(|i| !verify(&root, 21, i, &leaves[13], &path)));
        assert!(!verify(&root, 21, 13, &leaves[12], &path), "another leaf");
        assert!(!verify(&[0; 32], 21, 13, &leaves[13], &path), "another root");
        for cut in 0..path.len() {
            assert!(!verify(&root, 21, 13, &leaves[13], &path[..cut]), "shortened to {cut}");
        }
        let longer: Vec<_> = path.iter().copied().chain([[0; 32]]).collect();
        assert!(!verify(&root, 21, 13, &leaves[13], &longer), "prolonged");
        assert_eq!(proof(&leaves, 21), None);
    }

    #[test]
    fn a_stored_frontier_goes_on_where_it_stopped() {
        let leaves = leaves(30);
        let mut frontier = Frontier::default();
        for (n, leaf) in leaves.iter().enumerate() {
            assert_eq!(frontier.root(), root(&leaves[..n]));
            let stored = serde_json::to_string(&frontier).expect("frontiers serialise");
            frontier = serde_json::from_str(&stored).expect("what was stored reads");
            frontier.push(*leaf);
        }
        assert_eq!((frontier.len(), frontier.root()), (30, root(&leaves)));
        assert!(serde_json::from_str::<Frontier>(r#"{"len":3,"peaks":[]}"#).is_err());
    }
}
