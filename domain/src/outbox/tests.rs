//! Messages as tables.

use super::*;
use crate::ids::AccountId;
use crate::items::{Order, OrderState, OutKind, OutMessage, OutState, Places, SeatLine, key};
use crate::keys::MasterKeys;
use crate::plan::memory::World;
use crate::plan::{Decided, Item, Value};
use crate::time::{EventMs, WallMs};

const NOW: WallMs = WallMs(1_800_000_000_000);

/// An order of two seats.
pub fn order() -> Order {
    let line = |seat: &str| SeatLine {
        seat: seat.parse().expect("an id"),
        block: "A".parse().expect("an id"),
        level: "front".into(),
        price_type: None,
        price_minor: 5_000,
        fee_minor: 500,
    };
    Order {
        id: "AAAAAAAAAAAAAAAAAAAAAA".parse().expect("an id"),
        event: "demo".parse().expect("an id"),
        account: AccountId::derive("dev", "ada"),
        hold: "AAAAAAAAAAAAAAAAAAAAAQ".parse().expect("an id"),
        state: OrderState::Delivered,
        places: Places { seats: vec![line("A-1-1"), line("A-1-2")], pools: vec![] },
        total_minor: 11_000,
        currency: "EUR".into(),
        attempt: 1,
        method: "pm_secret".into(),
        intent: Some("pi_1".into()),
        deadline: EventMs(0),
        hold_until: EventMs(0),
        lost: vec![],
        reason: None,
        decline: None,
        card: Some("cardprint".into()),
        fingerprint: "fp".into(),
        back: vec![],
        gone: vec![],
        parts: 0,
        tries: 0,
        lines: 0,
        created: NOW,
        updated: EventMs(0),
    }
}

fn note(order: Order) -> Note {
    Note { order, known: vec![], handed: vec![("A-1-1".into(), 1), ("A-1-2".into(), 2)], now: NOW }
}

fn world(order: &Order) -> World {
    let mut world = World::default();
    world.put(order.to_item());
    world
}

fn stored(world: &World) -> Vec<OutMessage> {
    let pk = key::order(&order().id).pk;
    world.query(&pk, key::OUT).map(|item| OutMessage::from_item(item).expect("readable")).collect()
}

#[test]
fn a_state_implies_all_that_came_before() {
    use OutKind::{Cancelled, Captured, Confirmed, Issued, Reduced, Refunded, Released};
    let table: [(OrderState, u32, &[OutKind]); 13] = [
        (OrderState::Paying, 0, &[]),
        (OrderState::Declined, 0, &[]),
        (OrderState::SeatsGone, 0, &[]),
        (OrderState::Confirmed, 0, &[Confirmed]),
        (OrderState::Captured, 0, &[Confirmed, Captured]),
        (OrderState::Captured, 1, &[Confirmed, Captured, Issued, Reduced]),
        (OrderState::Delivered, 0, &[Confirmed, Captured, Issued]),
        (OrderState::Delivered, 2, &[Confirmed, Captured, Issued, Reduced]),
        (OrderState::Reducing, 0, &[Confirmed, Captured, Issued]),
        (OrderState::Cancelling, 0, &[Confirmed]),
        (OrderState::Cancelled, 0, &[Confirmed, Cancelled]),
        (OrderState::Refunded, 1, &[Confirmed, Captured, Refunded]),
        (OrderState::Released, 0, &[Confirmed, Released]),
    ];
    for (state, parts, kinds) in table {
        let found = implied(&Order { state, parts, ..order() });
        assert_eq!(found, kinds, "{state} {parts}");
        let ranks: Vec<u32> = found.iter().map(|kind| rank(*kind, parts)).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    }
}

