//! Good events read; every nonsense is named, all at once.

use super::*;

fn json() -> serde_json::Value {
    serde_json::json!({
        "id": "demo", "name": "Demo", "venue": "Stadium", "opens_at_ms": 1_800_000_000_000_i64, "zone": "Europe/Berlin",
        "currency": "EUR", "shards": 4, "rate_per_minute": 2000, "tickets_per_order": 2.5, "max_per_account": 6,
        "claim_window_ms": 300_000, "session_ms": 900_000, "grace_ms": 3_000, "beat_ms": 1_000, "idle_beat_ms": 30_000,
        "ends_at_ms": 1_800_100_000_000_i64, "rehearsal": false, "layout_version": "1",
        "levels": [{"id": "front", "name": "Front", "price_minor": 5000, "fee_minor": 500, "total_minor": 5500}],
        "checks": {},
        "pools": [{"id": "floor", "name": "Floor", "capacity": 500, "level": "front"}],
    })
}

fn demo() -> EventId {
    "demo".parse().expect("a valid id")
}

fn read(json: &serde_json::Value) -> Result<EdgeEvent, Vec<Finding>> {
    EdgeEvent::read(json.to_string().as_bytes(), &demo())
}

#[test]
fn a_good_event_reads_and_writes_the_same() {
    let event = read(&json()).expect("nothing is wrong with it");
    let again = serde_json::to_vec(&event).expect("events serialise");
    assert_eq!(EdgeEvent::read(&again, &demo()), Ok(event));
}

#[test]
fn left_out_spans_have_the_usual_values() {
    let mut short = json();
    let fields = short.as_object_mut().expect("an object");
    for field in [
        "shards",
        "tickets_per_order",
        "claim_window_ms",
        "session_ms",
        "grace_ms",
        "beat_ms",
        "idle_beat_ms",
        "rehearsal",
    ] {
        fields.remove(field);
    }
    assert_eq!(read(&short), read(&json()));
}

#[test]
fn each_nonsense_is_named() {
    let cases = [
        ("/name", serde_json::json!(" "), "name"),
        ("/venue", serde_json::json!("a\u{0}b"), "venue"),
        ("/zone", serde_json::json!("Mars Base"), "zone"),
        ("/opens_at_ms", serde_json::json!(1_800_000_000), "opens_at_ms"),
        ("/ends_at_ms", serde_json::json!(1_800_000_000_000_i64), "ends_at_ms"),
        ("/shards", serde_json::json!(0), "shards"),
        ("/rate_per_minute", serde_json::json!(0), "rate_per_minute"),
        ("/tickets_per_order", serde_json::json!(0.5), "tickets_per_order"),
        ("/max_per_account", serde_json::json!(0), "max_per_account"),
        ("/claim_window_ms", serde_json::json!(-1), "claim_window_ms"),
        ("/beat_ms", serde_json::json!(0), "beat_ms"),
        ("/levels", serde_json::json!([]), "levels"),
        ("/levels/0/total_minor", serde_json::json!(1), "levels[0].total_minor"),
        ("/levels/0/id", serde_json::json!(""), "levels[0].id"),
        ("/pools/0/level", serde_json::json!("back"), "pools[0].level"),
        ("/pools/0/capacity", serde_json::json!(0), "pools[0].capacity"),
        ("/checks", serde_json::json!({"work_bits": 3}), "checks.work_bits"),
        ("/checks", serde_json::json!({"joins_per_second": 0}), "checks.joins_per_second"),
        ("/checks", serde_json::json!({"deny": ["203.0.113.0/33"]}), "event"),
        ("/checks", serde_json::json!({"claims": ["charm"]}), "event"),
        ("/checks", serde_json::json!({"chalenge": "work"}), "event"),
        ("/id", serde_json::json!("other"), "id"),
        ("/currency", serde_json::json!("EURO"), "event"),
        ("/shards", serde_json::json!("four"), "event"),
    ];
    for (at, value, field) in cases {
        let mut odd = json();
        *odd.pointer_mut(at).expect("the field is there") = value;
        let found = read(&odd).expect_err("nonsense");
        assert!(found.iter().any(|f| f.field == field), "{at}: {found:?}");
    }
}

#[test]
fn all_findings_at_once() {
    let mut odd = json();
    for (at, value) in [
        ("/name", serde_json::json!("")),
        ("/shards", serde_json::json!(0)),
        ("/levels/0/fee_minor", serde_json::json!(-1)),
    ] {
        *odd.pointer_mut(at).expect("the field is there") = value;
    }
    let level = odd["levels"][0].clone();
    odd["levels"].as_array_mut().expect("a list").push(level);
    let fields: Vec<_> = read(&odd).expect_err("nonsense").into_iter().map(|f| f.field).collect();
    for field in ["name", "shards", "levels[1].id", "levels[0].price_minor", "levels[0].total_minor"] {
        assert!(fields.iter().any(|f| f == field), "{field} in {fields:?}");
    }
}

#[test]
fn truncated_json_is_a_finding() {
    let text = json().to_string();
    assert!((0..text.len()).all(|cut| EdgeEvent::read(&text.as_bytes()[..cut], &demo()).is_err()));
}

#[test]
fn openings_are_never_backdated_and_shards_never_change_under_people() {
    let old = read(&json()).expect("good");
    let now = old.opens_at_ms.plus(-70_000);
    let change = |ms: i64, shards: u16, joined, now| {
        let new = EdgeEvent { opens_at_ms: old.opens_at_ms.plus(ms), shards, ..old.clone() };
        check_change(&old, &new, joined, now).into_iter().map(|f| f.field).collect::<Vec<_>>()
    };
    assert!(change(60_000, 8, 0, now).is_empty());
    assert!(change(-10_000, 4, 9, now).is_empty());
    assert_eq!(change(-10_001, 4, 0, now), ["opens_at_ms"]);
    assert_eq!(change(60_000, 4, 0, old.opens_at_ms.plus(-1_000)), ["opens_at_ms"]);
    assert_eq!(change(60_000, 4, 0, old.opens_at_ms), ["opens_at_ms"]);
    assert_eq!(change(0, 8, 1, now), ["shards"]);
}

#[test]
fn beats_are_fast_around_the_on_sale_and_aim_at_whole_seconds() {
    let event = read(&json()).expect("good");
    let at = |ms| event.opens_at_ms.plus(ms);
    assert_eq!(event.beat_at(at(-600_001), false), 30_000);
    assert_eq!(event.beat_at(at(-600_001), true), 1_000);
    assert_eq!(event.beat_at(at(-600_000), false), 1_000);
    assert_eq!(event.beat_at(event.ends_at_ms, false), 30_000);
    assert_eq!(event.next_beat(at(1), false), at(1_000));
    assert_eq!(event.next_beat(at(0), false), at(1_000));
}
