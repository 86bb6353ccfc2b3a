//! What must hold, said from the outside.

use super::world::{SHARDS, World};
use crate::cohort::{entry_leaf, is_early};
use crate::{merkle, shuffle};
use std::collections::BTreeSet;

/// Times never decrease; a shard that has cut takes nobody below the cut any more.
pub fn cuts_hold(world: &World) -> Result<(), String> {
    for (shard, store) in world.shards.iter().enumerate() {
        for (epoch, log) in &store.logs {
            if !log.is_sorted_by_key(|leaf| leaf.time) {
                return Err(format!("times decrease in log {shard}/{epoch}"));
            }
        }
        let Some(state) = &store.state else { continue };
        let later = store.logs.get(&crate::cohort::later_epoch(state.generation)).map_or(&[][..], |log| log);
        let below = |leaf: &crate::cohort::Leaf| state.last_cut.is_some_and(|cut| cut.k > 0 && leaf.time < cut.t);
        if later.iter().skip(state.later.cut.len() as usize).any(below) {
            return Err(format!("shard {shard} took somebody below its cut"));
        }
    }
    Ok(())
}

/// Roots and cuts of all rows fit the logs that still exist.
pub fn rows_fit_logs(world: &World) -> Result<(), String> {
    world.pacer.rows.iter().try_for_each(|row| {
        row.cuts.iter().try_for_each(|cut| {
            let log = world.shards[usize::from(cut.shard)].logs.get(&cut.epoch);
            let Some(log) = log.and_then(|log| log.get(..cut.to as usize)) else { return Ok(()) };
            let leaves: Vec<_> = log.iter().map(|l| entry_leaf(&l.pseudonym, l.time)).collect();
            let fits = merkle::root(&leaves) == cut.root && (is_early(cut.epoch) || log.iter().all(|l| l.time < row.t));
            if fits { Ok(()) } else { Err(format!("row {} does not fit log {}/{}", row.k, cut.shard, cut.epoch)) }
        })
    })
}

/// Dense numbers, nobody lost, early people in cohort 0, cohorts in order.
pub fn settled(world: &World) -> Result<(), String> {
    let mut places = BTreeSet::new();
    for (k, row) in world.pacer.rows.iter().enumerate() {
        if row.k as usize != k || row.base != places.len() as u64 {
            return Err(format!("row {k} does not follow the rows before"));
        }
        let shuffled = shuffle::shuffled_list(row.n, &row.seed).ok_or("too many people")?;
        let entries = row.cuts.iter().flat_map(|cut| (cut.from..cut.to).map(move |index| (cut, index)));
        for (at, (cut, index)) in entries.enumerate() {
            let place = row.base + u64::from(*shuffled.get(at).ok_or("more entries than people")?) + 1;
            // The single computation is 180 hashes: every eighth is compared with the whole list.
            if at % 8 == 0 && row.place_of(cut.shard, cut.epoch, index) != Some(place) {
                return Err(format!("entry {index} of log {}/{} is not at place {place}", cut.shard, cut.epoch));
            }
            if place <= row.base || place > row.given() || !places.insert(place) {
                return Err(format!("place {place} twice or outside its cohort"));
            }
        }
        if places.len() as u64 != row.given() {
            return Err(format!("a gap in cohort {k}"));
        }
    }
    everyone_has_a_place(world)
}

fn everyone_has_a_place(world: &World) -> Result<(), String> {
    let mut held = BTreeSet::new();
    for (name, fan) in world.fans.iter().enumerate() {
        let place = fan.place.ok_or_else(|| format!("fan {name} of {SHARDS} shards is lost: {:?}", fan.token))?;
        if !held.insert(place) {
            return Err(format!("two fans at place {place}"));
        }
        if fan.early && fan.token.cohort != 0 {
            return Err(format!("fan {name} came before the opening and is in cohort {}", fan.token.cohort));
        }
    }
    Ok(())
}
