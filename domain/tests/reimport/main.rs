//! Importing again, over random plans and states: fans hold, pay, buy and let go between the parts, imports break off and
//! overtake one another. Nothing that somebody has is lost or moved, and an import that ends leaves exactly its plan.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod hall;

use domain::items::SeatState;
use domain::plan::{Cond, Plan};
use domain::reimport::{Begin, Obstacle, Overtaken, PART, part};
use hall::{Dice, Hall, Import, Layout};

const SCHEDULES: u64 = 3_000;

/// What came of one import.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Done,
    BrokeOff,
    Overtaken,
    InTheWay,
}

/// One import, part by part, with fans in between; it may break off.
fn import(hall: &mut Hall, layout: &Layout, dice: &mut Dice, guarded: bool) -> End {
    let Ok(import) = hall.begin(layout) else { return End::Overtaken };
    run(hall, &import, dice, guarded)
}

fn run(hall: &mut Hall, import: &Import, dice: &mut Dice, guarded: bool) -> End {
    loop {
        let Ok(changes) = hall.differences(import) else { return End::InTheWay };
        let mut again = false;
        // Small parts, so that much can happen between them.
        for some in changes.parts(dice.between(2, 5)) {
            hall.fans(dice);
            if dice.one_in(12) {
                return End::BrokeOff;
            }
            match hall.write(import, &some, guarded) {
                Ok(()) => {}
                Err(true) => return End::Overtaken,
                Err(false) => again = true,
            }
            if again {
                break;
            }
        }
        if !again {
            return End::Done;
        }
    }
}

#[test]
fn nothing_that_somebody_has_is_lost_or_moved() {
    let mut seen = [0; 4];
    for seed in 0..SCHEDULES {
        let mut dice = Dice::new(seed);
        let mut hall = Hall::new(&Layout::random(&mut dice));
        for _ in 0..6 {
            let layout = Layout::random(&mut dice);
            let end = import(&mut hall, &layout, &mut dice, true);
            if end == End::Done {
                hall.is_exactly(&layout).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
            }
            seen[end as usize] += 1;
            hall.nobody_lost_anything().unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        }
        // At rest every import that nothing stands in the way of comes to its end.
        hall.everybody_leaves();
        let layout = Layout::random(&mut dice);
        let import = hall.begin(&layout).unwrap();
        let changes = hall.differences(&import).expect("nothing is in use");
        changes.parts(PART).iter().for_each(|some| hall.write(&import, some, true).unwrap());
        hall.is_exactly(&layout).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert!(hall.differences(&import).unwrap().is_empty(), "seed {seed}: a second look finds nothing to do");
    }
    println!("done, broke off, overtaken, in the way: {seen:?}");
    assert!(seen[0] > 100 && seen[1] > 100 && seen[3] > 20, "{seen:?}");
}

/// The twin: with the conditions left out an import runs over a seat that somebody took in between.
#[test]
fn without_conditions_somebody_loses_a_seat() {
    let lost = (0..SCHEDULES).any(|seed| {
        let mut dice = Dice::new(seed);
        let mut hall = Hall::new(&Layout::random(&mut dice));
        (0..6).any(|_| {
            let layout = Layout::random(&mut dice);
            import(&mut hall, &layout, &mut dice, false);
            hall.nobody_lost_anything().is_err()
        })
    });
    assert!(lost, "the check would not see a missing condition");
}

#[test]
fn who_was_overtaken_writes_nothing_any_more() {
    let (first, second) =
        (Layout::of(&[("A", 0, "front"), ("B", 1, "front")], 4, 1), Layout::of(&[("A", 0, "back")], 4, 1));
    let mut hall = Hall::new(&first);
    let slow = hall.begin(&first).unwrap();
    let stale = Begin { fence: slow.fence.clone(), known: None };
    assert_eq!(
        hall.world.decide(Begin { fence: Hall::fence(&second, "late"), ..stale }),
        Err(Overtaken),
        "both began at once"
    );
    let quick = hall.begin(&second).unwrap();
    let changes = hall.differences(&quick).unwrap();
    hall.write_all(&quick, &changes);
    let writes = hall.differences(&slow).unwrap().parts(PART).concat();
    assert_eq!(hall.write(&slow, &writes, true), Err(true));
    hall.is_exactly(&second).unwrap();
    // Without the fence the slow one would have undone what the quick one did.
    let mut plan = part(&slow.fence, &writes);
    plan.writes[0].expect = Cond::Always;
    hall.world.commit(&Plan::new(plan.writes)).unwrap();
    assert!(hall.is_exactly(&second).is_err());
}

#[test]
fn every_obstacle_is_named() {
    let old = Layout::of(&[("A", 0, "front"), ("A", 1, "front"), ("A", 2, "front"), ("A", 3, "front")], 6, 2);
    let mut hall = Hall::new(&old);
    for (n, state) in [(0, SeatState::Sold), (1, SeatState::Blocked), (2, SeatState::Held)] {
        hall.put(n, state);
    }
    hall.take_places(0, 2);
    hall.take_places(1, 3);
    let new = Layout::of(&[("B", 1, "front"), ("A", 2, "back")], 4, 1);
    let import = hall.begin(&new).unwrap();
    let obstacles = hall.differences(&import).unwrap_err();
    let told: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
    assert_eq!(obstacles.len(), 3, "{told:#?}");
    assert!(matches!(&obstacles[0], Obstacle::SeatInUse { seat, order: Some(_), .. } if seat.as_str() == "S-0"));
    assert!(matches!(&obstacles[1], Obstacle::SeatWouldMove { seat, .. } if seat.as_str() == "S-1"));
    assert!(matches!(&obstacles[2], Obstacle::PoolInUse { taken: 5, capacity: 4, .. }));
    let fewer = Layout::of(&[("A", 0, "front"), ("A", 1, "front"), ("A", 2, "back"), ("A", 3, "front")], 6, 1);
    let import = hall.begin(&fewer).unwrap();
    let obstacles = hall.differences(&import).unwrap_err();
    assert!(matches!(&obstacles[..], [Obstacle::ShareInUse { share: 1, taken: 3, .. }]), "{obstacles:?}");
    let more = Layout::of(&[("A", 0, "front"), ("A", 1, "front"), ("A", 2, "back"), ("A", 3, "front")], 5, 2);
    let import = hall.begin(&more).unwrap();
    let changes =
        hall.differences(&import).expect("a held seat may change its level, a pool may shrink to what is taken");
    assert_eq!((changes.report.changed, changes.report.removed), (1, 0));
    hall.write_all(&import, &changes);
    hall.is_exactly(&more).unwrap();
    hall.nobody_lost_anything().unwrap();
}
