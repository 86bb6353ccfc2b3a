//! Cohorts by cut: how joins become numbers, whatever crashes and whatever message is lost, repeated or late.
//!
//! ```text
//! Pacer                        LineShard                             anyone with the row
//! next_cut ── Cut{k,T} ──────▶ Shard::cut: from now on nothing < T
//! close    ◀─ CutAnswer ────── (asked again answers the same)
//!    └─ insert Row k: *the close* ── Row k ─────────────────────────▶ Row::place_of(shard, epoch, index)
//! ```
//!
//! A *virtual shard* is (shard, epoch): one append-only log. `epoch = 2 × generation` is the log of those who came before the
//! opening, the next odd number the log of those who came later. A shard that lost its storage gets a new generation, so no
//! index is ever given twice ([`Grants`]). A Pacer that lost its storage is restored from its shards ([`recover`]). Times within a log never decrease, so "below T" is always a prefix.
//!
//! **Invariants:** a row only extends the cuts of the row before; every entry below a cut is numbered by exactly one row;
//! numbers are dense from 1; nobody of a later cohort stands before anybody of an earlier one.

mod grants;
mod recover;
mod restore;
mod row;
mod seal;
mod shard;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use grants::Grants;
pub use recover::{BEAT_JUMP, CannotRecover, Recovery, Remains, is_late, recover};
pub use restore::{Found, Shown, shown};
pub use row::{LogCut, Row, covering, next_cut};
pub use seal::{BeaconDraw, CloseRefused, Sealed, close, seal, seed};
pub use shard::{Cut, CutAnswer, CutRange, CutRefused, Entry, Leaf, Log, LogAnswer, LogLen, Shard};

use crate::ids::{AccountId, digest16};
use crate::keys::hmac;
use crate::merkle::{Hash, leaf_hash};
use crate::time::WallMs;

/// Epoch of the log of those who came before the opening.
pub const fn early_epoch(generation: u32) -> u32 {
    generation.saturating_mul(2)
}

/// Epoch of the log of those who came from the opening on.
pub const fn later_epoch(generation: u32) -> u32 {
    early_epoch(generation).saturating_add(1)
}

/// Whether an epoch is a log of those who came before the opening (cohort 0).
pub const fn is_early(epoch: u32) -> bool {
    epoch.is_multiple_of(2)
}

/// The generation an epoch belongs to.
pub const fn generation_of(epoch: u32) -> u32 {
    epoch / 2
}

/// The shard of an account among `shards` (at least 1): the first 8 bytes of SHA-256(`"shard\0"` + account), modulo.
pub fn shard_of(account: &AccountId, shards: u16) -> u16 {
    let [a, b, c, d, e, f, g, h, ..] = digest16(&[b"shard\0", account.as_bytes()]);
    let hash = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    (hash % u64::from(shards.max(1))) as u16 // below `shards`
}

/// The account's pseudonym in an event's logs: HMAC-SHA256(pseudonym key of the event, account). Erasing the key unlinks it.
pub fn pseudonym(key: &[u8; 32], account: &AccountId) -> [u8; 32] {
    hmac(key, &[account.as_bytes()])
}

/// The Merkle leaf of an entry: `pseudonym (32) ‖ time i64 BE`, hashed.
pub fn entry_leaf(pseudonym: &[u8; 32], time: WallMs) -> Hash {
    let mut data = [0; 40];
    data[..32].copy_from_slice(pseudonym);
    data[32..].copy_from_slice(&time.0.to_be_bytes());
    leaf_hash(&data)
}
