//! The cut protocol under crashes, wiped storage and lost, repeated and late messages. Every schedule repeats from its seed.
//!
//! The twin at the end removes the one guard (a cut shard refuses entries below the cut) and must find the violation.

mod check;
mod wiped;
mod world;

use world::{Faults, Guard, World};

/// Schedules per fault mode in the unit test.
const SCHEDULES: u64 = 700;
/// Random steps per schedule, before faults end and everything settles.
const STEPS: u32 = 400;

fn run(seed: u64, faults: Faults, guard: Guard) -> Result<World, String> {
    let mut world = World::new(seed, faults, guard);
    for _ in 0..STEPS {
        world.step();
        check::cuts_hold(&world)?;
    }
    world.settle();
    check::cuts_hold(&world)?;
    check::rows_fit_logs(&world)?;
    check::settled(&world)?;
    Ok(world)
}

fn run_all(faults: Faults) {
    let (mut people, mut rows, mut lost) = (0, 0, 0);
    for seed in 0..SCHEDULES {
        match run(seed, faults, Guard::On) {
            Err(fault) => panic!("seed {seed} with {faults:?}: {fault}"),
            Ok(world) => {
                (people, rows) = (people + world.fans.len(), rows + world.pacer.rows.len());
                lost += world.pacer.generations.iter().map(|g| g.saturating_sub(1)).sum::<u32>();
            }
        }
    }
    println!("{faults:?}: {SCHEDULES} schedules, {people} people, {rows} cohorts, {lost} extra generations");
    assert!(people > 0 && rows > 0);
}

#[test]
fn lost_repeated_and_late_messages_and_crashes() {
    run_all(Faults::Crashes);
}

#[test]
fn shards_that_lose_their_storage() {
    run_all(Faults::WipedShards);
}

#[test]
fn a_pacer_that_loses_its_storage() {
    run_all(Faults::WipedPacer);
}

#[test]
fn twin_without_the_guard_finds_late_entries_below_a_cut() {
    let found = (0..SCHEDULES).any(|seed| run(seed, Faults::Crashes, Guard::Removed).is_err());
    assert!(found, "the simulation cannot see the race that the cut prevents");
}
