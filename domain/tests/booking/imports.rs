//! Events and plans, good and bad: every finding is named.

use domain::layout::{Layout, SeatIndex};
use domain::plan_import::{Code, import};

pub const EVENT: &str = r#"
id = "night"
name = "A night"
venue = "Hall"
zone = "Europe/Berlin"
opens_at = "2027-03-01T10:00"
ends_at = "2027-06-12T23:00"
currency = "EUR"
plan = "plan.json"
accessible = ["A-1-1"]
companion = ["A-1-2"]

[limits]
per_account = 6

[[levels]]
id = "front"
category = "Front"
price = "95.00"
fee = "9.50"

[[levels]]
id = "standing"
name = "Standing"
price = "40"

[[pools]]
id = "floor"
name = "Floor"
level = "standing"
capacity = 100
shares = 3
"#;

pub const PLAN: &str = r##"{"name":"Hall","size":{"width":10,"height":10},"categories":[{"name":"Front","color":"#c2410c"}],
"zones":[{"name":"West","zone_id":"A","position":{"x":1,"y":2},"areas":[],"rows":[{"row_number":"1","position":{"x":0.5,"y":0},
"seats":[{"seat_guid":"A-1-1","seat_number":"1","position":{"x":0.25,"y":0},"category":"Front"},
{"seat_guid":"A-1-2","seat_number":"2","position":{"x":0.75,"y":0},"category":"Front"},
{"seat_guid":"odd.3","seat_number":"3","position":{"x":1.255,"y":0},"category":"Front"}]}]}]}"##;

fn codes(event: &str, plan: &str) -> Vec<Code> {
    import(event, plan).expect_err("something is wrong").into_iter().map(|f| f.code).collect()
}

pub fn edit(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn a_good_event_is_read() {
    let imported = import(EVENT, PLAN).unwrap();
    let definition = &imported.definition;
    assert_eq!(definition.opens_at_ms.0, 1_803_891_600_000, "10:00 in Berlin is 09:00 UTC in March");
    assert_eq!(definition.ends_at_ms.0, 1_812_834_000_000, "23:00 in Berlin is 21:00 UTC in June");
    assert_eq!(
        (
            definition.levels[0].price.price_minor,
            definition.levels[0].price.fee_minor,
            definition.levels[1].price.price_minor
        ),
        (9500, 950, 4000)
    );
    assert_eq!((definition.limits.per_card, definition.pools[0].shares), (12, 3));
    assert_eq!(imported.layout.levels[0].total_minor, 10_450);
    let index = SeatIndex::of(&imported.layout);
    assert_eq!(index.get(&"A-1-1".parse().unwrap()).unwrap().kind, 1);
    assert_eq!(index.get(&"odd.3".parse().unwrap()).unwrap().index, 2);
    assert_eq!(imported.layout.sections[0].rows[0].seats[0].x, 1.75);
}

#[test]
fn the_edge_reads_its_view() {
    let imported = import(EVENT, PLAN).unwrap();
    let edge = imported.definition.to_edge_json();
    assert_eq!(edge["levels"][0]["total_minor"], 10_450);
    let read: Result<domain::edge_event::EdgeEvent, _> = serde_json::from_value(edge);
    assert!(read.is_ok(), "{read:?}");
}

#[test]
fn definitions_and_layouts_read_back() {
    let imported = import(EVENT, PLAN).unwrap();
    let json = serde_json::to_string(&imported.definition).unwrap();
    assert_eq!(serde_json::from_str::<domain::plan_import::EventDefinition>(&json).unwrap(), imported.definition);
    let json = serde_json::to_string(&imported.layout).unwrap();
    assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), imported.layout);
}

