use super::*;
use crate::ids::OrderId;
use crate::items::{Ticket, TicketState};
use crate::ticket::{TicketContent, public_key};
use crate::time::WallMs;

const SEED: [u8; 32] = [7; 32];
const HOUR: i64 = 3_600_000;
/// The doors, in wall ms.
const DOORS: i64 = 1_812_000_000_000;

fn key(id: u8) -> Option<[u8; 32]> {
    (id == 1).then(|| public_key(&SEED))
}

fn ticket(seat: &str, revision: u32) -> TicketContent {
    let event = "stadium-night".parse().expect("id");
    TicketContent { key_id: 1, event, seat: seat.into(), order: OrderId::from_bytes([9; 16]), revision }
}

fn stored(seat: &str, revision: u32, state: TicketState) -> Ticket {
    Ticket { seat: seat.into(), order: OrderId::from_bytes([9; 16]), revision, state }
}

fn list_of(tickets: &[Ticket], issued: i64) -> List {
    let told = Told {
        event: "stadium-night".parse().expect("id"),
        name: "Stadium night — 体育场".into(),
        issued: WallMs(issued),
        from: Some(WallMs(DOORS)),
        until: WallMs(DOORS + 8 * HOUR),
    };
    List::of(told, tickets)
}

fn list() -> List {
    let tickets = [
        stored("A-1-1", 1, TicketState::Valid),
        stored("A-1-2", 2, TicketState::Valid),
        stored("A-1-3", 1, TicketState::Void),
        stored("floor/1", 1, TicketState::Void),
    ];
    list_of(&tickets, DOORS - HOUR)
}

fn gate(device: &str) -> Gate {
    Gate::new(device, list(), Scans::default()).expect("its first list")
}

fn says(gate: &mut Gate, payload: &str, at: i64) -> Verdict {
    gate.scan(payload, WallMs(at), key).said
}

#[test]
fn the_list_is_unchanged_and_bound_to_its_event_and_key() {
    let event = "stadium-night".parse().expect("id");
    let golden = include_str!("../../golden/gate.json").trim();
    assert_eq!(list().sign(1, &SEED), golden, "lists on devices would no longer be read");
    let read = List::verify(golden, &event, key).expect("as written");
    assert_eq!(read, List { key: 1, ..list() });

    let wrong = |text: &str| List::verify(text, &event, key).expect_err("not to be accepted");
    assert_eq!(List::verify(golden, &"another".parse().expect("id"), key), Err(BadList::Event));
    assert_eq!(wrong(&list().sign(2, &SEED)), BadList::Key);
    assert_eq!(wrong(&list().sign(1, &[8; 32])), BadList::Signature);
    assert_eq!(wrong(&golden.replace("\"A-1-3\":2", "\"A-1-3\":1")), BadList::Signature);
    assert_eq!(wrong("{}"), BadList::Form);
}

#[test]
fn each_scan_is_answered_by_the_first_check_that_fails() {
    let sign = |ticket: TicketContent| ticket.sign(&SEED);
    let other_event = TicketContent { event: "other".parse().expect("id"), ..ticket("A-1-1", 1) };
    let other_order = TicketContent { order: OrderId::from_bytes([8; 16]), ..ticket("floor/1", 1) };
    let good = sign(ticket("A-1-1", 1));
    let table = [
        ("ORDER-17".to_owned(), 0, Verdict::NoTicket),
        (good[..good.len() - 4].to_owned(), 0, Verdict::NoTicket),
        (other_event.sign(&[3; 32]), 0, Verdict::WrongEvent),
        (TicketContent { key_id: 2, ..ticket("A-1-1", 1) }.sign(&SEED), 0, Verdict::UnknownKey),
        (ticket("A-1-4", 1).sign(&[8; 32]), 0, Verdict::Forged),
        (good.clone(), -1, Verdict::TooEarly),
        (good.clone(), 8 * HOUR, Verdict::Over),
        (sign(ticket("A-1-2", 1)), 0, Verdict::Revoked),
        (sign(ticket("A-1-3", 1)), 0, Verdict::Revoked),
        (sign(ticket("floor/1", 1)), 0, Verdict::Revoked),
        (sign(other_order), 0, Verdict::Admitted),
        (sign(ticket("A-1-3", 2)), 0, Verdict::Admitted),
        (sign(ticket("A-1-2", 2)), 0, Verdict::Admitted),
        (good.clone(), 0, Verdict::Admitted),
        (good, 1, Verdict::Already),
    ];
    let mut gate = gate("north");
    for (n, (payload, at, said)) in (1..).zip(table) {
        assert_eq!(says(&mut gate, &payload, DOORS + at), said, "{n}: {payload}");
        let noted = gate.scans().of_device("north").last().expect("every scan is noted");
        assert_eq!((noted.n, noted.said), (n, said));
    }
}