#[test]
fn messages_are_written_once_and_read_back() {
    let mut world = world(&order());
    assert_eq!(world.decide(note(order())), Ok(Decided::Committed));
    let messages = stored(&world);
    assert_eq!(messages, note(order()).missing());
    assert_eq!(world.decide(note(order())), Ok(Decided::Already), "told by another record");
    let moved = Order { state: OrderState::Cancelling, ..order() };
    world.put(moved.to_item());
    assert_eq!(world.decide(note(order())), Err(Stale), "by a slow reader");
    let late = Order { state: OrderState::Refunded, ..order() };
    world.put(late.to_item());
    assert_eq!(world.decide(note(late)), Ok(Decided::Committed), "what is there is passed over");
    assert_eq!(stored(&world).len(), 4);
}

#[test]
fn a_message_has_the_shape_of_an_event_and_nothing_personal() {
    let message = &note(order()).missing()[2];
    let body: serde_json::Value = serde_json::from_str(&message.body).expect("json");
    let expected = serde_json::json!({
        "specversion": "1.0", "id": "AAAAAAAAAAAAAAAAAAAAAA.3", "source": "/v1/events/demo", "type": "onsale.tickets.issued",
        "subject": "AAAAAAAAAAAAAAAAAAAAAA", "time": "2027-01-15T08:00:00Z", "datacontenttype": "application/json",
        "sequence": "000003",
        "data": {"event": "demo", "order": "AAAAAAAAAAAAAAAAAAAAAA", "given_back": [], "pools": [],
            "seats": [
                {"seat": "A-1-1", "level": "front", "type": null, "price_minor": 5000, "fee_minor": 500},
                {"seat": "A-1-2", "level": "front", "type": null, "price_minor": 5000, "fee_minor": 500}],
            "tickets": [{"place": "A-1-1", "revision": 1}, {"place": "A-1-2", "revision": 2}],
            "amount_minor": 11_000, "currency": "EUR"},
    });
    assert_eq!(body, expected);
    let secrets = [order().account.to_string(), "pm_secret".into(), "cardprint".into(), "pi_1".into()];
    assert!(secrets.iter().all(|secret| !message.body.contains(secret)), "{}", message.body);
}

#[test]
fn tickets_are_read_from_a_delivery() {
    let line = |place: &str, revision: i64| Value::L(vec![place.into(), Value::N(revision)]);
    let item = |lines: Vec<Value>| Item::from([("s".to_owned(), Value::L(lines))]);
    assert_eq!(
        tickets(&item(vec![line("A-1-1", 3), line("floor/2", 1)])),
        [("A-1-1".into(), 3), ("floor/2".into(), 1)]
    );
    assert_eq!(tickets(&item(vec![Value::N(1)])), []);
    assert_eq!(tickets(&Item::new()), []);
}

/// A taken message of a fresh world.
fn taken(tries_before: u32) -> (World, OutMessage) {
    let mut world = world(&order());
    world.decide(note(order())).expect("new");
    let message = OutMessage { tries: tries_before, ..stored(&world).remove(0) };
    world.put(message.to_item());
    let take = Take { message, sender: "a".into(), now: NOW };
    assert_eq!(world.decide(take.clone()), Ok(Decided::Committed));
    assert_eq!(world.decide(take.clone()), Ok(Decided::Already), "a lost reply");
    assert_eq!(world.decide(Take { sender: "b".into(), ..take.clone() }), Err(Taken));
    (world, take.taken())
}

#[test]
fn a_try_ends_in_one_of_four_ways() {
    let table = [
        (0, Ended::Acknowledged(204), OutState::Acknowledged, 0, "204"),
        (0, Ended::Failed("503".into()), OutState::Pending, 60_000, "503"),
        (2, Ended::Failed("timeout".into()), OutState::Pending, 1_800_000, "timeout"),
        (7, Ended::Failed("503".into()), OutState::Parked, 0, "503"),
        (0, Ended::Hopeless("private".into()), OutState::Parked, 0, "private"),
    ];
    for (before, end, state, pause, word) in table {
        let (mut world, message) = taken(before);
        world.commit(&ended(&message, &end, NOW, 0)).expect("its own");
        let now = stored(&world).remove(0);
        assert_eq!((now.state, now.tries, now.last.as_deref()), (state, before + 1, Some(word)), "{end:?}");
        let due = if state == OutState::Acknowledged { WallMs(0) } else { NOW.plus(pause) };
        assert_eq!(now.due, due, "{end:?}");
        assert_eq!(now, OutMessage::from_item(&now.to_item()).expect("readable"));
        assert!(world.commit(&ended(&OutMessage { sender: Some("b".into()), ..message }, &end, NOW, 0)).is_err());
    }
}