#[test]
fn each_mistake_in_an_event_has_its_code() {
    let cases = [
        ("id = \"night\"", "id = \"Night!\"", Code::EventId),
        ("name = \"A night\"", "", Code::Missing),
        ("name = \"A night\"", "name = \"\"", Code::Text),
        ("name = \"A night\"", "name = 7", Code::WrongType),
        ("venue", "venu", Code::UnknownKey),
        ("Europe/Berlin", "Europe/Atlantis", Code::Zone),
        ("2027-03-01T10:00", "2027-13-01T10:00", Code::Time),
        ("2027-03-01T10:00", "soon", Code::Time),
        ("2027-03-01T10:00", "9027-03-01T10:00", Code::Time),
        ("2027-03-01T10:00", "2027-03-28T02:30", Code::TimeSkipped),
        ("2027-06-12T23:00", "2027-10-31T02:30", Code::TimeTwice),
        ("2027-06-12T23:00", "2027-02-12T23:00", Code::EndsBeforeOpens),
        ("\"EUR\"", "\"EUX\"", Code::Currency),
        ("95.00", "95.001", Code::Price),
        ("95.00", "-1", Code::Price),
        ("95.00", "1e9", Code::Price),
        ("per_account = 6", "per_account = 0", Code::Range),
        ("per_account = 6", "per_account = 41", Code::Range),
        ("capacity = 100", "capacity = 0", Code::Range),
        ("shares = 3", "shares = 17", Code::Range),
        ("level = \"standing\"", "level = \"seated\"", Code::UnknownLevel),
        ("id = \"standing\"", "id = \"front\"", Code::DuplicateLevel),
        ("category = \"Front\"", "category = \"Back\"", Code::UnpricedCategory),
        ("companion = [\"A-1-2\"]", "companion = [\"A-9-9\"]", Code::UnknownSeat),
        ("companion = [\"A-1-2\"]", "companion = [\"A-1-1\"]", Code::UnknownSeat),
        ("companion = [\"A-1-2\"]", "companion = [\"A 1\"]", Code::Id),
        ("id = \"front\"", "id = \"4242424242424242\"", Code::CardNumber),
        ("id = \"floor\"", "id = \"floor-4242-4242-4242-4242\"", Code::CardNumber),
        ("[limits]", "[limits", Code::EventUnreadable),
    ];
    for (from, to, code) in cases {
        assert!(codes(&edit(EVENT, from, to), PLAN).contains(&code), "{to}: {code:?}");
    }
}

const SHOW: &str = r#"
[show]
starts_at = "2027-06-12T20:00"
doors_at = "2027-06-12T18:30"
address = "Hall Street 1"
latitude = 53.54
longitude = 9
entrance = "Main gate"
[show.entrances]
A = "西门 · West"
[[levels]]
id = "front""#;

#[test]
fn tickets_are_told_of_the_show() {
    let event = edit(EVENT, "\n[[levels]]\nid = \"front\"", SHOW);
    let definition = import(&event, PLAN).unwrap().definition;
    let show = definition.show.as_ref().unwrap();
    assert_eq!(show.starts_at_ms.0, 1_812_823_200_000, "20:00 in Berlin is 18:00 UTC in June");
    assert_eq!(show.doors_at_ms.map(|doors| show.starts_at_ms.0 - doors.0), Some(5_400_000));
    assert_eq!((show.entrance_of("A"), show.entrance_of("floor")), (Some("西门 · West"), Some("Main gate")));
    assert_eq!(show.point.map(|point| (point.latitude, point.longitude)), Some((53.54, 9.0)));
    assert_eq!(definition.to_edge_json()["starts_at_ms"], 1_812_823_200_000_i64);
    assert_eq!(definition.to_edge_json()["starts_local"], "2027-06-12T20:00:00+02:00");
    let text = serde_json::to_string(&definition).unwrap();
    assert_eq!(serde_json::from_str::<domain::plan_import::EventDefinition>(&text).unwrap(), definition);
    assert!(import(EVENT, PLAN).unwrap().definition.show.is_none());
    let table = [
        ("A = \"西门 · West\"", "B = \"x\"", Code::UnknownSection),
        ("A = \"西门 · West\"", "A = 1", Code::WrongType),
        ("18:30", "20:01", Code::ShowTimes),
        ("2027-06-12T20:00", "2027-06-12T23:00", Code::ShowTimes),
        ("2027-06-12T20:00", "soon", Code::Time),
        ("starts_at", "begins_at", Code::UnknownKey),
        ("longitude = 9\n", "", Code::Missing),
        ("latitude = 53.54\n", "", Code::Missing),
        ("53.54", "91", Code::Range),
        ("53.54", "\"north\"", Code::WrongType),
    ];
    for (from, to, code) in table {
        assert!(codes(&edit(&event, from, to), PLAN).contains(&code), "{from} {to}");
    }
}

