//! Quotes: a wish at its prices, and what a hold keeps of them.

use crate::imports::{EVENT, PLAN, edit};
use crate::shop;
use domain::hold::{Release, Take};
use domain::items::{Hold, HoldState};
use domain::layout::SeatIndex;
use domain::plan::Value;
use domain::plan_import::{Imported, import};
use domain::price::{Quote, Unpriced, quote};

const TYPES: &str = r#"fee_percent = "33.33"
[[levels.types]]
id = "adult"
name = "Adult"
price = "10.00"
[[levels.types]]
id = "child"
name = "Child"
price = "4.00"
fee = "0.50"
"#;

/// The event with two price types for the pool's level, and a fee of 33.33 % everywhere.
fn typed() -> Imported {
    let event = edit(EVENT, "fee = \"9.50\"", "fee_percent = \"33.33\"");
    import(&edit(&event, "price = \"40\"\n", TYPES), PLAN).unwrap()
}

fn ask(imported: &Imported, seats: &str, pools: &str) -> Result<Quote, Unpriced> {
    let index = SeatIndex::of(&imported.layout);
    let (seats, pools) = (serde_json::from_str(seats).unwrap(), serde_json::from_str(pools).unwrap());
    let wished: (Vec<_>, Vec<_>) = (seats, pools);
    quote(&imported.definition, &imported.layout, &index, &wished.0, &wished.1)
}

#[test]
fn types_have_prices_and_the_first_is_meant_where_none_is_named() {
    let imported = typed();
    let level = &imported.definition.levels[1];
    assert_eq!((level.price.price_minor, level.types[1].price.price_minor), (1000, 400));
    assert_eq!(imported.layout.levels[1].total_minor, 1334, "all-in, as shown for one place");
    let edge = imported.definition.to_edge_json();
    assert_eq!(edge["levels"][1]["types"][1]["total_minor"], 400 + 50 + 134);
    let id = imported.definition.id.clone();
    assert!(domain::edge_event::EdgeEvent::read(edge.to_string().as_bytes(), &id).is_ok());

    let plain = r#"[{"pool":"floor","quantity":7}]"#;
    let quoted = ask(&imported, "[]", plain).unwrap();
    let fees: Vec<(u32, i64)> = quoted.pools[0].portions.iter().map(|p| (p.quantity, p.fee_minor)).collect();
    assert_eq!(fees, [(3, 334), (4, 333)], "7 × 33.33 % of 10.00 are 23.331");
    assert!(quoted.pools[0].portions.iter().all(|p| p.price_type.as_deref() == Some("adult")));

    let both = r#"[{"pool":"floor","quantity":1},{"pool":"floor","quantity":2,"type":"child"}]"#;
    let quoted = ask(&imported, r#"["A-1-1",{"seat":"A-1-2"}]"#, both).unwrap();
    assert_eq!((quoted.pools.len(), quoted.pools[0].quantity(), quoted.seats.len()), (1, 3, 2));
    assert_eq!((quoted.seats[0].price_minor, quoted.seats[0].price_type.as_deref()), (9500, None));
}

#[test]
fn what_there_is_not_is_named() {
    let imported = typed();
    let cases = [
        (r#"["A-9-9","A-1-1"]"#, "[]", Unpriced::SeatUnknown(vec!["A-9-9".parse().unwrap()])),
        (r#"[{"seat":"A-1-1","type":"child"}]"#, "[]", Unpriced::TypeUnknown("child".into())),
        ("[]", r#"[{"pool":"roof","quantity":1}]"#, Unpriced::PoolUnknown),
        ("[]", r#"[{"pool":"floor","quantity":1,"type":"dog"}]"#, Unpriced::TypeUnknown("dog".into())),
        ("[]", r#"[{"pool":"floor","quantity":1},{"pool":"floor","quantity":1,"type":"adult"}]"#, Unpriced::Twice),
        ("[]", r#"[{"pool":"floor","quantity":4294967295}]"#, Unpriced::TooMany),
    ];
    for (seats, pools, refusal) in cases {
        assert_eq!(ask(&imported, seats, pools), Err(refusal), "{seats} {pools}");
    }
}

#[test]
fn mistakes_in_types_and_fees_are_found() {
    let event = edit(EVENT, "price = \"40\"\n", TYPES);
    let cases = [
        ("id = \"child\"", "id = \"adult\"", "DUPLICATE_TYPE"),
        ("name = \"Child\"\n", "", "MISSING"),
        ("fee_percent = \"33.33\"", "fee_percent = \"101\"", "PRICE"),
        ("fee_percent = \"33.33\"", "fee_percent = \"0.00001\"", "PRICE"),
        ("fee_percent = \"33.33\"", "price = \"40\"", "PRICE"),
        ("fee = \"0.50\"", "fee = \"-1\"", "PRICE"),
        ("fee = \"0.50\"", "fees = \"1\"", "UNKNOWN_KEY"),
    ];
    for (from, to, code) in cases {
        let found = import(&edit(&event, from, to), PLAN).expect_err("a finding");
        assert!(found.iter().any(|f| f.code.as_str() == code), "{to}: {found:?}");
    }
    let dinars = edit(&edit(EVENT, "EUR", "KWD"), "95.00", "95.125");
    let found = import(&dinars, PLAN).expect_err("dinars are charged in steps of ten");
    assert_eq!(found.iter().map(|f| f.code.as_str()).collect::<Vec<_>>(), ["PRICE"]);
    assert!(import(&edit(&dinars, "95.125", "95.120"), PLAN).is_ok());
}

/// A hold keeps the prices of its moment, and a part that is given back takes exactly its own price along.
#[test]
fn totals_are_fixed_when_the_hold_is_made() {
    let mut imported = typed();
    let quoted = ask(&imported, r#"["A-1-1","A-1-2"]"#, "[]").unwrap();
    let mut world = shop::world();
    for line in &quoted.seats {
        let seat = domain::items::Seat::fresh(&shop::event(), &line.block, &line.seat, "front", 0, 0);
        world.put(seat.to_item());
    }
    let take = Take { seats: quoted.seats, ..shop::take(1, "a", &[]) };
    world.decide(take.clone()).unwrap();
    let held = shop::hold(&world, &take.hold);
    // 33.33 % of 95.00 are 31.6635; of two, 63.327.
    assert_eq!(held.total_minor, 2 * 9500 + 6333);
    imported.definition.levels[0].price.price_minor = 1;
    assert_eq!(shop::hold(&world, &take.hold).total_minor, held.total_minor, "a later price moves no hold");
    world.decide(Release::some(held.clone(), held.account, vec!["A-1-1".parse().unwrap()])).unwrap();
    let left = shop::hold(&world, &take.hold);
    assert_eq!((left.state, left.total_minor), (HoldState::Live, 9500 + 3166));
}

/// Records from before there were price types have shorter lines, and are read as they were.
#[test]
fn lines_without_a_type_are_stored_as_ever() {
    let mut world = shop::world();
    let old = shop::held(&mut world, 1, "a", &[0]);
    let stored = |hold: &Hold| hold.to_item()["s"].as_list().unwrap()[0].as_list().unwrap().to_vec();
    assert_eq!(stored(&old).len(), 5);
    let mut new = old.clone();
    new.places.seats[0].price_type = Some("child".into());
    assert_eq!(stored(&new)[5], Value::from("child"));
    assert_eq!((Hold::from_item(&old.to_item()), Hold::from_item(&new.to_item())), (Ok(old), Ok(new)));
}
