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
        ("/address", serde_json::json!("a\nb"), "address"),
        ("/description", serde_json::json!("x".repeat(1_001)), "description"),
        ("/point", serde_json::json!({"latitude": 91.0, "longitude": 0.0}), "point"),
        ("/starts_local", serde_json::json!("2027-06-12T20:00:00+02:00"), "starts_local"),
        ("/opens_at_ms", serde_json::json!(1_800_000_000), "opens_at_ms"),
        ("/ends_at_ms", serde_json::json!(1_800_000_000_000_i64), "ends_at_ms"),
        ("/shards", serde_json::json!(0), "shards"),
        ("/rate_per_minute", serde_json::json!(0), "rate_per_minute"),
        ("/tickets_per_order", serde_json::json!(0.5), "tickets_per_order"),
        ("/max_per_account", serde_json::json!(0), "max_per_account"),
        ("/claim_window_ms", serde_json::json!(-1), "claim_window_ms"),
        ("/beat_ms", serde_json::json!(0), "beat_ms"),
        ("/forget_after_ms", serde_json::json!(0), "forget_after_ms"),
        ("/forget_after_ms", serde_json::json!(401 * DAY_MS), "forget_after_ms"),
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
        let (around, name) = at.rsplit_once('/').expect("a pointer");
        odd.pointer_mut(around).expect("what the field is in")[name] = value;
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

#[test]
fn who_stood_in_line_is_forgotten_thirty_days_after_the_end_unless_told_otherwise() {
    let mut told = json();
    assert_eq!(event().forgets_at(), event().ends_at_ms.plus(30 * DAY_MS));
    told["forget_after_ms"] = serde_json::json!(7 * DAY_MS);
    assert_eq!(read(&told).expect("good").forgets_at(), event().ends_at_ms.plus(7 * DAY_MS));
}

fn event() -> EdgeEvent {
    read(&json()).expect("a good event")
}

fn lane(id: &str, share_percent: u8, access: crate::lane::Access) -> crate::lane::Lane {
    crate::lane::Lane { id: id.into(), name: id.into(), share_percent, access, claims: vec![] }
}

#[test]
fn lanes_and_registration_make_sense_or_are_named() {
    use crate::lane::Access::{Claims, Codes, Invitation};
    let registration = |opens: i64, draws: i64| {
        let at = |ms: i64| event().opens_at_ms.plus(ms);
        Some(crate::registration::Registration { opens_at_ms: at(opens), draws_at_ms: at(draws), invited: 10 })
    };
    let (club, won) = (lane("club", 20, Codes), lane("won", 30, Invitation));
    let cases = [
        ("a presale", vec![club.clone()], None, vec![]),
        ("a lottery", vec![club.clone(), won.clone()], registration(-9_000, -5_000), vec![]),
        ("an id twice", vec![club.clone(), club.clone()], None, vec!["lanes[1].id"]),
        ("an odd id", vec![lane("Club", 20, Codes)], None, vec!["lanes[0].id"]),
        ("nothing left for the main line", vec![lane("a", 60, Codes), lane("b", 40, Codes)], None, vec!["lanes"]),
        ("no share", vec![lane("a", 0, Codes)], None, vec!["lanes[0].share_percent"]),
        ("claims that are not named", vec![lane("a", 10, Claims)], None, vec!["lanes[0].claims"]),
        ("nobody invites", vec![won.clone()], None, vec!["lanes[0].access"]),
        ("nobody comes by it", vec![club], registration(-9_000, -5_000), vec!["registration"]),
        ("drawn too late", vec![won.clone()], registration(-9_000, 0), vec!["registration.draws_at_ms"]),
        ("drawn at once", vec![won], registration(-5_000, -5_000), vec!["registration.draws_at_ms"]),
    ];
    for (name, lanes, registration, want) in cases {
        let found = check(&EdgeEvent { lanes, registration, ..event() });
        assert_eq!(found.iter().map(|finding| finding.field.as_str()).collect::<Vec<_>>(), want, "{name}: {found:?}");
    }
}