#[test]
fn each_mistake_in_a_plan_has_its_code() {
    let cases = [
        ("A-1-2", "A-1-1", Code::DuplicateSeatId),
        ("\"seat_number\":\"2\"", "\"seat_number\":\"1\"", Code::DuplicateLabel),
        ("\"category\":\"Front\"}]", "\"category\":\"Back\"}]", Code::UnknownCategory),
        ("odd.3", "odd 3", Code::Id),
        ("odd.3", "4242424242424242", Code::CardNumber),
        ("odd.3", "A-4242-4242-4242-4242", Code::CardNumber),
        ("\"zone_id\":\"A\"", "\"zone_id\":\"4242424242424242\"", Code::CardNumber),
        ("\"zone_id\":\"A\"", "\"zone_id\":\"A~2\"", Code::Id),
        ("\"x\":1.255", "\"x\":1e300", Code::Position),
        ("\"zones\"", "\"zonen\"", Code::PlanUnreadable),
    ];
    for (from, to, code) in cases {
        assert!(codes(EVENT, &edit(PLAN, from, to)).contains(&code), "{to}: {code:?}");
    }
    for cut in [10, 100, PLAN.len() - 1] {
        assert_eq!(codes(EVENT, &PLAN[..cut]), [Code::PlanTruncated], "cut at {cut}");
    }
}

/// Long numbers that no card has are ids like others.
#[test]
fn a_long_number_is_an_id() {
    for id in ["4242424242424243", "424242424242", "A-4242-4242-4242-4243"] {
        assert!(import(EVENT, &edit(PLAN, "odd.3", id)).is_ok(), "{id}");
    }
}

#[test]
fn all_findings_come_at_once() {
    let event = edit(&edit(EVENT, "\"EUR\"", "\"EUX\""), "Europe/Berlin", "Nowhere");
    let found = codes(&event, &PLAN[..50]);
    assert!([Code::Currency, Code::Zone, Code::PlanTruncated].iter().all(|c| found.contains(c)), "{found:?}");
    let plan = edit(&edit(PLAN, "A-1-2", "A-1-1"), "odd.3", "odd 3");
    let found = codes(EVENT, &plan);
    assert!(found.contains(&Code::DuplicateSeatId) && found.contains(&Code::Id), "{found:?}");
}

#[test]
fn an_event_without_seats_needs_a_pool() {
    let plan = r#"{"size":{"width":1,"height":1},"categories":[],"zones":[]}"#;
    let bare = &EVENT[..EVENT.find("[[levels]]").unwrap()];
    let bare = bare.replace("accessible = [\"A-1-1\"]", "").replace("companion = [\"A-1-2\"]", "");
    let levels = "[[levels]]\nid = \"standing\"\nprice = \"40\"\n";
    assert_eq!(codes(&format!("{bare}{levels}"), plan), [Code::NoSeats]);
    let pool = "[[pools]]\nid = \"floor\"\nname = \"Floor\"\nlevel = \"standing\"\ncapacity = 5\n";
    assert!(import(&format!("{bare}{levels}{pool}"), plan).is_ok());
}

/// B-71: made in winter, held in summer.
#[test]
fn times_stand_across_clock_changes() {
    let at = |text: &str| import(&edit(EVENT, "2027-03-01T10:00", text), PLAN).unwrap().definition.opens_at_ms.0;
    assert_eq!(at("2027-03-28T03:30"), at("2027-03-28T01:30:00Z"));
    assert_eq!(
        at("2027-05-01T10:00") - at("2027-03-01T10:00"),
        (61 * 24 - 1) * 3_600_000,
        "one hour is skipped in between"
    );
}

#[test]
fn checks_at_the_door_are_read_and_reach_the_edge() {
    let checks =
        "\n[door.checks]\nchallenge = \"work\"\nclaims = [\"phone\"]\ndeny = [\"203.0.113.0/24\", \"2001:db8::/32\"]\n";
    let imported = import(&format!("{EVENT}{checks}"), PLAN).unwrap();
    let id = imported.definition.id.clone();
    let edge = imported.definition.to_edge_json().to_string();
    let edge = domain::edge_event::EdgeEvent::read(edge.as_bytes(), &id).expect("the edge takes it");
    assert_eq!(edge.checks, imported.definition.door.checks);
    assert!(edge.checks.denies("2001:db8::1".parse().unwrap()) && edge.checks.account_per_minute == 300);
    let bad = [
        ("challenge = \"riddle\"", Code::Word),
        ("claims = [\"charm\"]", Code::Word),
        ("deny = [\"everybody\"]", Code::Word),
        ("work_bits = 40", Code::Range),
        ("chalenge = \"work\"", Code::UnknownKey),
    ];
    for (line, code) in bad {
        assert_eq!(codes(&format!("{EVENT}\n[door.checks]\n{line}\n"), PLAN), [code], "{line}");
    }
}
