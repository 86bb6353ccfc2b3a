//! Standing places.

use crate::shop::*;
use domain::hold::{Release, Take, TakeRefusal};
use domain::ids::PoolId;
use domain::items::{Share, key};
use domain::plan::memory::World;

fn places(who: u32, key: &str, quantity: u32) -> Take {
    Take { pools: vec![floor(quantity)], ..take(who, key, &[]) }
}

fn shares(world: &World) -> Vec<(u32, u32, u32)> {
    let pool: PoolId = floor(0).pool;
    let items = world.query(&key::pool(&event(), &pool), "SHARE#").cloned().collect::<Vec<_>>();
    items.iter().map(|i| Share::from_item(i).unwrap()).map(|s| (s.free, s.held, s.holds)).collect()
}

#[test]
fn places_come_from_one_share_while_one_has_enough() {
    let mut world = world();
    world.decide(places(1, "a", 2)).unwrap();
    assert_eq!(shares(&world), [(1, 2, 1), (2, 0, 0)]);
    world.decide(places(2, "a", 2)).unwrap();
    assert_eq!(shares(&world), [(1, 2, 1), (0, 2, 1)]);
}

#[test]
fn the_last_places_come_from_several_shares() {
    let mut world = world();
    world.decide(places(1, "a", 4)).unwrap();
    assert_eq!(shares(&world), [(0, 3, 1), (1, 1, 1)]);
}

#[test]
fn never_below_zero_and_the_rest_is_told() {
    let mut world = world();
    world.decide(places(1, "a", 3)).unwrap();
    let pool = floor(0).pool;
    assert_eq!(world.decide(places(2, "a", 3)), Err(TakeRefusal::PoolExhausted { pool, left: 2 }));
    world.decide(places(3, "a", 2)).unwrap();
    let pool = floor(0).pool;
    assert_eq!(world.decide(places(2, "b", 1)), Err(TakeRefusal::PoolExhausted { pool, left: 0 }));
}

#[test]
fn places_are_given_back_and_exchanged() {
    let mut world = world();
    let first = places(1, "a", 3);
    world.decide(first.clone()).unwrap();
    let old = hold(&world, &first.hold);
    let new = Take { replaces: Some(old), ..places(1, "b", 4) };
    world.decide(new.clone()).unwrap();
    assert_eq!(shares(&world).iter().map(|s| s.1).sum::<u32>(), 4);
    world.decide(Release::all(hold(&world, &new.hold), account(1))).unwrap();
    assert_eq!(shares(&world), [(3, 0, 0), (2, 0, 0)]);
}
