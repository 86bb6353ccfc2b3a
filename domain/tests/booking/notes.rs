//! Notes that are made once: each with its condition, and with the condition left out.

use crate::shop::*;
use domain::items::{Contact, Ticket, TicketState, key};
use domain::notes;
use domain::plan::memory::World;
use domain::plan::{Cond, Item, Key, Plan, Value, Write};
use domain::time::WallMs;

/// What a newer version might have added.
const UNKNOWN: &str = "zz";

/// A note, where it lies, and what somebody comes with later.
struct Note {
    name: &'static str,
    key: Key,
    first: Plan,
    later: Plan,
}

fn all() -> Vec<Note> {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0, 1]);
    let order = paying(&mut world, hold, "o");
    let ticket =
        |n: u32, revision| Ticket { seat: format!("A-1-{n}"), order: order.id, state: TicketState::Valid, revision };
    let to = |to: &str| Contact { event: event(), order: order.id, to: to.into(), keep_until: WallMs(1_000) };
    let handed_out = |tickets: &[Ticket]| notes::handed_out(&order, tickets);
    vec![
        Note { name: "event", key: key::noted(&event()), first: notes::event(&event()), later: notes::event(&event()) },
        Note {
            name: "contact",
            key: key::contact(&order.id),
            first: notes::contact(&to("ada@example.org")),
            later: notes::contact(&to("eve@example.org")),
        },
        Note {
            name: "delivery",
            key: key::delivery(&order.id, 1),
            first: handed_out(&[ticket(0, 1), ticket(1, 1)]),
            later: handed_out(&[ticket(0, 1)]),
        },
    ]
}

/// The note as it stands after the first one, what a newer version added, and then `later`.
fn after(note: &Note, later: &Plan) -> (Item, Item) {
    let mut world = World::default();
    world.commit(&note.first).unwrap();
    let mut stands = world.get(&note.key).cloned().unwrap();
    stands.insert(UNKNOWN.into(), Value::S("from a newer version".into()));
    world.put(stands.clone());
    _ = world.commit(later);
    (stands, world.get(&note.key).cloned().unwrap())
}

fn without_condition(plan: &Plan) -> Plan {
    let writes = plan.writes.iter().map(|write| Write { expect: Cond::Always, ..write.clone() });
    Plan::new(writes.collect())
}

#[test]
fn the_first_note_stands() {
    for note in all() {
        let (stands, now) = after(&note, &note.later);
        assert_eq!(now, stands, "{}", note.name);
        let (stands, now) = after(&note, &without_condition(&note.later));
        assert_ne!(now, stands, "{}: without its condition the later one wins", note.name);
        println!("{} · absent: without it a later note drops {UNKNOWN}", note.name);
    }
    let [_, contact, delivery]: [Note; 3] = all().try_into().ok().unwrap();
    for (note, what) in [(contact, "another's address"), (delivery, "a ticket fewer")] {
        let bare = |plan: &Plan| {
            let mut world = World::default();
            world.commit(&note.first).unwrap();
            world.commit(&without_condition(plan)).unwrap();
            world.get(&note.key).cloned().unwrap()
        };
        assert_ne!(bare(&note.later), bare(&note.first), "{}: {what}", note.name);
    }
}
