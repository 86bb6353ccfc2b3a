use super::memory::World;
use super::*;

fn seat(state: &str) -> Item {
    let pairs = [("pk", "P".into()), ("sk", "S".into()), ("st", Value::from(state)), ("n", Value::N(5))];
    pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

#[test]
fn conditions_read_as_dynamodb_reads_them() {
    let item = seat("free");
    let table = [
        (Cond::Always, true, true),
        (Cond::Absent, false, true),
        (Cond::Exists, true, false),
        (Cond::eq("st", "free"), true, false),
        (Cond::Ne("st", "free".into()), false, true),
        (Cond::Ne("gone", "x".into()), true, true),
        (Cond::Lt("n", 6.into()), true, false),
        (Cond::Lt("n", 5.into()), false, false),
        (Cond::Le("n", 5.into()), true, false),
        (Cond::Gt("n", 5.into()), false, false),
        (Cond::Ge("n", 5.into()), true, false),
        (Cond::Ge("st", 5.into()), false, false),
        (Cond::Missing("n"), false, true),
        (Cond::All(vec![Cond::Exists, Cond::eq("n", 5)]), true, false),
        (Cond::Any(vec![Cond::Absent, Cond::eq("n", 6)]), false, true),
    ];
    for (cond, stored, absent) in table {
        assert_eq!(cond.holds(Some(&item)), stored, "{cond:?} of a stored item");
        assert_eq!(cond.holds(None), absent, "{cond:?} of no item");
    }
}

#[test]
fn a_refused_plan_changes_nothing_and_names_every_failure() {
    let mut world = World::new();
    world.put(seat("sold"));
    let before = world.clone();
    let other = Key::new("P", "T");
    let plan = Plan::new(vec![
        Write::update(other.clone(), Cond::Always, Update::new().add("n", 1)),
        Write::update(Key::new("P", "S"), Cond::eq("st", "free"), Update::new().set("st", "held")),
        Write::check(Key::new("P", "U"), Cond::Exists),
    ]);
    let refused = world.commit(&plan).expect_err("two conditions fail");
    assert_eq!(refused.failed.len(), 2);
    assert_eq!(refused.failed[0].old, Some(seat("sold")));
    assert_eq!(refused.failed[1].old, None);
    assert_eq!(world, before);
}

#[test]
fn updates_create_add_and_remove() {
    let mut world = World::new();
    let key = Key::new("P", "S");
    let up = |u| Plan::new(vec![Write::update(key.clone(), Cond::Always, u)]);
    world.commit(&up(Update::new().add("n", 2).set("st", "x"))).expect("no condition");
    world.commit(&up(Update::new().add("n", -3).remove("st"))).expect("no condition");
    let item = world.get(&key).expect("created");
    assert_eq!((item.get("n"), item.get("st")), (Some(&Value::N(-1)), None));
}

#[test]
fn equal_plans_have_equal_tokens_and_others_differ() {
    let plan = |n| Plan::new(vec![Write::update(Key::new("P", "S"), Cond::Always, Update::new().add("n", n))]);
    assert_eq!(plan(1).token(), plan(1).token());
    assert_ne!(plan(1).token(), plan(2).token());
    assert!(plan(1).token().len() == 32);
}

#[test]
fn plans_are_bounded_and_write_an_item_once() {
    let write = |n: usize| Write::check(Key::new("P", n.to_string()), Cond::Exists);
    assert_eq!(Plan::new(vec![]).check(), Err(BadPlan::Empty));
    assert_eq!(Plan::new((0..101).map(write).collect()).check(), Err(BadPlan::TooMany));
    assert_eq!(Plan::new(vec![write(1), write(1)]).check(), Err(BadPlan::Twice));
    let idle = Write::update(Key::new("P", "1"), Cond::Always, Update::new());
    assert_eq!(Plan::new(vec![idle]).check(), Err(BadPlan::NoChange));
    assert_eq!(Plan::new((0..100).map(write).collect()).check(), Ok(()));
}
