use super::*;
use crate::ids::{EventId, HoldId, OrderId};
use crate::items::{Seat, SeatState, attr, key};
use crate::plan::memory::World;
use crate::plan::{Cond, Decided, Plan, Rule};
use crate::time::EventMs;

const NOW: EventMs = EventMs(1_000);
const HOLD: HoldId = HoldId::from_bytes([7; 16]);
const ORDER: OrderId = OrderId::from_bytes([9; 16]);

fn event() -> EventId {
    "night".parse().expect("id")
}

fn label(text: &str) -> Label {
    text.parse().expect("a label")
}

/// A seat in one of the states in which an operator may find it.
fn seat(state: SeatState, until: Option<i64>) -> Seat {
    let (block, id) = ("A".parse().expect("id"), "A-1-1".parse().expect("id"));
    let carried = !matches!(state, SeatState::Free | SeatState::Blocked);
    Seat {
        state,
        hold: carried.then_some(HOLD),
        until: until.map(EventMs),
        order: (state == SeatState::Sold).then_some(ORDER),
        kept: (state == SeatState::Blocked).then(|| Kept::Blocked { reason: "broken".into() }),
        ..Seat::fresh(&event(), &block, &id, "front", 0, 0)
    }
}

fn mark(change: Change) -> Mark {
    let found = seat(SeatState::Free, None);
    Mark { event: event(), change, spots: vec![Spot { seat: found.seat, block: found.block, from: None }], now: NOW }
}

fn world(seat: &Seat) -> World {
    let mut world = World::new();
    world.put(seat.to_item());
    world
}

fn stored(world: &World) -> Seat {
    let seat = seat(SeatState::Free, None);
    Seat::from_item(world.get(&key::seat(&seat.event, &seat.block, &seat.seat)).expect("the seat")).expect("readable")
}

/// Each change of a seat in each state: done, there already, or refused with this code, and then nothing has moved.
#[test]
fn a_seat_that_somebody_has_is_never_moved_silently() {
    let (block, house) = (Change::Block(label("broken")), Change::House(label("sponsor"), Some(WallMs(5))));
    let cases = [
        (seat(SeatState::Free, None), ["done", "done", "already", "done"]),
        (seat(SeatState::Held, Some(999)), ["done", "done", "SEAT_HELD", "done"]),
        (seat(SeatState::Held, Some(1_000)), ["SEAT_HELD", "SEAT_HELD", "SEAT_HELD", "done"]),
        (seat(SeatState::Claimed, None), ["SEAT_BEING_PAID", "SEAT_BEING_PAID", "SEAT_BEING_PAID", "done"]),
        (seat(SeatState::Sold, None), ["SEAT_SOLD", "SEAT_SOLD", "SEAT_SOLD", "done"]),
        (seat(SeatState::Blocked, None), ["already", "SEAT_BLOCKED", "done", "done"]),
    ];
    let changes = [block, house, Change::Release, Change::Assign(Some("club".parse().expect("id")))];
    for (before, wanted) in cases {
        for (change, wanted) in changes.iter().zip(wanted) {
            let mut world = world(&before);
            let found = match world.decide(mark(change.clone())) {
                Ok(Decided::Committed) => "done",
                Ok(Decided::Already) => "already",
                Err(findings) => findings[0].why.code(),
            };
            assert_eq!(found, wanted, "{change:?} of {before:?}");
            let after = stored(&world);
            assert!(found == "done" || after == before, "{change:?} of {before:?}");
            let same = (after.state, after.hold, after.order) == (before.state, before.hold, before.order);
            assert!(same || !matches!(change, Change::Assign(_)), "a channel moves nobody");
            assert_eq!(world.decide(mark(change.clone())).is_ok(), ["done", "already"].contains(&wanted), "again");
        }
    }
}

#[test]
fn a_refusal_names_hold_and_order() {
    let why = |found: &Seat| {
        let findings = world(found).decide(mark(Change::Block(label("x")))).expect_err("refused");
        findings.into_iter().map(|f| f.why).collect::<Vec<_>>()
    };
    assert_eq!(why(&seat(SeatState::Sold, None)), [Why::Sold(ORDER)]);
    assert_eq!(why(&seat(SeatState::Claimed, None)), [Why::BeingPaid(HOLD)]);
    assert_eq!(World::new().decide(mark(Change::Release)), Err(vec![Finding { seat: stored_id(), why: Why::Unknown }]));
}

fn stored_id() -> crate::ids::SeatId {
    seat(SeatState::Free, None).seat
}

