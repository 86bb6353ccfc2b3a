//! Holds, case by case.

use crate::shop::*;
use domain::hold::{
    EXTENSION_MS, Expire, ExpireRefusal, Extend, ExtendRefusal, HOLD_MS, Release, ReleaseRefusal, Take, TakeRefusal,
};
use domain::items::{HoldState, SeatState, Usage, key};
use domain::plan::memory::World;
use domain::plan::{Decided, Refused, Rule};

const LATER: i64 = HOLD_MS + 1;

fn at(now: domain::time::EventMs, take: Take) -> Take {
    Take { now, ..take }
}

fn usage(world: &World, who: u32) -> Usage {
    Usage::from_item(world.get(&key::usage(&account(who), &event())).unwrap()).unwrap()
}

#[test]
fn a_hold_takes_all_its_seats_or_none() {
    let mut world = world();
    held(&mut world, 1, "a", &[2]);
    let before = world.clone();
    let refused = world.decide(take(2, "a", &[1, 2, 3])).unwrap_err();
    assert_eq!(refused, TakeRefusal::SeatsTaken(vec![line(2).seat]));
    assert_eq!(world, before);
    assert_eq!(seat(&world, 2).state, SeatState::Held);
    assert_eq!(usage(&world, 1).hold.unwrap().1, NOW.plus(HOLD_MS));
}

#[test]
fn an_own_lost_reply_is_success_and_another_request_a_mismatch() {
    let mut world = world();
    held(&mut world, 1, "a", &[0, 1]);
    assert_eq!(world.decide(take(1, "a", &[0, 1])), Ok(Decided::Already));
    assert_eq!(world.decide(take(1, "a", &[2])), Err(TakeRefusal::Mismatch));
}

#[test]
fn a_spent_key_never_holds_again() {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0]);
    world.decide(Release::all(hold, account(1))).unwrap();
    assert_eq!(world.decide(take(1, "a", &[0])), Ok(Decided::Already));
    assert_eq!(seat(&world, 0).state, SeatState::Free);
}

#[test]
fn refusals_that_need_no_look_come_in_order() {
    let mut world = world();
    let foreign = held(&mut world, 9, "x", &[7]);
    let cases = [
        (take(1, "a", &[]), TakeRefusal::Nothing),
        (take(1, "a", &[1, 1]), TakeRefusal::Twice),
        (take(1, "a", &[0, 1, 2, 3, 4]), TakeRefusal::LimitExceeded { limit: LIMIT, committed: 0 }),
        (Take { replaces: Some(foreign), ..take(1, "a", &[0]) }, TakeRefusal::ReplacedUnknown),
    ];
    for (take, refusal) in cases {
        assert_eq!(world.decide(take), Err(refusal));
    }
    let unknown = Take { seats: vec![line(99)], ..take(1, "a", &[0]) };
    assert_eq!(world.decide(unknown), Err(TakeRefusal::SeatUnknown(vec![line(99).seat])));
}

#[test]
fn one_live_hold_an_account() {
    let mut world = world();
    let first = held(&mut world, 1, "a", &[0]);
    assert_eq!(world.decide(take(1, "b", &[1])), Err(TakeRefusal::HoldExists { hold: first.id }));
    let late = at(NOW.plus(LATER), take(1, "c", &[1]));
    assert_eq!(world.decide(late), Ok(Decided::Committed));
}

#[test]
fn an_overdue_seat_is_free_at_once_and_the_sweep_leaves_it_alone() {
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0, 1]);
    let on_time = at(old.until, take(2, "a", &[1]));
    assert_eq!(world.decide(on_time), Err(TakeRefusal::SeatsTaken(vec![line(1).seat])));
    let late = at(NOW.plus(LATER), take(2, "b", &[1]));
    world.decide(late.clone()).unwrap();
    world.decide(Expire::new(old.clone(), NOW.plus(LATER))).unwrap();
    assert_eq!((seat(&world, 0).state, seat(&world, 1).hold), (SeatState::Free, Some(late.hold)));
    assert_eq!(hold(&world, &old.id).state, HoldState::Expired);
    assert_eq!(world.decide(Expire::new(old, NOW.plus(LATER))), Ok(Decided::Already));
    assert_eq!(usage(&world, 1).hold, None);
}

#[test]
fn the_sweep_spares_what_is_not_due() {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0]);
    assert_eq!(world.decide(Expire::new(hold.clone(), hold.until)), Err(ExpireRefusal::NotDue));
    world.decide(Extend { hold: hold.clone(), account: account(1), now: NOW }).unwrap();
    assert_eq!(world.decide(Expire::new(hold, NOW.plus(LATER))), Err(ExpireRefusal::NotDue));
}

