//! Taking and releasing without end: an account has a pace, and the pace is a condition.

use crate::shop::*;
use domain::hold::{Release, Take, TakeRefusal};
use domain::items::attr;
use domain::plan::memory::World;
use domain::plan::{Cond, Plan, Rule};
use domain::time::EventMs;
use domain::usage::{BURST, PACE_MS};

/// Takes a seat and gives it back at once.
fn round(world: &mut World, n: i64, now: EventMs) -> Result<(), TakeRefusal> {
    let take = Take { now, ..take(1, &format!("k{n}"), &[0]) };
    world.decide(take.clone())?;
    let hold = hold(world, &take.hold);
    world.decide(Release::all(hold, account(1))).unwrap();
    Ok(())
}

#[test]
fn ten_holds_at_once_and_then_one_in_ten_seconds() {
    let mut world = world();
    for n in 0..BURST {
        round(&mut world, n, NOW).unwrap();
    }
    let before = world.clone();
    assert_eq!(round(&mut world, 10, NOW), Err(TakeRefusal::TooFast { wait_ms: PACE_MS }));
    assert_eq!(round(&mut world, 11, NOW.plus(PACE_MS - 1)), Err(TakeRefusal::TooFast { wait_ms: 1 }));
    assert_eq!(world, before, "a refusal counts for nothing");
    round(&mut world, 12, NOW.plus(PACE_MS)).unwrap();
    assert_eq!(round(&mut world, 13, NOW.plus(PACE_MS)), Err(TakeRefusal::TooFast { wait_ms: PACE_MS }));
    for n in 0..BURST {
        round(&mut world, 20 + n, NOW.plus(3_600_000)).unwrap();
    }
    held(&mut world, 2, "other", &[0]);
}

/// The twin: with the usage's condition gone one account goes on taking.
#[test]
fn without_the_condition_there_is_no_pace() {
    let mut world = world();
    (0..BURST).for_each(|n| round(&mut world, n, NOW).unwrap());
    let mut writes = take(1, "more", &[0]).plan().unwrap().writes;
    assert!(world.clone().commit(&Plan::new(writes.clone())).is_err());
    let usage = writes.iter_mut().find(|w| w.key.pk.starts_with("ACCOUNT#")).unwrap();
    usage.expect = match &usage.expect {
        Cond::All(all) => Cond::All(
            all.iter().filter(|c| !format!("{c:?}").contains(&format!("{:?}", attr::PACE))).cloned().collect(),
        ),
        other => other.clone(),
    };
    world.commit(&Plan::new(writes)).unwrap();
}