#[test]
fn a_kept_seat_says_what_for_and_a_released_one_nothing() {
    let mut world = world(&Seat { channel: "club".parse().ok(), ..seat(SeatState::Free, None) });
    world.decide(mark(Change::House(label(" Sponsor "), Some(WallMs(5))))).expect("kept");
    let kept = Kept::House { name: "Sponsor".into(), until: Some(WallMs(5)) };
    assert_eq!((stored(&world).state, stored(&world).kept), (SeatState::Blocked, Some(kept)));
    world.decide(mark(Change::Release)).expect("released");
    assert_eq!((stored(&world).kept, stored(&world).version), (None, 3));
    assert_eq!(stored(&world).channel, "club".parse().ok(), "it comes back to its channel");
    world.decide(mark(Change::Assign(None))).expect("open to everybody");
    assert_eq!(stored(&world).channel, None);
}

/// Told to, it takes a held seat from exactly the hold that it found, and never a sold one.
#[test]
fn a_held_seat_is_taken_only_when_told_to_and_a_sold_one_never() {
    for (found, taken) in [(SeatState::Held, true), (SeatState::Claimed, true), (SeatState::Sold, false)] {
        let (mut world, mut outcome) = (world(&seat(found, Some(9_000))), Outcome::default());
        let first = mark(Change::Block(label("fire exit")));
        let findings = world.decide(first.clone()).expect_err("somebody has it");
        assert_eq!(sort(&first, findings.clone(), Reach::Free, &mut Outcome::default()), None);
        if let Some(next) = sort(&first, findings, Reach::HeldToo, &mut outcome) {
            let mut other = world.clone();
            other.put(Seat { hold: Some(HoldId::from_bytes([8; 16])), ..stored(&world) }.to_item());
            let findings = other.decide(next.clone()).expect_err("meanwhile another hold has it");
            assert_eq!(sort(&next, findings, Reach::HeldToo, &mut outcome.clone()), None);
            world.decide(next).expect("taken");
        }
        assert_eq!(stored(&world).state == SeatState::Blocked, taken, "{found}");
        assert_eq!((outcome.taken.len() == 1, outcome.refused.is_empty()), (taken, taken), "{found}");
    }
}

/// The twin: without its condition each change damages a seat that it must not touch.
#[test]
fn without_its_condition_each_change_does_damage() {
    let cases = [
        (Change::Block(label("x")), seat(SeatState::Sold, None)),
        (Change::House(label("x"), None), seat(SeatState::Claimed, None)),
        (Change::Release, seat(SeatState::Sold, None)),
    ];
    for (change, before) in cases {
        let mut world = world(&before);
        let mut writes = mark(change.clone()).plan().expect("a plan").writes;
        assert!(world.clone().commit(&Plan::new(writes.clone())).is_err(), "{change:?}");
        writes[0].expect = Cond::Always;
        world.commit(&Plan::new(writes)).expect("nothing else notices");
        assert_ne!(stored(&world).state, before.state, "{change:?} moved a seat of somebody");
    }
    let mut empty = World::new();
    let mut writes = mark(Change::Assign(None)).plan().expect("a plan").writes;
    writes[0].expect = Cond::Always;
    empty.commit(&Plan::new(writes)).expect("nothing else notices");
    assert!(empty.items().any(|item| !item.contains_key(attr::STATE)), "a seat that no plan has");
}

/// A chunk of which a part is done already, as after a crash: only the rest is written, and versions rise once.
#[test]
fn a_list_may_be_gone_through_again() {
    let mut world = World::new();
    let named =
        |n: u32| Seat { seat: format!("A-1-{n}").parse().expect("id"), index: n, ..seat(SeatState::Free, None) };
    (0..40).for_each(|n| world.put(named(n).to_item()));
    let spot = |n| Spot { seat: named(n).seat, block: named(n).block, from: None };
    let some = |to: u32| Mark { spots: (0..to).map(spot).collect(), ..mark(Change::House(label("press"), None)) };
    world.decide(some(25)).expect("the first chunk, before the crash");
    world.decide(some(40)).expect("all of it, again");
    let seats: Vec<Seat> = world.items().map(|item| Seat::from_item(item).expect("readable")).collect();
    assert!(seats.iter().all(|s| s.state == SeatState::Blocked && s.version == 2));
}

#[test]
fn labels_are_one_line_of_text() {
    for bad in ["", "  ", "a\nb", &"x".repeat(LABEL_MAX + 1)] {
        assert!(bad.parse::<Label>().is_err(), "{bad:?}");
    }
    assert_eq!(label("  Łódź press ").to_string(), "Łódź press");
}