#[test]
fn a_lane_keeps_its_number_and_its_way_in_once_people_are_there() {
    use crate::lane::Access::{Claims, Codes};
    let with = |lanes: Vec<crate::lane::Lane>| EdgeEvent { lanes, ..event() };
    let old = with(vec![lane("club", 20, Codes), lane("fans", 10, Codes)]);
    let fields = |new: &EdgeEvent, joined| check_change(&old, new, joined, WallMs(0)).len();
    let more = with(vec![lane("club", 5, Codes), lane("fans", 10, Codes), lane("press", 1, Codes)]);
    let swapped = with(vec![lane("fans", 10, Codes), lane("club", 20, Codes)]);
    let opened = with(vec![lane("club", 20, Claims), lane("fans", 10, Codes)]);
    assert_eq!([fields(&more, 1), fields(&swapped, 1), fields(&opened, 1), fields(&with(vec![]), 1)], [0, 1, 1, 1]);
    assert_eq!([fields(&swapped, 0), fields(&with(vec![]), 0)], [0, 0]);
}

#[test]
fn every_line_has_its_opening_and_its_shards() {
    use crate::lane::{Access::Invitation, MAIN, REGISTRATION};
    let draws_at_ms = event().opens_at_ms.plus(-5_000);
    let registration = crate::registration::Registration { opens_at_ms: WallMs(1), draws_at_ms, invited: 10 };
    let event =
        EdgeEvent { shards: 64, lanes: vec![lane("won", 30, Invitation)], registration: Some(registration), ..event() };
    assert_eq!(event.lines().collect::<Vec<_>>(), [MAIN, 1, REGISTRATION]);
    assert_eq!([MAIN, 1, REGISTRATION].map(|line| event.shards_of(line)), [64, 4, 4]);
    assert_eq!([MAIN, 1].map(|line| event.opening_of(line)), [event.opens_at_ms; 2]);
    assert_eq!(event.opening_of(REGISTRATION), draws_at_ms);
}

#[test]
fn a_page_says_what_machines_understand_and_no_text_ends_its_element() {
    let mut json = json();
    json["name"] = "Night </script><b>".into();
    json["description"] = "One night only.".into();
    json["address"] = "Quay 1".into();
    json["starts_at_ms"] = 1_812_823_200_000_i64.into();
    json["starts_local"] = "2027-06-12T20:00:00+02:00".into();
    json["point"] = serde_json::json!({"latitude": 53.54, "longitude": 9.98});
    let head = read(&json).expect("nothing is wrong with it").head("https://shop.example/e/demo");
    assert_eq!(head.title, "Night </script><b> · Stadium");
    assert_eq!(head.description, "One night only. Night </script><b>: Stadium, 2027-06-12.");
    assert!(!head.event_json.contains('<'), "{}", head.event_json);
    let said: serde_json::Value = serde_json::from_str(&head.event_json).expect("JSON");
    assert_eq!((&said["@type"], &said["name"]), (&"Event".into(), &"Night </script><b>".into()));
    assert_eq!(
        (&said["startDate"], &said["endDate"]),
        (&"2027-06-12T20:00:00+02:00".into(), &"2027-01-16T11:46:40Z".into())
    );
    assert_eq!((&said["location"]["address"], &said["location"]["geo"]["latitude"]), (&"Quay 1".into(), &53.54.into()));
    assert_eq!((&said["offers"]["lowPrice"], &said["offers"]["priceCurrency"]), (&"55.00".into(), &"EUR".into()));
    json.as_object_mut().expect("an object").retain(|name, _| name != "starts_local");
    let bare = read(&json).expect("nothing is wrong with it").head("https://shop.example/e/demo");
    assert!(bare.event_json.contains("WebPage") && !bare.event_json.contains("startDate"), "no start, no event");
}
