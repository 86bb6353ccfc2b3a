//! The cut protocol under crashes, lost storage, and lost, repeated, late and reordered messages: 100,000 schedules, each of
//! which repeats from its seed. A schedule that fails is shortened and printed as a list of operations.
//!
//! Every guard of the protocol has a twin here: with that guard taken away the same schedules must find the violation.

mod check;
mod fan;
mod op;
mod pacer;
mod reproductions;
mod shard;
mod world;

use op::{Losses, Op, schedule};
use world::{Without, World};

/// Schedules per kind of loss.
const SCHEDULES: u64 = 25_000;
/// Beats per schedule, with some 15 operations about each, before faults end and everything settles.
const BEATS: u64 = 10;
/// One schedule in so many computes places by the shuffle.
const SHUFFLED: u64 = 50;

/// Runs operations, lets everything settle, and checks all along.
fn run(ops: &[Op], without: Without, shuffled: bool) -> Result<World, String> {
    let mut world = World::new(without, shuffled);
    for op in ops {
        world.apply(*op);
        check::always(&world)?;
    }
    world.settle();
    check::settled(&world)?;
    Ok(world)
}

/// Leaves out whatever the failure does not need, in ever smaller pieces; then waits once where it waited several times.
fn shorten(mut ops: Vec<Op>, without: Without, shuffled: bool) -> Vec<Op> {
    let fails = |ops: &[Op]| run(ops, without, shuffled).is_err();
    let mut piece = ops.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < ops.len() {
            let mut fewer = ops.clone();
            fewer.drain(at..(at + piece).min(ops.len()));
            match fails(&fewer) {
                true => ops = fewer,
                false => at += piece,
            }
        }
        piece /= 2;
    }
    let calm = op::joined(&ops);
    if fails(&calm) { calm } else { ops }
}

/// The first schedule that fails, shortened, with what went wrong.
fn first_failure(losses: Losses, without: Without, schedules: u64) -> Option<String> {
    (0..schedules).find_map(|seed| {
        let (ops, shuffled) = (schedule(seed, losses, BEATS), seed.is_multiple_of(SHUFFLED));
        run(&ops, without, shuffled).err()?;
        let ops = shorten(ops, without, shuffled);
        let fault = run(&ops, without, shuffled).err()?;
        Some(format!("seed {seed}, storage lost: {losses:?}, without: {without:?}\n{fault}\n{ops:?}"))
    })
}

fn all_hold(losses: Losses) {
    if let Some(failure) = first_failure(losses, Without::Nothing, SCHEDULES) {
        panic!("{failure}");
    }
}

#[test]
fn crashes_and_lost_repeated_and_late_messages() {
    all_hold(Losses::None);
}

#[test]
fn shards_that_lose_their_storage() {
    all_hold(Losses::Shards);
}

#[test]
fn a_pacer_that_loses_its_storage() {
    all_hold(Losses::Pacer);
}

#[test]
fn both_lose_their_storage() {
    all_hold(Losses::Both);
}

/// People join, cohorts close while faults go on, Pacers are restored.
#[test]
fn the_schedules_do_what_they_are_for() {
    for losses in [Losses::None, Losses::Shards, Losses::Pacer, Losses::Both] {
        let (mut people, mut rows, mut restored) = (0, 0, 0);
        for seed in 0..200 {
            let mut world = World::new(Without::Nothing, false);
            schedule(seed, losses, BEATS).into_iter().for_each(|op| world.apply(op));
            (people, rows) = (people + world.fans.len(), rows + world.pacer.rows.len());
            restored += u64::from(world.pacer.beat > crate::cohort::BEAT_JUMP);
        }
        println!("{losses:?}, 200 schedules: {people} people, {rows} cohorts, {restored} restored Pacers");
        assert!(people > 2_000 && rows > 60, "{people} people, {rows} cohorts");
        assert_eq!(restored > 20, matches!(losses, Losses::Pacer | Losses::Both), "{restored}");
    }
}

/// Each guard taken away, and where the harm shows.
#[test]
fn twins_without_a_guard_find_the_violation() {
    let twins = [
        (Without::CutIsFloor, Losses::None),
        (Without::DurableCut, Losses::None),
        (Without::InsertIsClose, Losses::None),
        (Without::DrawWaits, Losses::None),
        (Without::Generations, Losses::Shards),
        (Without::AnswerOfBeat, Losses::Shards),
        (Without::RowBeforeCut, Losses::Pacer),
        (Without::RestoreWaits, Losses::Pacer),
        (Without::Promise, Losses::Pacer),
        (Without::FreshGenerations, Losses::Both),
        (Without::SealIsFloor, Losses::Shards),
        (Without::SealTold, Losses::Shards),
        (Without::SealForgotten, Losses::Both),
    ];
    for (without, losses) in twins {
        let failure = first_failure(losses, without, SCHEDULES);
        println!("{}\n", failure.unwrap_or_else(|| panic!("the simulation does not miss {without:?}")));
    }
}
