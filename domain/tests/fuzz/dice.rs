//! Dice that are repeated from a seed and the number of a case.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// The dice of one case.
pub struct Dice(StdRng);

impl Dice {
    pub fn new(seed: u64, case: u64) -> Self {
        Self(StdRng::seed_from_u64(seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    pub fn byte(&mut self) -> u8 {
        self.0.random()
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.byte()).collect()
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
