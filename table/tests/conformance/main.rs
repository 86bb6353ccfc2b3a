//! What a condition means in memory is what it means at the table: over every kind of condition and change, and several
//! kinds of item.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod random;
#[path = "../support/mod.rs"]
mod support;

use domain::plan::memory::World;
use domain::plan::{Cond, Item, Key, Plan, Refused, Update, Value, Write};
use table::{CommitError, Table};

fn item(sk: &str, attributes: &[(&str, Value)]) -> Item {
    let keys = [("pk", Value::from("P")), ("sk", Value::from(sk))];
    let all = keys.into_iter().chain(attributes.iter().cloned());
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Items that conditions meet; the last is not stored.
fn items() -> Vec<(&'static str, Option<Item>)> {
    let list = Value::L(vec![Value::N(1), Value::L(vec!["x".into()])]);
    vec![
        ("number", Some(item("number", &[("v", Value::N(5)), ("st", "free".into())]))),
        ("negative", Some(item("negative", &[("v", Value::N(-5))]))),
        ("text", Some(item("text", &[("v", "m".into()), ("st", "held".into())]))),
        ("bytes", Some(item("bytes", &[("v", Value::B(vec![1, 2]))]))),
        ("flag", Some(item("flag", &[("v", Value::Bool(true))]))),
        ("list", Some(item("list", &[("v", list)]))),
        ("bare", Some(item("bare", &[]))),
        ("absent", None),
    ]
}

fn conditions() -> Vec<Cond> {
    let values = [
        Value::N(5),
        Value::N(-5),
        Value::N(4),
        Value::N(6),
        "m".into(),
        "l".into(),
        Value::B(vec![1, 2]),
        Value::B(vec![1]),
        Value::N(i64::MAX),
    ];
    let kinds: [fn(&'static str, Value) -> Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge];
    let compare = values.iter().flat_map(|v| kinds.iter().map(move |k| k("v", v.clone())));
    let equal = [
        Value::Bool(true),
        Value::Bool(false),
        Value::L(vec![]),
        Value::L(vec![Value::N(1), Value::L(vec!["x".into()])]),
    ];
    let equal = equal.into_iter().flat_map(|v| [Cond::Eq("v", v.clone()), Cond::Ne("v", v)]);
    let free = || Cond::eq("st", "free");
    let plain = [
        Cond::Always,
        Cond::Absent,
        Cond::Exists,
        Cond::Missing("v"),
        Cond::Missing("pk"),
        Cond::All(vec![]),
        Cond::Any(vec![]),
        Cond::All(vec![Cond::Always, Cond::Exists]),
        Cond::Any(vec![Cond::Absent, free()]),
        Cond::All(vec![Cond::Exists, Cond::Any(vec![free(), Cond::Gt("v", Value::N(4))])]),
        Cond::Any(vec![Cond::Missing("v"), Cond::Le("v", Value::N(2))]),
        free().or(Cond::eq("st", "held").and(Cond::Lt("v", "z".into()))),
    ];
    compare.chain(equal).chain(plain).collect()
}

/// The same verdict and the same old items, from memory and from the table.
async fn same(table: &Table, world: &mut World, plan: &Plan) {
    let memory = world.commit(plan);
    let stored = match table.commit(plan).await {
        Ok(()) => Ok(()),
        Err(CommitError::Refused(refused)) => Err(refused),
        Err(CommitError::Table(error)) => panic!("{error}: {plan:?}"),
    };
    let plain = |r: Result<(), Refused>| r.map_err(|r| r.failed);
    assert_eq!(plain(stored), plain(memory), "{plan:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_mean_the_same() {
    let table = support::fresh_table().await;
    let mut world = World::new();
    let stored: Vec<Item> = items().into_iter().filter_map(|(_, item)| item).collect();
    table.put_all(&stored, &mut |_, _| ()).await.unwrap();
    stored.into_iter().for_each(|item| world.put(item));
    for cond in conditions() {
        for (sk, _) in items() {
            same(&table, &mut world, &Plan::new(vec![Write::check(Key::new("P", sk), cond.clone())])).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_mean_the_same() {
    let table = support::fresh_table().await;
    let mut world = World::new();
    let key = |sk| Key::new("P", sk);
    let list = Value::L(vec!["a".into(), Value::N(1)]);
    let plans = [
        vec![Write::put(item("a", &[("v", Value::N(1)), ("l", list.clone())]), Cond::Absent)],
        vec![Write::put(item("a", &[("w", "x".into())]), Cond::Absent)],
        vec![Write::update(key("a"), Cond::Exists, Update::new().add("v", 4).set("st", "x").remove("l"))],
        vec![Write::update(key("b"), Cond::Always, Update::new().add("n", -2).set("l", list))],
        vec![
            Write::update(key("a"), Cond::eq("v", 5), Update::new().add("v", -10)),
            Write::check(key("zz"), Cond::Exists),
        ],
        vec![Write::delete(key("a"), Cond::eq("v", 6)), Write::delete(key("b"), Cond::Exists)],
        vec![
            Write::delete(key("a"), Cond::eq("v", 5)),
            Write::put(item("c", &[("v", Value::B(vec![0]))]), Cond::Absent),
        ],
        vec![
            Write::delete(key("gone"), Cond::Always),
            Write::update(key("d"), Cond::Absent, Update::new().remove("x")),
        ],
    ];
    for writes in plans {
        same(&table, &mut world, &Plan::new(writes)).await;
        let stored = table.query("P", "").await.unwrap();
        let memory: Vec<Item> = world.items().cloned().collect();
        assert_eq!(stored, memory);
    }
}

/// The biggest plan that the table takes.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_writes_are_one_transaction() {
    let table = support::fresh_table().await;
    let write = |n: i32| Write::put(item(&format!("{n:03}"), &[]), Cond::Absent);
    table.commit(&Plan::new((0..100).map(write).collect())).await.unwrap();
    assert_eq!(table.query("P", "").await.unwrap().len(), 100);
    let clash = Plan::new((99..199).map(write).collect());
    assert!(matches!(table.commit(&clash).await, Err(CommitError::Refused(r)) if r.failed.len() == 1));
    assert_eq!(table.query("P", "").await.unwrap().len(), 100);
}
