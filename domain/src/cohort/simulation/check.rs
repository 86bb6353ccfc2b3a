//! What must hold, said from the outside.

use std::collections::BTreeSet;

use super::world::{SHARDS, World};
use crate::cohort::{Leaf, Row, entry_leaf, is_early, later_epoch};
use crate::{merkle, shuffle};

/// After every step: nothing went wrong so far; times never decrease; a shard that has cut takes nobody below the cut.
pub fn always(world: &World) -> Result<(), String> {
    if let Some(fault) = &world.fault {
        return Err(fault.clone());
    }
    for (shard, store) in world.shards.iter().enumerate() {
        if let Some((epoch, _)) = store.logs.iter().find(|(_, log)| !log.is_sorted_by_key(|leaf| leaf.time)) {
            return Err(format!("times decrease in log {shard}/{epoch}"));
        }
        let Some(state) = &store.state else { continue };
        let later = store.logs.get(&later_epoch(state.generation)).map_or(&[][..], |log| log);
        let below = |leaf: &Leaf| state.last_cut.is_some_and(|cut| cut.k > 0 && leaf.time < cut.t);
        if later.iter().skip(state.later.cut.len() as usize).any(below) {
            return Err(format!("shard {shard} took somebody below its cut"));
        }
    }
    Ok(())
}

/// When all has settled: one sequence of rows everywhere, dense numbers, and everybody has one.
pub fn settled(world: &World) -> Result<(), String> {
    always(world)?;
    if !world.pacer.alive {
        return Err("the Pacer did not come back".into());
    }
    for (shard, store) in world.shards.iter().enumerate() {
        if *store.rows != *world.pacer.rows {
            return Err(format!("shard {shard} has other rows than the Pacer"));
        }
    }
    let told = world.told.iter().zip(world.pacer.rows.iter());
    if told.clone().any(|(told, row)| told.as_ref().is_some_and(|told| told != row)) {
        return Err("a number was told from a row that is gone".into());
    }
    rows_are_dense(world)?;
    everyone_has_a_place(world)?;
    rows_fit_logs(world)
}

/// Roots and cuts of all rows fit the logs that still exist.
fn rows_fit_logs(world: &World) -> Result<(), String> {
    world.pacer.rows.iter().try_for_each(|row| {
        row.cuts.iter().filter(|cut| cut.to > cut.from).try_for_each(|cut| {
            let log = world.shards[usize::from(cut.shard)].logs.get(&cut.epoch);
            let Some(log) = log.and_then(|log| log.get(..cut.to as usize)) else { return Ok(()) };
            let leaves: Vec<_> = log.iter().map(|l| entry_leaf(&l.pseudonym, l.time)).collect();
            let fits = merkle::root(&leaves) == cut.root && (is_early(cut.epoch) || log.iter().all(|l| l.time < row.t));
            if fits { Ok(()) } else { Err(format!("row {} does not fit log {}/{}", row.k, cut.shard, cut.epoch)) }
        })
    })
}

/// Rows follow each other, and number what they say.
fn rows_are_dense(world: &World) -> Result<(), String> {
    let mut given = 0;
    for (k, row) in world.pacer.rows.iter().enumerate() {
        if row.k as usize != k
            || row.base != given
            || row.cuts.iter().map(|cut| cut.to - cut.from).sum::<u64>() != row.n
        {
            return Err(format!("row {k} does not follow the rows before"));
        }
        if world.shuffled {
            fits_the_whole_list(row)?;
        }
        given += row.n;
    }
    Ok(())
}

/// The single computation gives what the whole permutation gives.
fn fits_the_whole_list(row: &Row) -> Result<(), String> {
    let list = shuffle::shuffled_list(row.n, &row.seed).ok_or("too many people")?;
    let entries = row.cuts.iter().flat_map(|cut| (cut.from..cut.to).map(move |index| (cut, index)));
    for (at, (cut, index)) in entries.enumerate() {
        let place = list.get(at).map(|shuffled| row.base + u64::from(*shuffled) + 1);
        if row.place_of(cut.shard, cut.epoch, index) != place {
            return Err(format!("entry {index} of log {}/{} is not at {place:?}", cut.shard, cut.epoch));
        }
    }
    Ok(())
}

/// Nobody is lost, no place is held twice, no place is nobody's, early people are in cohort 0.
fn everyone_has_a_place(world: &World) -> Result<(), String> {
    let mut held = BTreeSet::new();
    for (number, fan) in world.fans.iter().enumerate() {
        let place = fan.place.ok_or_else(|| format!("fan {number} of {SHARDS} shards is lost: {:?}", fan.token))?;
        if !held.insert(place) {
            return Err(format!("two fans at place {place}"));
        }
        let drawn = world.pacer.rows.first().map_or(0, |row| row.n);
        if fan.early && place > drawn {
            return Err(format!("fan {number} came before the opening and is at {place} of {drawn}"));
        }
    }
    let given = world.pacer.rows.last().map_or(0, Row::given);
    let orphans = world.fans.iter().filter(|fan| fan.orphaned).count() as u64;
    let gaps = (1..=given).filter(|place| !held.contains(place)).count() as u64;
    if gaps > orphans { Err(format!("{gaps} places are nobody's")) } else { Ok(()) }
}
