//! The late lane: a turn that was not claimed within its window is served here, first come first served.

use crate::time::WallMs;
use std::collections::BTreeMap;

/// Shares `turns` among the shards' waiting lists by who has waited longest: `(shard, since)` of everybody waiting, in any
/// order, to turns per shard. Ties go to the lower shard.
pub fn share_late(turns: u64, mut waiting: Vec<(u16, WallMs)>) -> BTreeMap<u16, u64> {
    waiting.sort_by_key(|(shard, since)| (*since, *shard));
    let first = usize::try_from(turns).unwrap_or(usize::MAX);
    waiting.into_iter().take(first).fold(BTreeMap::new(), |mut shares, (shard, _)| {
        *shares.entry(shard).or_default() += 1;
        shares
    })
}