#[test]
fn pauses_grow_by_a_fifth_at_most_and_end() {
    for (jitter, pause) in [(0, 60_000), (500, 66_000), (999, 71_988), (1_000, 60_000)] {
        let (mut world, message) = taken(0);
        world.commit(&ended(&message, &Ended::Failed("503".into()), NOW, jitter)).expect("its own");
        assert_eq!(stored(&world)[0].due, NOW.plus(pause), "{jitter}");
    }
    assert_eq!(WAITS_S.len() as u32 + 1, MOST_TRIES);
    assert_eq!(WAITS_S.iter().sum::<i64>(), 27 * 3_600 + 36 * 60);
}

#[test]
fn the_lease_of_a_dead_sender_runs_out() {
    let (mut world, _) = taken(0);
    let waits = |world: &World, now| matches!(turn(&stored(world), now), Turn::Wait(_));
    assert!(waits(&world, NOW.plus(LEASE_MS - 1)));
    let message = stored(&world).remove(0);
    assert_eq!(turn(&stored(&world), NOW.plus(LEASE_MS)), Turn::Send(&message));
    let next = Take { message: message.clone(), sender: "b".into(), now: NOW.plus(LEASE_MS) };
    assert_eq!(world.decide(next), Ok(Decided::Committed));
    assert!(world.commit(&ended(&message, &Ended::Acknowledged(200), NOW, 0)).is_err(), "the dead one wakes up");
}

#[test]
fn a_parked_message_lets_the_next_one_go_and_may_be_sent_again() {
    let (mut world, message) = taken(7);
    world.commit(&ended(&message, &Ended::Failed("503".into()), NOW, 0)).expect("its own");
    assert!(matches!(turn(&stored(&world), NOW), Turn::Send(next) if next.kind == OutKind::Captured));
    let parked = stored(&world).remove(0);
    assert_eq!(world.decide(Replay { message: parked.clone(), now: NOW }), Ok(Decided::Committed));
    assert_eq!(world.decide(Replay { message: parked, now: NOW }), Err(Taken), "once");
    let again = stored(&world).remove(0);
    assert_eq!((again.state, again.tries, &again.body), (OutState::Pending, 0, &message.body));
    assert_eq!(turn(&stored(&world), NOW), Turn::Send(&again));
}

#[test]
fn signatures_are_those_of_standard_webhooks() {
    let key = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let key = key.expect("base64");
    let at = WallMs(1_614_265_330_000);
    let signed = signature(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, r#"{"test": 2432232314}"#);
    assert_eq!(
        signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "the example of the specification's libraries"
    );
    assert_eq!(secret(&key), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
}

#[test]
fn each_live_key_signs_and_each_event_has_its_own() {
    let masters = |text: &str| MasterKeys::parse(text).expect("master keys");
    let (old, new) = (format!("1:{}", "A".repeat(43)), format!("2:{}", "B".repeat(42) + "A"));
    let event = "demo".parse().expect("an id");
    let sign = |text: &str| SigningKeys::of(&masters(text), &event).sign("m.1", NOW, "{}");
    assert_eq!(sign(&format!("{new},{old}")), format!("{} {}", sign(&new), sign(&old)));
    let other = SigningKeys::of(&masters(&old), &"other".parse().expect("an id"));
    assert_ne!(other.sign("m.1", NOW, "{}"), sign(&old));
    assert!(!format!("{other:?}").contains("whsec"), "{other:?}");
}