#[test]
fn a_replacement_keeps_adds_and_frees_in_one_go() {
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0, 1]);
    let new = Take { replaces: Some(old.clone()), ..take(1, "b", &[1, 2]) };
    world.decide(new.clone()).unwrap();
    assert_eq!(seat(&world, 0).state, SeatState::Free);
    assert_eq!((seat(&world, 1).hold, seat(&world, 2).hold), (Some(new.hold), Some(new.hold)));
    assert_eq!(hold(&world, &old.id).state, HoldState::Released);
    assert_eq!(usage(&world, 1).hold.unwrap().0, new.hold);
}

#[test]
fn a_replacement_that_loses_keeps_the_old_hold() {
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0]);
    held(&mut world, 2, "a", &[3]);
    let new = Take { replaces: Some(old.clone()), ..take(1, "b", &[3]) };
    assert_eq!(world.decide(new), Err(TakeRefusal::SeatsTaken(vec![line(3).seat])));
    assert_eq!(hold(&world, &old.id), old);
}

#[test]
fn an_overdue_hold_whose_seat_was_lost_is_replaced_all_the_same() {
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0, 1]);
    let now = NOW.plus(LATER);
    world.decide(at(now, take(2, "a", &[0]))).unwrap();
    let new = Take { replaces: Some(old.clone()), ..at(now, take(1, "b", &[5])) };
    world.decide(new).unwrap();
    assert_eq!((seat(&world, 0).state, seat(&world, 1).state), (SeatState::Held, SeatState::Free));
    assert_eq!(hold(&world, &old.id).state, HoldState::Released);
}

#[test]
fn release_gives_back_all_or_some_and_is_idempotent() {
    let mut world = world();
    let hold0 = held(&mut world, 1, "a", &[0, 1, 2]);
    let some = Release::some(hold0.clone(), account(1), vec![line(1).seat]);
    world.decide(some.clone()).unwrap();
    assert_eq!(world.decide(some), Ok(Decided::Already));
    let left = hold(&world, &hold0.id);
    assert_eq!((left.places.count(), left.total_minor, seat(&world, 1).state), (2, 11_000, SeatState::Free));
    world.decide(Release::all(hold0, account(1))).unwrap();
    assert_eq!((seat(&world, 0).state, hold(&world, &left.id).state), (SeatState::Free, HoldState::Released));
    assert_eq!(world.decide(Release::all(left, account(1))), Ok(Decided::Already));
}

#[test]
fn releases_are_refused_to_strangers_and_while_paying() {
    let mut world = world();
    let held = held(&mut world, 1, "a", &[0]);
    assert_eq!(world.decide(Release::all(held.clone(), account(2))), Err(ReleaseRefusal::NotYours));
    let unknown = Release::some(held.clone(), account(1), vec![line(5).seat]);
    assert_eq!(world.decide(unknown), Err(ReleaseRefusal::SeatUnknown(vec![line(5).seat])));
    world.decide(claim(held.clone(), "o", NOW)).unwrap();
    assert_eq!(world.decide(Release::all(held, account(1))), Err(ReleaseRefusal::BeingPaid));
}

#[test]
fn one_extension_while_live() {
    let mut world = world();
    let first = held(&mut world, 1, "a", &[0]);
    let extend = |hold: &domain::items::Hold, now| Extend { hold: hold.clone(), account: account(1), now };
    assert_eq!(world.decide(extend(&first, NOW.plus(LATER))), Err(ExtendRefusal::Overdue));
    world.decide(extend(&first, NOW)).unwrap();
    let longer = hold(&world, &first.id);
    assert_eq!((longer.until, seat(&world, 0).until), (first.until.plus(EXTENSION_MS), Some(longer.until)));
    assert_eq!(world.decide(extend(&first, NOW)), Ok(Decided::Already));
    assert_eq!(world.decide(extend(&longer, NOW)), Err(ExtendRefusal::Extended));
}

#[test]
fn a_blocked_seat_is_lost_and_named() {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0, 1]);
    assert!(block(&mut world, 0, broken()));
    let extend = Extend { hold: hold.clone(), account: account(1), now: NOW };
    assert_eq!(world.decide(extend), Err(ExtendRefusal::SeatsGone(vec![line(0).seat])));
    assert_eq!(world.decide(take(2, "a", &[0])), Err(TakeRefusal::SeatsTaken(vec![line(0).seat])));
    world.decide(Release::all(hold, account(1))).unwrap();
    assert_eq!((seat(&world, 0).state, seat(&world, 1).state), (SeatState::Blocked, SeatState::Free));
}

/// A refusal may lack the hold item's verdict when that write collided; a seat that carries the hold tells as much.
#[test]
fn a_partial_refusal_still_knows_its_own() {
    let mut world = world();
    held(&mut world, 1, "a", &[0]);
    let again = take(1, "a", &[0]);
    let mut refused = world.commit(&again.plan().unwrap()).unwrap_err();
    refused.failed.retain(|f| f.key.sk.starts_with("SEAT#"));
    let partial = Refused { partial: true, ..refused };
    assert_eq!(again.explain(&partial), domain::plan::Next::Done);
}
