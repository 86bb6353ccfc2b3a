use super::*;
use crate::items::{Seat, SeatState, Share};
use crate::layout::Layout;
use crate::plan::memory::World;
use serde_json::json;

/// Two sections, of two rows and of one.
fn hall() -> Layout {
    let row = |label: &str, seats: u8| {
        let seats: Vec<_> = (0..seats).map(|n| json!([n.to_string(), 0, 0, 0, 0])).collect();
        json!({ "label": label, "seats": seats })
    };
    let section =
        |id: &str, rows: Vec<serde_json::Value>| json!({ "id": id, "name": id, "x": 0, "y": 0, "rows": rows });
    let sections = [section("W01", vec![row("1", 1), row("2", 2)]), section("W02", vec![row("1", 1)])];
    let layout = json!({ "version": "v", "width": 1, "height": 1, "levels": [], "sections": sections, "pools": [] });
    serde_json::from_value(layout).expect("a layout")
}

fn seat(index: u32, state: SeatState, version: i64) -> Seat {
    let (event, block) = ("e".parse().expect("id"), "W01".parse().expect("id"));
    let id = format!("W01-1-{index}").parse().expect("id");
    let fresh = Seat::fresh(&event, &block, &id, if index < 2 { "front" } else { "back" }, index, 0);
    let hold =
        (state != SeatState::Free && state != SeatState::Blocked).then(|| crate::ids::HoldId::from_bytes([7; 16]));
    Seat { state, version, hold, ..fresh }
}

#[test]
fn packing_is_lowest_bits_first() {
    let states = [Packed::Free, Packed::Held, Packed::Sold, Packed::Blocked, Packed::Sold];
    let bytes = pack(&states);
    assert_eq!(bytes, [0b1110_0100, 0b10]);
    assert_eq!(unpack(&bytes, 5), states);
    assert_eq!(get(&bytes, 99), Packed::Blocked);
    assert_eq!((len_bytes(0), len_bytes(4), len_bytes(5)), (0, 1, 2));
}

#[test]
fn a_section_is_rebuilt_with_counts_holds_and_sum() {
    let seats = [
        seat(2, SeatState::Sold, 4),
        seat(0, SeatState::Held, 2),
        seat(1, SeatState::Claimed, 3),
        seat(3, SeatState::Free, 1),
    ];
    let map = section(&seats[0].event, &"W01".parse().expect("id"), &seats);
    assert_eq!(unpack(&map.states, 4), [Packed::Held, Packed::Held, Packed::Sold, Packed::Free]);
    assert_eq!((map.sum, map.holds), (10 << 16, 1));
    let front = map.levels.iter().find(|l| l.level == "front").expect("level");
    assert_eq!((front.held, front.claimed, front.free), (1, 1, 0));
    assert_eq!(MapSection::from_item(&map.to_item()), Ok(map));
}

#[test]
fn only_a_higher_sum_replaces_a_map() {
    let mut world = World::new();
    let map =
        |version| section(&"e".parse().expect("id"), &"W01".parse().expect("id"), &[seat(0, SeatState::Free, version)]);
    assert!(world.decide(Refresh::section(&map(5))).is_ok());
    assert_eq!(world.decide(Refresh::section(&map(5))), Err(NotNewer));
    assert_eq!(world.decide(Refresh::section(&map(4))), Err(NotNewer));
    assert!(world.decide(Refresh::section(&map(6))).is_ok());
}

#[test]
fn the_partition_reads_back_as_a_map() {
    let event: EventId = "e".parse().expect("id");
    let mut world = World::new();
    let seats = [0, 1, 2].map(|index| seat(index, SeatState::Free, 5));
    world.put(section(&event, &"W01".parse().expect("id"), &seats).to_item());
    let share = Share::fresh(&event, &"floor".parse().expect("id"), 0, 9, "standing");
    world.put(pool(&event, &share.pool, std::slice::from_ref(&share)).to_item());
    assert!(world.decide(Seen { event: event.clone(), beat: 7, wall: WallMs(9) }).is_ok());
    assert_eq!(world.decide(Seen { event: event.clone(), beat: 7, wall: WallMs(9) }), Err(NotNewer));
    let items: Vec<Item> = world.items().cloned().collect();
    let (map, unreadable) = Map::of(&items);
    assert_eq!((unreadable, map.seen, map.version()), (0, Some((7, WallMs(9))), (15 << 16) + 1));
    let sheet = chart::Sheet::of(&map, &hall());
    assert_eq!((sheet.version, sheet.pools.values().next().map(|pool| pool.free)), (map.version(), Some(9)));
    let sent = serde_json::to_value(&sheet).expect("plain data");
    let (built, missing) = (&sent["sections"]["W01"], &sent["sections"]["W02"]);
    assert_eq!((&built["states"], &built["rows"]), (&"AA==".into(), &json!([1, 2])));
    assert_eq!(
        (&missing["states"], &missing["rows"]),
        (&"Aw==".into(), &json!([1])),
        "one that was never built is blocked"
    );
    assert_eq!(chart::Sheet::read(&sent), Ok(sheet));
    let counts = serde_json::to_value(chart::Counts::of(&map)).expect("plain data");
    let (sections, pools) = (json!({ "W01": { "front": 2, "back": 1 } }), json!({ "floor": 9 }));
    assert_eq!(counts, json!({ "version": map.version(), "sections": sections, "pools": pools }));
    assert_eq!(chart::Counts::read(&counts), Ok(chart::Counts::of(&map)));
    for (field, value) in [("version", json!(-1)), ("sections", json!([])), ("pools", json!({ "floor": -1 }))] {
        let mut odd = counts.clone();
        odd[field] = value;
        assert!(chart::Counts::read(&odd).is_err(), "{odd}");
    }
}

