//! Pools: shares that grow, shrink, come and go, never below what is taken of each.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::Gone;
use super::{Changes, Obstacle};
use crate::ids::{EventId, PoolId};
use crate::items::{Share, attr, key};
use crate::plan::{Cond, Update, Write};
use crate::plan_import::{PoolDef, spread};

/// Adds what is to be written about shares, and answers what stands in the way.
pub(super) fn compare(event: &EventId, wanted: &[PoolDef], stored: &[Share], changes: &mut Changes) -> Vec<Obstacle> {
    let mut by_pool: BTreeMap<&PoolId, Vec<&Share>> = BTreeMap::new();
    stored.iter().for_each(|share| by_pool.entry(&share.pool).or_default().push(share));
    let known: BTreeSet<&PoolId> = wanted.iter().map(|pool| &pool.id).collect();
    let mut obstacles = Vec::new();
    for (_, shares) in by_pool.iter().filter(|(id, _)| !known.contains(*id)) {
        obstacles.extend(gone(shares, 0).err());
        changes.gone.extend(shares.iter().map(|share| remove(share, None)));
    }
    for pool in wanted {
        match resized(event, pool, by_pool.get(&pool.id).map_or(&[], Vec::as_slice)) {
            Ok((gone, writes)) => {
                changes.gone.extend(gone);
                changes.writes.extend(writes);
            }
            Err(obstacle) => obstacles.push(obstacle),
        }
    }
    obstacles
}

/// Places of a share that somebody has.
fn taken(share: &Share) -> u32 {
    share.held + share.claimed + share.sold
}

/// The pool may have no more places than `capacity`.
fn gone(shares: &[&Share], capacity: u32) -> Result<(), Obstacle> {
    let taken: u32 = shares.iter().map(|share| taken(share)).sum();
    let pool = shares.first().map(|share| share.pool.clone()).filter(|_| taken > capacity);
    pool.map_or(Ok(()), |pool| Err(Obstacle::PoolInUse { pool, taken, capacity }))
}

fn remove(share: &Share, heir: Option<u32>) -> Gone {
    let key = |n| key::share(&share.event, &share.pool, n);
    Gone { key: key(share.share), version: share.version, heir: heir.map(key) }
}

fn resized(event: &EventId, pool: &PoolDef, stored: &[&Share]) -> Result<(Vec<Gone>, Vec<Write>), Obstacle> {
    gone(stored, pool.capacity)?;
    let (kept, surplus): (Vec<&Share>, Vec<&Share>) = stored.iter().partition(|share| share.share < pool.shares);
    if let Some(share) = surplus.iter().find(|share| taken(share) > 0) {
        let (share, taken) = (share.share, taken(share));
        return Err(Obstacle::ShareInUse { pool: pool.id.clone(), share, taken });
    }
    let heir = kept.first().map_or(0, |share| share.share);
    let removals = surplus.iter().map(|share| remove(share, Some(heir))).collect();
    let mut writes = Vec::new();
    for (n, capacity) in (0..).zip(capacities(pool, &kept)) {
        match kept.iter().find(|share| share.share == n) {
            None => {
                writes.push(Write::put(Share::fresh(event, &pool.id, n, capacity, &pool.level).to_item(), Cond::Absent))
            }
            Some(old) if old.capacity != capacity || old.level != pool.level => {
                writes.push(resize(old, capacity, &pool.level))
            }
            Some(_) => {}
        }
    }
    Ok((removals, writes))
}

/// What each share gets: as it is where the sum is right already; else an even part, but never less than is taken of it, which
/// the others give up.
fn capacities(pool: &PoolDef, kept: &[&Share]) -> Vec<u32> {
    if kept.len() == pool.shares as usize && kept.iter().map(|share| share.capacity).sum::<u32>() == pool.capacity {
        return kept.iter().map(|share| share.capacity).collect();
    }
    let least = |n: u32| kept.iter().find(|share| share.share == n).map_or(0, |share| taken(share));
    let mut all: Vec<u32> = (0..).zip(spread(pool)).map(|(n, even)| even.max(least(n))).collect();
    let mut over = all.iter().sum::<u32>() - pool.capacity;
    for (n, capacity) in (0..).zip(all.iter_mut()) {
        let gives = over.min(*capacity - least(n));
        *capacity -= gives;
        over -= gives;
    }
    all
}

/// More or fewer places, as many as are free at most, from exactly the capacity that was read.
fn resize(old: &Share, capacity: u32, level: &str) -> Write {
    let more = i64::from(capacity) - i64::from(old.capacity);
    let enough = Cond::Ge(attr::FREE, (-more).max(0).into()).and(Cond::eq(attr::CAPACITY, old.capacity));
    let update = Update::new().set(attr::LEVEL, level).add(attr::CAPACITY, more).add(attr::FREE, more);
    Write::update(key::share(&old.event, &old.pool, old.share), enough, update.add(attr::VERSION, 1))
}
