//! Standing places.

use crate::shop::*;
use domain::hold::{Release, Take, TakeRefusal};
use domain::ids::PoolId;
use domain::items::{Share, key};
use domain::plan::memory::World;
use domain::pool::{PoolAsk, Portion};

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

/// One pool at two prices, adults first.
fn mixed(who: u32, key: &str, adults: u32, children: u32) -> Take {
    let portion = |id: &str, quantity, price_minor| Portion {
        price_type: Some(id.to_owned()),
        quantity,
        price_minor,
        fee_minor: 0,
    };
    let portions = vec![portion("adult", adults, 3000), portion("child", children, 1000)];
    Take { pools: vec![PoolAsk { portions, ..floor(0) }], ..take(who, key, &[]) }
}

/// B-33: two prices of one pool, each within what is left, and together more than that.
#[test]
fn prices_of_one_pool_share_what_is_left() {
    let mut world = world();
    world.decide(places(9, "before", 2)).unwrap();
    let pool = floor(0).pool;
    assert_eq!(world.decide(mixed(1, "a", 2, 2)), Err(TakeRefusal::PoolExhausted { pool, left: 3 }));
    let take = mixed(2, "a", 1, 2);
    world.decide(take.clone()).unwrap();
    assert_eq!(shares(&world).iter().map(|s| s.0).sum::<u32>(), 0);
    let held = hold(&world, &take.hold);
    assert_eq!((held.places.count(), held.total_minor), (3, 5000));
    let order = paying(&mut world, held, "o");
    world.decide(domain::order::Sell { order: order.clone(), card: None, now: NOW, wall: WALL }).unwrap();
    assert_eq!(domain::order::ticket_keys(&order).len(), 3);
    crate::promises::check(&world).unwrap();
}

/// B-03: five left and two fans who want three each. B-02: two left, and eight times two.
#[test]
fn the_rest_goes_to_one_and_the_other_is_told() {
    let mut five = world();
    five.decide(places(1, "a", 3)).unwrap();
    let pool = floor(0).pool;
    assert_eq!(five.decide(places(2, "a", 3)), Err(TakeRefusal::PoolExhausted { pool, left: 2 }));
    let won = (3..11).filter(|who| five.decide(places(*who, "a", 2)).is_ok()).count();
    assert_eq!((won, shares(&five).iter().map(|s| s.0).sum::<u32>()), (1, 0));
}

/// B-01: the last place is sold once, whoever asks in which way; and it can be sold, wherever it lies. The twin: with
/// the share's condition gone, it is sold again and the count falls below zero.
#[test]
fn the_last_place_is_sold_once() {
    for last in [0, 1] {
        let mut world = world();
        let taken = SHARES.iter().enumerate().map(|(n, free)| if n == last { free - 1 } else { *free }).sum::<u32>();
        let others = PoolAsk { order: vec![1 - last as u32, last as u32], ..places(1, "a", taken).pools[0].clone() };
        world.decide(Take { pools: vec![others], ..take(1, "a", &[]) }).unwrap();
        world.decide(places(2, "a", 1)).unwrap();
        let pool = floor(0).pool;
        assert_eq!(world.decide(places(3, "a", 1)), Err(TakeRefusal::PoolExhausted { pool, left: 0 }));
        let mut bare = domain::plan::Rule::plan(&places(4, "a", 1)).unwrap().writes;
        let share = bare.iter().position(|w| w.key.sk.starts_with("SHARE#")).unwrap();
        bare[share].expect = domain::plan::Cond::Always;
        world.commit(&domain::plan::Plan::new(bare)).unwrap();
        assert!(world.items().any(|item| item.get("free") == Some(&domain::plan::Value::N(-1))));
    }
}