#[test]
fn a_beat_is_stored_once_and_never_back() {
    let mut world = World::new();
    let beat =
        |beat| Beat { event: "e".parse().expect("id"), clock: Clock { beat, ..Clock::start(WallMs(1)) }, rev: 0 };
    assert!(world.decide(beat(2)).is_ok());
    assert_eq!(world.decide(beat(2)), Err(BeatNotHigher));
    assert_eq!(world.decide(beat(1)), Err(BeatNotHigher));
    assert!(world.decide(beat(3)).is_ok());
}

/// B-29, B-32: what a section shows follows the time at which seats can be taken, whether or not anybody sweeps.
#[test]
fn an_overdue_seat_shows_as_free_from_the_moment_it_can_be_taken() {
    let until = EventMs(100);
    let held = Seat { until: Some(until), ..seat(0, SeatState::Held, 2) };
    let club = Seat { channel: Some("club".parse().expect("id")), index: 1, ..held.clone() };
    let seats = [held.clone(), club, seat(2, SeatState::Claimed, 3), seat(3, SeatState::Free, 1)];
    let (event, id) = (held.event.clone(), "W01".parse().expect("id"));
    let at = |now| section_at(&event, &id, &seats, EventMs(now));
    for (now, free, due) in [(100, 1, Some(until)), (101, 2, None)] {
        let map = at(now);
        assert_eq!((map.counts().free, map.due), (free, due), "at {now}");
        let takeable = crate::seat::takeable(EventMs(now)).holds(Some(&held.to_item()));
        assert_eq!(get(&map.states, 0) == Packed::Free, takeable, "at {now}");
        assert_eq!(map.channels.is_empty(), now == 100, "its channel's buyers see it too");
        assert_eq!(MapSection::from_item(&map.to_item()), Ok(map));
    }
    assert!(at(101).sum > at(100).sum, "so that whoever has the map hears of it");
    assert_eq!((at(100).counts().held, at(101).counts().blocked, at(101).holds), (2, 1, 1));
    let map = Map { sections: vec![at(0)], ..Map::default() };
    assert_eq!((map.overdue(until), map.overdue(EventMs(101))), (vec![], vec![id.clone()]));
}

/// Whatever happens to a seat, and whenever it is looked at: who has seen more changes wins, and then who looked later.
#[test]
fn a_sections_sum_rises_with_every_change_and_with_time() {
    let held = Seat { until: Some(EventMs(100)), ..seat(0, SeatState::Held, 2) };
    let after = [
        ("swept", Seat { until: None, hold: None, ..seat(0, SeatState::Free, 3) }),
        ("taken over", Seat { until: Some(EventMs(700)), ..seat(0, SeatState::Held, 3) }),
        ("claimed", Seat { until: None, ..seat(0, SeatState::Claimed, 3) }),
        ("prolonged", Seat { until: Some(EventMs(280)), ..seat(0, SeatState::Held, 3) }),
    ];
    let others = [1, 2, 3].map(|n| Seat { until: Some(EventMs(90)), ..seat(n, SeatState::Held, 2) });
    let sum = |first: &Seat, now| {
        let seats: Vec<Seat> = std::iter::once(first).chain(&others).cloned().collect();
        section_at(&first.event, &"W01".parse().expect("id"), &seats, EventMs(now)).sum
    };
    assert!(sum(&held, 91) > sum(&held, 90) && sum(&held, 101) > sum(&held, 100));
    for (what, seat) in after {
        assert!(sum(&seat, 0) > sum(&held, 1_000), "{what}, though seen by somebody whose time is behind");
    }
}