#[test]
fn neighbours_of_a_valid_ticket_cannot_be_guessed() {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
    let mut gate = gate("north");
    let payload = ticket("A-1-1", 1).sign(&SEED);
    let bytes = BASE64.decode(&payload[crate::ticket::PREFIX.len()..]).expect("base64");
    for at in 0..bytes.len() {
        let mut bent = bytes.clone();
        bent[at] ^= 1;
        let neighbour = format!("{}{}", crate::ticket::PREFIX, BASE64.encode(bent));
        assert_ne!(says(&mut gate, &neighbour, DOORS), Verdict::Admitted, "byte {at}");
    }
    assert_eq!(says(&mut gate, &payload, DOORS), Verdict::Admitted);
}

/// Two devices, offline for six hours with clocks 90 s off to either side, 500 scans each, every tenth ticket shown at both,
/// in the north 100 s before the south.
fn two_evenings() -> (Gate, Gate) {
    let (mut north, mut south) = (gate("north"), gate("south"));
    for n in 0..500 {
        let at = DOORS + n * 6 * HOUR / 500;
        let seat = |side: &str| if n % 10 == 0 { format!("B-1-{n}") } else { format!("{side}-{n}") };
        for (gate, side, at) in [(&mut north, "N", at + 90_000), (&mut south, "S", at + 100_000 - 90_000)] {
            assert_eq!(gate.answer(Ok(ticket(&seat(side), 1)), WallMs(at)).said, Verdict::Admitted);
        }
    }
    (north, south)
}

#[test]
fn two_devices_that_were_offline_agree_and_drop_nothing() {
    let (north, south) = two_evenings();
    let (mut here, mut there) = (north.scans().clone(), south.scans().clone());
    for _ in 0..2 {
        // Twice, since nobody knows whether the first time got through.
        south.scans().iter().for_each(|scan| here.merge(scan.clone()).expect("no contradiction"));
        north.scans().iter().for_each(|scan| there.merge(scan.clone()).expect("no contradiction"));
    }
    assert_eq!(here, there, "both know the same, whoever began");
    let report = here.report();
    assert_eq!((report.scans, report.tickets, report.doubles), (1_000, 950, 50));
    assert_eq!(report.conflicts.len(), 50, "each ticket that was let in twice is reported");
    assert!(report.conflicts.iter().all(|conflict| conflict.first.device == "south"), "80 s earlier by the clocks");
    assert_eq!(report.tickets + report.doubles + report.refused.values().sum::<usize>(), report.scans);

    // After they have met, neither lets in what the other did.
    let mut north = Gate::new("north", list(), here).expect("the same list");
    assert_eq!(says(&mut north, &ticket("S-1", 1).sign(&SEED), DOORS + 7 * HOUR), Verdict::Already);
    assert_eq!(north.scans().of_device("north").count(), 501);
}

#[test]
fn without_meeting_the_same_ticket_is_let_in_twice() {
    // The twin: what the exchange of scans is there for.
    let (mut north, mut south) = (gate("north"), gate("south"));
    let payload = ticket("A-1-1", 1).sign(&SEED);
    assert_eq!(says(&mut north, &payload, DOORS), Verdict::Admitted);
    assert_eq!(says(&mut south, &payload, DOORS + 1), Verdict::Admitted);
}

#[test]
fn one_name_for_two_devices_is_found_and_changes_nothing() {
    let (mut one, mut two) = (gate("north"), gate("north"));
    says(&mut one, &ticket("A-1-1", 1).sign(&SEED), DOORS);
    says(&mut two, &ticket("A-1-4", 1).sign(&SEED), DOORS);
    let mut scans = one.scans().clone();
    let scan = two.scans().iter().next().expect("one scan").clone();
    assert_eq!(scans.merge(scan), Err(Contradiction { device: "north".into(), n: 1 }));
    assert_eq!(&scans, one.scans());
}

#[test]
fn a_device_never_goes_back_to_an_older_list() {
    let mut north = gate("north");
    says(&mut north, "anything", DOORS);
    let older = list_of(&[], DOORS - 2 * HOUR);
    assert_eq!(Gate::new("north", older.clone(), north.scans().clone()).err(), Some(BadList::Older));
    assert!(Gate::new("south", older, north.scans().clone()).is_ok(), "another device had none yet");
}
