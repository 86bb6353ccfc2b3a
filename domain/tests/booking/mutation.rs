//! Every condition of taking, claiming and selling earns its place: with the guarded item bent so that only this
//! condition notices, the plan is refused; with the condition removed it goes through and the damage shows.

use crate::promises;
use crate::shop::*;
use domain::hold::Take;
use domain::items::attr;
use domain::order::{CardLimit, Sell};
use domain::plan::memory::World;
use domain::plan::{Change, Cond, Plan, Rule, Value, Write};

/// A world and a plan that would be committed in it.
struct Bench {
    name: &'static str,
    world: World,
    plan: Plan,
}

fn benches() -> Vec<Bench> {
    let take = Take { pools: vec![floor(1)], ..take(1, "a", &[0, 1]) };
    let mut held_world = world();
    held_world.decide(take.clone()).unwrap();
    let claim = claim(hold(&held_world, &take.hold), "o", NOW);
    let mut paying_world = held_world.clone();
    let paying = paying(&mut paying_world, claim.hold.clone(), "o");
    let card = Some(CardLimit { fingerprint: "card".into(), limit: CARD_LIMIT });
    let sell = Sell { order: paying, card, now: NOW, wall: WALL };
    vec![
        Bench { name: "take", world: world(), plan: take.plan().unwrap() },
        Bench { name: "claim", world: held_world, plan: claim.plan().unwrap() },
        Bench { name: "sell", world: paying_world, plan: sell.plan().unwrap() },
    ]
}

/// An item that this write must not meet: what another fan, another order or an operator would have left there.
fn bent(write: &Write, world: &World) -> domain::plan::Item {
    let mut item = world.get(&write.key).cloned().unwrap_or_default();
    if let (Change::Put(new), true) = (&write.change, item.is_empty()) {
        return new.clone();
    }
    let text = |t: &str| Value::S(t.to_owned());
    item.extend([(attr::PK.to_owned(), text(&write.key.pk)), (attr::SK.to_owned(), text(&write.key.sk))]);
    item.insert(attr::STATE.to_owned(), text("bent"));
    for number in [attr::FREE, attr::HELD, attr::CLAIMED] {
        item.insert(number.to_owned(), Value::N(0));
    }
    for number in [attr::COMMITTED, attr::NUMBER] {
        item.insert(number.to_owned(), Value::N(99));
    }
    item
}

fn without(plan: &Plan, at: usize) -> Plan {
    let mut writes = plan.writes.clone();
    writes[at].expect = Cond::Always;
    Plan::new(writes)
}

#[test]
fn every_condition_is_needed() {
    let mut caught = Vec::new();
    for bench in benches() {
        for (at, write) in bench.plan.writes.iter().enumerate() {
            let mut world = bench.world.clone();
            assert!(world.clone().commit(&bench.plan).is_ok(), "{} commits as it is", bench.name);
            world.put(bent(write, &bench.world));
            let refused = world.clone().commit(&bench.plan).expect_err("the condition notices");
            assert!(refused.only(&write.key), "{} {:?}: only its own condition notices", bench.name, write.key);
            assert!(
                world.commit(&without(&bench.plan, at)).is_ok(),
                "{} {:?}: nothing else notices",
                bench.name,
                write.key
            );
            caught.push(format!("{} {} {}", bench.name, write.key.pk, write.key.sk));
        }
    }
    println!("{} of {} conditions are needed:\n{}", caught.len(), caught.len(), caught.join("\n"));
    assert!(caught.len() > 15);
}

/// Two orders race for one seat: with the seat's condition gone, both sell it, and the invariants tell.
#[test]
fn without_the_seat_condition_two_fans_get_one_seat() {
    let mut world = world();
    held(&mut world, 1, "a", &[0]);
    let second = take(2, "a", &[0]).plan().unwrap();
    assert!(world.clone().commit(&second).is_err());
    let seat_at = second.writes.iter().position(|w| w.key.sk.starts_with("SEAT#")).unwrap();
    world.commit(&without(&second, seat_at)).unwrap();
    let first = hold(&world, &take(1, "a", &[]).hold);
    let both = first.places.seats.iter().filter(|l| l.seat == line(0).seat).count();
    assert_eq!((both, seat(&world, 0).hold), (1, Some(take(2, "a", &[]).hold)));
    promises::check(&world).expect("the loser finds out when it pays");
    assert!(world.decide(claim(first, "o", NOW)).is_err());
}
