//! Old and new binaries together: attributes that this version does not know are read over, and no write drops them.

use std::collections::BTreeSet;

use crate::shop::*;
use domain::hold::Extend;
use domain::ids::OrderId;
use domain::order::{BeginCancel, BeginPart, Deliver, Ended, MarkCaptured, Reduce, Sell, Unsell, Unsold};
use domain::plan::memory::World;
use domain::plan::{Item, Key, Value};

/// What a newer version might have written.
const UNKNOWN: &str = "zz";

/// Gives every item an unknown attribute; answers which.
fn mark(world: &mut World) -> BTreeSet<Key> {
    let items: Vec<Item> = world.items().cloned().collect();
    for mut item in items.iter().cloned() {
        item.insert(UNKNOWN.into(), Value::S("from a newer version".into()));
        world.put(item);
    }
    items.iter().filter_map(Key::of).collect()
}

fn dropped(world: &World, marked: &BTreeSet<Key>) -> Vec<Key> {
    marked.iter().filter(|key| world.get(key).is_none_or(|item| !item.contains_key(UNKNOWN))).cloned().collect()
}

/// Captured, delivered, one of its seats given back, and delivered again.
fn goes_its_way(world: &mut World, id: &OrderId) {
    let marked = mark(world);
    world.decide(MarkCaptured { order: order(world, id), now: NOW, wall: WALL }).unwrap();
    world.decide(Deliver { order: order(world, id), now: NOW }).unwrap();
    assert_eq!(dropped(world, &marked), [], "captured and delivered");
    let whole = order(world, id);
    world.decide(BeginPart { account: account(1), seats: vec![line(0).seat], order: whole, now: NOW }).unwrap();
    world.decide(Reduce { order: order(world, id), now: NOW, wall: WALL }).unwrap();
    world.decide(Deliver { order: order(world, id), now: NOW }).unwrap();
    assert_eq!(dropped(world, &marked), [], "a part given back");
}

/// The twin: a reader that writes an item whole, as it understands it, drops what it does not know.
#[test]
fn an_item_that_is_written_whole_loses_what_its_writer_does_not_know() {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0]);
    let order = paying(&mut world, hold, "o");
    let marked = mark(&mut world);
    world.put(self::order(&world, &order.id).to_item());
    assert_eq!(dropped(&world, &marked), [domain::items::key::order(&order.id)]);
}

/// B-90: an old and a new version work on the same items at once.
#[test]
fn no_write_drops_what_a_newer_version_has_written() {
    let mut world = world();
    let marked = mark(&mut world);
    let hold = held(&mut world, 1, "a", &[0, 1]);
    assert_eq!(dropped(&world, &marked), []);
    let marked = mark(&mut world);
    world.decide(Extend { account: account(1), hold: hold.clone(), now: NOW }).unwrap();
    let hold = self::hold(&world, &hold.id);
    let order = paying(&mut world, hold, "o");
    assert_eq!(dropped(&world, &marked), [], "extended and claimed");
    let marked = mark(&mut world);
    world.decide(Sell { order: order.clone(), card: None, now: NOW, wall: WALL }).unwrap();
    assert_eq!(dropped(&world, &marked), [], "sold");
    goes_its_way(&mut world, &order.id);
    let marked = mark(&mut world);
    world.decide(BeginCancel { account: account(1), order: self::order(&world, &order.id), now: NOW }).unwrap();
    assert!(block(&mut world, 5, broken()));
    let cancelling = self::order(&world, &order.id);
    let (ended, wall) = (Ended { authorized_minor: 11_000, captured_minor: 11_000 }, WALL);
    world.decide(Unsell { order: cancelling, to: Unsold::Refunded, ended, now: NOW, wall }).unwrap();
    assert_eq!(dropped(&world, &marked), [], "gone back");
}
