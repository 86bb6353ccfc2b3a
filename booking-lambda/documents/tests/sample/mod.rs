//! An order in many scripts: four seats and two standing places.

use documents::{Papers, Signer};
use domain::ids::{AccountId, HoldId, OrderId};
use domain::items::{Order, OrderState, Places, PoolLine, SeatLine, Ticket, TicketState};
use domain::layout::SeatIndex;
use domain::plan_import::import;
use domain::time::{EventMs, WallMs};

/// The event's name: Latin with combining marks that no single character stands for, Han, Arabic, emoji.
pub const NAME: &str = "Zoe\u{308}\u{301} & the Night Ferry · 夜航船 · عبّارة الليل 🎟 <live>";
/// The venue: Arabic, so the line runs from right to left, with a number in it.
pub const VENUE: &str = "مسرح الميناء القديم 12";
/// The seed that signs.
pub const SEED: [u8; 32] = [7; 32];

const EVENT: &str = r#"
id = "night-ferry"
name = "@NAME@"
venue = "@VENUE@"
zone = "Europe/Berlin"
opens_at = "2027-03-01T10:00"
ends_at = "2027-06-12T23:00"
currency = "EUR"
plan = "none"
[limits]
per_account = 6
[show]
starts_at = "2027-06-12T20:00"
doors_at = "2027-06-12T18:30"
address = "شارع البحر ٧"
entrance = "Main gate"
[show.entrances]
A = "西门 West"
[[levels]]
id = "front"
category = "Front"
name = "Vordere Plätze"
[[levels.types]]
id = "adult"
name = "Взрослый"
price = "95.00"
[[levels.types]]
id = "child"
name = "ילד"
price = "35.00"
[[levels]]
id = "standing"
name = "Standing"
price = "40"
[[pools]]
id = "floor"
name = "ลานยืน हिन्दी 서울"
level = "standing"
capacity = 100
"#;

const PLAN: &str = r##"{"name":"Hall","size":{"width":10,"height":10},"categories":[{"name":"Front","color":"#c2410c"}],
"zones":[{"name":"西看台","zone_id":"A","position":{"x":1,"y":2},"areas":[],"rows":[{"row_number":"ب","position":{"x":0.5,"y":0},
"seats":[{"seat_guid":"A-1-1","seat_number":"1","position":{"x":0.25,"y":0},"category":"Front"},
{"seat_guid":"A-1-2","seat_number":"Q\u0303\u0323 7","position":{"x":0.75,"y":0},"category":"Front"}]}]}]}"##;

/// The papers.
pub fn papers() -> Papers {
    let event = EVENT.replace("@NAME@", NAME).replace("@VENUE@", VENUE);
    let imported = import(&event, PLAN).unwrap_or_else(|findings| panic!("{findings:?}"));
    let (definition, layout) = (imported.definition, imported.layout);
    let order = order(definition.id.as_str());
    let ticket = |seat: &str| Ticket { seat: seat.into(), order: order.id, revision: 3, state: TicketState::Valid };
    let tickets = ["A-1-1", "A-1-2", "floor/1", "floor/2", "gone.9"].map(ticket);
    let index = SeatIndex::of(&layout);
    Papers::of(&definition, (&layout, &index), &order, &tickets, &Signer { key_id: 1, seed: SEED })
}

fn order(event: &str) -> Order {
    let seat = |id: &str, price_type: &str| SeatLine {
        seat: id.parse().expect("a seat"),
        block: "A".parse().expect("a block"),
        level: "front".into(),
        price_type: Some(price_type.into()),
        price_minor: 9_500,
        fee_minor: 0,
    };
    let floor = PoolLine {
        pool: "floor".parse().expect("a pool"),
        share: 0,
        quantity: 2,
        level: "standing".into(),
        price_type: None,
        price_minor: 4_000,
        fee_minor: 0,
    };
    Order {
        id: OrderId::from_bytes([9; 16]),
        event: event.parse().expect("an event"),
        account: AccountId::derive("dev", "ada"),
        hold: HoldId::from_bytes([1; 16]),
        state: OrderState::Captured,
        places: Places { seats: vec![seat("A-1-1", "adult"), seat("A-1-2", "child")], pools: vec![floor] },
        total_minor: 21_000,
        currency: "EUR".into(),
        attempt: 1,
        method: "pm_card_visa".into(),
        intent: None,
        deadline: EventMs(0),
        hold_until: EventMs(0),
        lost: Vec::new(),
        reason: None,
        decline: None,
        card: None,
        fingerprint: String::new(),
        back: Vec::new(),
        gone: Vec::new(),
        parts: 0,
        tries: 0,
        lines: 0,
        created: WallMs(1_803_900_000_000),
        updated: EventMs(0),
    }
}
