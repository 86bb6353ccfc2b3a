//! The swap-or-not shuffle of the Ethereum consensus specification (`compute_shuffled_index`, 90 rounds of SHA-256): a
//! permutation of `0..count` fixed by a 32-byte seed, of which single values can be computed alone.
//!
//! Source: consensus-specs, phase0, "compute_shuffled_index". Independent implementations exist in many languages, so anyone
//! can check a draw. Vectors: `golden/shuffle.json`.

use sha2::{Digest, Sha256};

/// Rounds of the specification.
pub const ROUNDS: u8 = 90;
/// Largest list: positions enter the hash as `position / 256` in 32 bits.
pub const MAX_COUNT: u64 = 1 << 40;

/// Where `index` goes among `count` (`compute_shuffled_index`), or `None` unless `index < count <= MAX_COUNT`.
///
/// Costs 180 SHA-256 blocks.
pub fn compute_shuffled_index(index: u64, count: u64, seed: &[u8; 32]) -> Option<u64> {
    if index >= count || count > MAX_COUNT {
        return None;
    }
    Some((0..ROUNDS).fold(index, |at, round| {
        let flip = (pivot(round, count, seed) + count - at) % count;
        let position = at.max(flip);
        if bit(&source(round, position / 256, seed), position) { flip } else { at }
    }))
}

/// The whole permutation at once: `list[i] == compute_shuffled_index(i, count, seed)`, with one hash per 256 positions and
/// round. `None` if `count` does not fit memory as 32-bit numbers.
pub fn shuffled_list(count: u64, seed: &[u8; 32]) -> Option<Vec<u32>> {
    let mut list: Vec<u32> = (0..u32::try_from(count).ok()?).collect();
    if list.len() > 1 {
        // Swapping list entries composes from the inside, so the rounds run backwards.
        (0..ROUNDS).rev().for_each(|round| swap_round(&mut list, round, count, seed));
    }
    Some(list)
}

/// One round: every position is paired with its mirror image about the pivot, the higher one decides.
fn swap_round(list: &mut [u32], round: u8, count: u64, seed: &[u8; 32]) {
    let pivot = pivot(round, count, seed);
    swap_mirrored(list, 0, pivot, round, seed);
    swap_mirrored(list, pivot + 1, count - 1, round, seed);
}

/// Pairs `low + j` with `high - j`.
fn swap_mirrored(list: &mut [u32], mut low: u64, mut high: u64, round: u8, seed: &[u8; 32]) {
    let (mut block, mut hash) = (u64::MAX, [0; 32]);
    while low < high {
        if high / 256 != block {
            (block, hash) = (high / 256, source(round, high / 256, seed));
        }
        if bit(&hash, high) {
            list.swap(low as usize, high as usize); // both are below list.len(), which fits usize
        }
        (low, high) = (low + 1, high - 1);
    }
}

/// SHA-256(seed ‖ round), its first eight bytes as a little-endian number, modulo `count`.
fn pivot(round: u8, count: u64, seed: &[u8; 32]) -> u64 {
    let mut input = [round; 33];
    input[..32].copy_from_slice(seed);
    let hash: [u8; 32] = Sha256::digest(input).into();
    let [a, b, c, d, e, f, g, h, ..] = hash;
    u64::from_le_bytes([a, b, c, d, e, f, g, h]) % count
}

/// SHA-256(seed ‖ round ‖ block as u32 little-endian): the decisions of 256 positions.
fn source(round: u8, block: u64, seed: &[u8; 32]) -> [u8; 32] {
    let block = block as u32; // below 2^32 because count <= MAX_COUNT
    let mut input = [round; 37];
    input[..32].copy_from_slice(seed);
    input[33..].copy_from_slice(&block.to_le_bytes());
    Sha256::digest(input).into()
}

fn bit(source: &[u8; 32], position: u64) -> bool {
    let byte = source[(position % 256 / 8) as usize]; // 0..32
    byte >> (position % 8) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes32::from_hex;

    #[derive(serde::Deserialize)]
    struct Case {
        seed: String,
        count: u64,
        mapping: Vec<u64>,
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../golden/shuffle.json")).expect("golden/shuffle.json is JSON")
    }

    #[test]
    fn shuffle_unchanged() {
        for case in cases() {
            let seed = from_hex(&case.seed).expect("a seed is 32 bytes of hex");
            for (index, &to) in (0..).zip(&case.mapping) {
                let got = compute_shuffled_index(index, case.count, &seed);
                assert_eq!(
                    got,
                    Some(to),
                    "the shuffle differs from the specification: no draw could be verified any more"
                );
            }
        }
    }

    #[test]
    fn the_list_is_the_same_permutation() {
        for case in cases() {
            let seed = from_hex(&case.seed).expect("a seed is 32 bytes of hex");
            let list = shuffled_list(case.count, &seed).expect("small");
            assert!(list.iter().map(|&v| u64::from(v)).eq(case.mapping.iter().copied()), "count {}", case.count);
        }
    }

    #[test]
    fn a_long_list_is_a_permutation_and_agrees_at_samples() {
        let (count, seed) = (100_003, [7; 32]);
        let list = shuffled_list(count, &seed).expect("fits");
        for index in (0..count).step_by(9_973) {
            assert_eq!(compute_shuffled_index(index, count, &seed), Some(u64::from(list[index as usize])));
        }
        let mut sorted = list;
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..count as u32));
    }

    #[test]
    fn nothing_outside_the_list() {
        assert_eq!(compute_shuffled_index(0, 0, &[0; 32]), None);
        assert_eq!(compute_shuffled_index(5, 5, &[0; 32]), None);
        assert_eq!(compute_shuffled_index(0, MAX_COUNT + 1, &[0; 32]), None);
        assert_eq!(shuffled_list(0, &[0; 32]), Some(vec![]));
        assert_eq!(shuffled_list(1, &[0; 32]), Some(vec![0]));
    }
}
