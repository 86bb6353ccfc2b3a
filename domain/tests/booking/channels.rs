//! Channels at the hold: whose seats they are, and what would happen without the condition.

use crate::promises;
use crate::shop::*;
use domain::allot::{Change, Mark, Spot};
use domain::hold::{Release, Take, TakeRefusal};
use domain::ids::ChannelId;
use domain::items::SeatState;
use domain::map;
use domain::plan::memory::World;
use domain::plan::{Plan, Rule};
use domain::seat as rules;

fn club() -> ChannelId {
    "club".parse().unwrap()
}

/// A world whose first two seats are the club's.
fn assigned() -> World {
    let mut world = world();
    let spots = [0, 1].map(|n| Spot { seat: line(n).seat, block: line(n).block, from: None });
    world.decide(Mark { event: event(), change: Change::Assign(Some(club())), spots: spots.into(), now: NOW }).unwrap();
    world
}

fn with_key(take: Take) -> Take {
    Take { channels: vec!["other".parse().unwrap(), club()], ..take }
}

#[test]
fn a_channels_seats_are_for_who_shows_it_also_when_they_come_back() {
    let mut world = assigned();
    let refused = world.decide(take(1, "a", &[0, 1, 2]));
    assert_eq!(refused, Err(TakeRefusal::ChannelRequired(vec![line(0).seat, line(1).seat])));
    let first = with_key(take(2, "a", &[0, 2]));
    world.decide(first.clone()).unwrap();
    assert_eq!(
        world.decide(take(1, "b", &[0, 1])),
        Err(TakeRefusal::SeatsTaken(vec![line(0).seat])),
        "taken comes first"
    );
    let late = NOW.plus(domain::hold::HOLD_MS + 1);
    let overdue = Take { now: late, ..take(1, "c", &[0]) };
    assert_eq!(
        world.decide(overdue),
        Err(TakeRefusal::ChannelRequired(vec![line(0).seat])),
        "overdue, and still the club's"
    );
    world.decide(Release::all(hold(&world, &first.hold), account(2))).unwrap();
    assert_eq!(world.decide(take(1, "d", &[0])), Err(TakeRefusal::ChannelRequired(vec![line(0).seat])));
    world.decide(take(1, "e", &[2])).unwrap();
    promises::check(&world).unwrap();
}

#[test]
fn who_has_a_seat_keeps_it_when_it_is_assigned() {
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0]);
    let spot = Spot { seat: line(0).seat, block: line(0).block, from: None };
    world.decide(Mark { event: event(), change: Change::Assign(Some(club())), spots: vec![spot], now: NOW }).unwrap();
    let new = Take { replaces: Some(old), ..take(1, "b", &[0, 2]) };
    world.decide(new.clone()).unwrap();
    let new = hold(&world, &new.hold);
    paying(&mut world, new, "o");
    promises::check(&world).unwrap();
}

#[test]
fn without_the_condition_anybody_takes_a_channels_seat() {
    let mut world = assigned();
    let mut writes = take(1, "a", &[0]).plan().unwrap().writes;
    assert!(world.clone().commit(&Plan::new(writes.clone())).is_err());
    let at = writes.iter().position(|w| w.key.sk.starts_with("SEAT#")).unwrap();
    writes[at].expect = rules::takeable(NOW);
    world.commit(&Plan::new(writes)).unwrap();
    assert_eq!((seat(&world, 0).state, seat(&world, 0).channel), (SeatState::Held, Some(club())));
}

#[test]
fn the_map_shows_a_channels_free_seats_to_its_buyers_only() {
    let mut world = assigned();
    world.decide(with_key(take(2, "a", &[1]))).unwrap();
    let seats: Vec<_> = (0..SEATS).map(|n| seat(&world, n)).collect();
    let section = map::section(&event(), &"A".parse().unwrap(), &seats);
    let three = |states: &[u8]| map::unpack(states, 3);
    let (free, held, blocked) = (map::Packed::Free, map::Packed::Held, map::Packed::Blocked);
    assert_eq!(three(&section.states), [blocked, held, free]);
    assert_eq!(three(&section.states_for(&[club()])), [free, held, free]);
    assert_eq!(section.states_for(&["other".parse().unwrap()]), section.states);
    let counts = section.counts();
    assert_eq!((counts.free, counts.held, counts.blocked), (6, 1, 1), "the line does not count on them");
    assert_eq!(domain::items::MapSection::from_item(&section.to_item()), Ok(section));
}
