//! The proof of work: a signed riddle that takes a browser a second and a crowd of accounts a computer farm.
//!
//! The riddle is a [`crate::token::WorkToken`], written out: it binds event, account, difficulty and expiry, so an answer
//! is good for nobody else and nothing has to be remembered. It has [`PARTS`] parts, so that the time it takes varies
//! little and progress can be shown. The answer to part i is a number n, both written in decimal, such that
//!
//! ```text
//! SHA-256(riddle ‖ "." ‖ i ‖ "." ‖ n)   begins with at least `bits` zero bits
//! ```
//!
//! That takes 2^bits tries a part on average.

use sha2::{Digest, Sha256};

/// Parts of a riddle.
pub const PARTS: usize = 8;
/// Tries that [`solve`] makes for one part before it gives up.
const TRIES_MAX: u64 = 1 << 32;

/// Whether `answer` solves the whole riddle.
#[must_use]
pub fn is_solved(riddle: &str, bits: u8, answer: &[u64]) -> bool {
    answer.len() == PARTS && answer.iter().enumerate().all(|(part, n)| is_part(riddle, part, *n, bits))
}

/// The answer, by trying. For programs that are fans, and for tests.
#[must_use]
pub fn solve(riddle: &str, bits: u8) -> Option<Vec<u64>> {
    (0..PARTS).map(|part| (0..TRIES_MAX).find(|n| is_part(riddle, part, *n, bits))).collect()
}

fn is_part(riddle: &str, part: usize, n: u64, bits: u8) -> bool {
    let hash: [u8; 32] = Sha256::digest(format!("{riddle}.{part}.{n}")).into();
    let [a, b, c, d, ..] = hash;
    u32::from_be_bytes([a, b, c, d]).leading_zeros() >= u32::from(bits)
}
