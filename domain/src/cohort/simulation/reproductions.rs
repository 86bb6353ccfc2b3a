//! Failures worth keeping, as the simulation printed them and a person shortened them: each harms without its guard only.

use super::op::Op::*;
use super::world::Without;
use super::{Op, run};

fn check(without: Without, ops: &[Op], fault: &str) {
    let found = run(ops, without, true).err().expect("without the guard it goes wrong");
    assert!(found.contains(fault), "{without:?}: {found}");
    run(ops, Without::Nothing, true).expect("with the guard it holds");
}

/// The Pacer tells of cohort 0 before it is written, crashes, and cuts it again.
#[test]
fn a_close_that_is_only_in_memory() {
    let ops = [Relay, Calm, Wait(600), Join(0), Beat, Calm, Close, Close, Beat, CrashPacer];
    check(Without::InsertIsClose, &ops, "other rows than the Pacer");
}

/// A shard answers a cut, crashes, and takes an arrival stamped before the opening into the log that was counted already.
#[test]
fn a_cut_that_is_not_durable() {
    let ops = [
        Relay,
        Calm,
        Wait(600),
        Beat,
        Calm,
        CrashShard(0),
        CrashShard(1),
        CrashShard(2),
        Join(400),
        Join(400),
        Join(400),
        Close,
    ];
    check(Without::DurableCut, &ops, "is lost");
}

/// Row 0 is told to nobody, yet cohort 1 is already cut; the Pacer loses its storage and must cut cohort 0 once more.
#[test]
fn a_cut_of_a_cohort_whose_row_before_was_lost() {
    let ops =
        [Relay, Calm, Wait(600), Beat, Calm, Close, Close, Beat, Deliver(0), WipePacer, Join(0), Join(0), Join(0)];
    check(Without::RowBeforeCut, &ops, "is lost");
}

/// A shard and the Pacer lose their storage: in the first generation, granted again, new fans get indexes that have places.
#[test]
fn a_generation_granted_by_two_lives_of_the_pacer() {
    let begin = [Relay, Calm, Wait(600), Beat, Calm, Close, Close, Relay, Calm];
    let told = [Join(0), Join(0), Wait(300), Beat, Calm, Close, Relay, Calm, Show(0), Show(1)];
    let again = [WipeShard(0), WipePacer, Beat, Calm, Calm, Join(0), Join(0), Join(0), Join(0), Calm];
    check(Without::FreshGenerations, &[&begin[..], &told, &again].concat(), "two fans at place");
}
