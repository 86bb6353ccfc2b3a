//! Readers of what strangers send, fed with noise and with mutations of good input: nothing panics, and nothing is accepted
//! that was not issued. Every case follows from a seed and its number; a failure prints both and the input.

mod dice;
mod files;
mod mutate;
mod tokens;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Where the dice start: the same cases every time.
const SEED: u64 = 0x0005_a1e0_f5ea_7500;

/// Runs `cases` cases; `case` makes an input from dice and says what is wrong with the way it was read. The first finding,
/// or `None`.
fn hunt(
    cases: u64,
    make: impl Fn(&mut dice::Dice) -> Vec<u8>,
    wrong: impl Fn(&[u8]) -> Option<String>,
) -> Option<String> {
    (0..cases).find_map(|number| {
        let input = make(&mut dice::Dice::new(SEED, number));
        let found = catch_unwind(AssertUnwindSafe(|| wrong(&input))).unwrap_or_else(|_| Some("it panicked".into()));
        found.map(|what| format!("seed {SEED:#x}, case {number}: {what}: {:?}", String::from_utf8_lossy(&input)))
    })
}
