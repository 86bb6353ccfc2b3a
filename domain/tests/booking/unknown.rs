//! Old and new binaries together: attributes that this version does not know are read over, and no write drops them.

use std::collections::BTreeSet;

use crate::shop::*;
use domain::hold::Extend;
use domain::order::{BeginCancel, Sell};
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
    let marked = mark(&mut world);
    world.decide(BeginCancel { account: account(1), order: self::order(&world, &order.id), now: NOW }).unwrap();
    assert!(block(&mut world, 5, broken()));
    assert_eq!(dropped(&world, &marked), [], "going back");
}
