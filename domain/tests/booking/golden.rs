//! Stored records, frozen: what is in tables must stay readable.

use crate::shop::*;
use domain::hold::Take;
use domain::order::{CardLimit, Sell};
use domain::plan::memory::World;
use domain::plan::{Item, Value};
use domain::pool::{PoolAsk, Portion};
use domain::webhook::{Hint, Keep};
use std::fmt::Write as _;

/// One item as text: attributes in order, `name: type value`.
fn text(item: &Item) -> String {
    let mut text = String::new();
    for (name, value) in item {
        writeln!(text, "  {name}: {}", show(value)).unwrap();
    }
    text
}

fn show(value: &Value) -> String {
    match value {
        Value::S(text) => format!("S {text}"),
        Value::N(number) => format!("N {number}"),
        Value::Bool(yes) => format!("BOOL {yes}"),
        Value::B(bytes) => format!("B {}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()),
        Value::L(list) => format!("L [{}]", list.iter().map(show).collect::<Vec<_>>().join(", ")),
    }
}

/// One of everything: a hold with a seat and pool places, sold, beside a live hold, with its map.
fn everything() -> World {
    let mut world = world();
    let one = floor(1).portions.remove(0);
    let both = Take { pools: vec![floor(2)], ..take(1, "a", &[0]) };
    world.decide(both.clone()).unwrap();
    let hold = hold(&world, &both.hold);
    let order = paying(&mut world, hold, "o");
    let card = Some(CardLimit { fingerprint: "card".into(), limit: CARD_LIMIT });
    let hint = Hint { event: "evt_1".into(), kind: "payment_intent.succeeded".into(), order: order.id };
    world.decide(Sell { order, card, now: NOW, wall: WALL }).unwrap();
    world.decide(Keep { hint, wall: WALL }).unwrap();
    held(&mut world, 2, "b", &[1]);
    let mut child = take(3, "c", &[2]);
    child.seats[0].price_type = Some("child".into());
    child.pools =
        vec![PoolAsk { portions: vec![Portion { price_type: Some("child".into()), ..one.clone() }, one], ..floor(0) }];
    world.decide(child).unwrap();
    let seats: Vec<_> = (0..SEATS).map(|n| seat(&world, n)).collect();
    world
        .decide(domain::map::Refresh::section(&domain::map::section(&event(), &"A".parse().unwrap(), &seats)))
        .unwrap();
    let clock = domain::time::Clock { beat: 7, ..domain::time::Clock::start(domain::time::WallMs(NOW.0)) };
    world.decide(domain::map::Beat { event: event(), clock, rev: 0 }).unwrap();
    world.decide(domain::map::Seen { event: event(), beat: 7, wall: domain::time::WallMs(NOW.0) }).unwrap();
    world
}

#[test]
fn records_are_unchanged() {
    let skip =
        |item: &&Item| !matches!(item["sk"].as_str(), Some(sk) if sk.starts_with("SEAT#A-1-") && sk > "SEAT#A-1-2");
    let records: Vec<String> = everything().items().filter(skip).map(text).collect();
    let now = records.join("\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/records.txt");
    if std::env::var_os("ONSALE_WRITE_GOLDEN").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap();
    assert_eq!(
        now, golden,
        "items already stored would no longer be read as they are, or streams filter on other names"
    );
}
