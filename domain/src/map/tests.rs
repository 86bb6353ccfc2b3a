use super::*;
use crate::items::{Seat, SeatState, Share};
use crate::plan::memory::World;

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
    assert_eq!((map.sum, map.holds), (10, 1));
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
    world.put(section(&event, &"W01".parse().expect("id"), &[seat(0, SeatState::Free, 5)]).to_item());
    let share = Share::fresh(&event, &"floor".parse().expect("id"), 0, 9, "standing");
    world.put(pool(&event, &share.pool, std::slice::from_ref(&share)).to_item());
    assert!(world.decide(Seen { event: event.clone(), beat: 7, wall: WallMs(9) }).is_ok());
    assert_eq!(world.decide(Seen { event: event.clone(), beat: 7, wall: WallMs(9) }), Err(NotNewer));
    let items: Vec<Item> = world.items().cloned().collect();
    let (map, unreadable) = Map::of(&items);
    assert_eq!((unreadable, map.seen, map.version()), (0, Some((7, WallMs(9))), 6));
    assert_eq!(map.to_json()["pools"]["floor"]["free"], 9);
    assert_eq!(map.to_json()["sections"]["W01"]["states"], "AA==");
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
