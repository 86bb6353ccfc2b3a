//! Commands by phase, openings, roles, keys, and a journal that shows what was done to it.

use super::*;
use crate::edge_event::EdgeEvent;
use crate::keys::MasterKeys;
use crate::pace::{self, BeatFacts, Claims, Operator, PaceState, Pulse};
use crate::status::Phase;
use crate::time::{EventMs, WallMs};
use serde_json::json;

const JOINS: i64 = 1_799_999_000_000;
const OPENS: i64 = 1_800_000_000_000;
const ENDS: i64 = 1_800_003_600_000;

fn event() -> EdgeEvent {
    serde_json::from_value(json!({
        "id": "demo", "name": "Demo", "venue": "Arena", "opens_at_ms": OPENS, "joins_from_ms": JOINS, "ends_at_ms": ENDS,
        "zone": "Europe/Berlin", "currency": "EUR", "rate_per_minute": 600, "max_per_account": 6, "layout_version": "v1",
        "levels": [{ "id": "front", "name": "Front", "price_minor": 5000, "fee_minor": 500, "total_minor": 5500 }],
    }))
    .expect("a good event")
}

fn command(text: &str) -> Command {
    let words: Vec<&str> = text.split(' ').collect();
    let mut body = json!({ "do": words[0] });
    for word in &words[1..] {
        let (key, value) = word.split_once('=').expect("key=value");
        body[key] = value.parse::<i64>().map_or_else(|_| json!(value), |number| json!(number));
    }
    serde_json::from_value(body).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn ordered(orders: &Orders, now: i64, text: &str) -> Result<Change, Refused> {
    decide(&command(text), &Situation { now: WallMs(now), event: &event(), orders })
}

/// The phase that `orders` show at `now` in an on-sale whose beats are good.
fn phase(orders: &Orders, now: i64, sold_out: bool) -> Phase {
    let Orders { paused, stopped, closed, .. } = orders.clone();
    let state = PaceState { sold_out, ..PaceState::default() };
    state.phase(&event().rules(600), &Operator { paused, stopped, closed }, now >= OPENS + 3_000, WallMs(now))
}

/// Commands, and in which of the situations below they are legal (`y`) or refused for what.
const TABLE: [(&str, [&str; 9]); 11] = [
    ("pause reason=rain", ["y", "y", "y", "y", "y", "y", "y", "OVER", "OVER"]),
    (
        "resume",
        ["NOT_PAUSED", "NOT_PAUSED", "NOT_PAUSED", "NOT_PAUSED", "y", "NOT_PAUSED", "NOT_PAUSED", "OVER", "OVER"],
    ),
    ("rate per_minute=5", ["y", "y", "y", "y", "y", "y", "y", "OVER", "OVER"]),
    ("message text=hello", ["y", "y", "y", "y", "y", "y", "y", "y", "y"]),
    ("stop reason=fire", ["y", "y", "y", "y", "y", "y", "y", "OVER", "OVER"]),
    (
        "lift",
        ["NOT_STOPPED", "NOT_STOPPED", "NOT_STOPPED", "NOT_STOPPED", "NOT_STOPPED", "y", "NOT_STOPPED", "OVER", "OVER"],
    ),
    (
        "draw-without-beacon",
        ["NO_BEACON", "NO_BEACON", "NO_BEACON", "NO_BEACON", "NO_BEACON", "NO_BEACON", "NO_BEACON", "OVER", "OVER"],
    ),
    ("revoke", ["y", "y", "y", "y", "y", "y", "y", "OVER", "OVER"]),
    ("close", ["y", "y", "y", "y", "y", "y", "y", "OVER", "OVER"]),
    (
        "open-early opens_at_ms=1799999500000",
        ["y", "y", "OPENED", "OPENED", "OPENED", "OPENED", "OPENED", "OVER", "OVER"],
    ),
    (
        "postpone opens_at_ms=1800000600000",
        ["y", "y", "OPENED", "OPENED", "OPENED", "OPENED", "OPENED", "OVER", "OVER"],
    ),
];

/// The situations: the phase shown, what was ordered, and when.
fn situations() -> [(Phase, Orders, i64, bool); 9] {
    let none = Orders::default();
    let paused = Orders { paused: Some("rain".into()), ..none.clone() };
    let stopped = Orders { stopped: Some("fire".into()), ..none.clone() };
    let closed = Orders { closed: true, ..none.clone() };
    [
        (Phase::Scheduled, none.clone(), JOINS - 1, false),
        (Phase::Prequeue, none.clone(), JOINS, false),
        (Phase::Drawing, none.clone(), OPENS, false),
        (Phase::Open, none.clone(), OPENS + 3_000, false),
        (Phase::Paused, paused, OPENS + 3_000, false),
        (Phase::Stopped, stopped, OPENS + 3_000, false),
        (Phase::SoldOut, none.clone(), OPENS + 3_000, true),
        (Phase::Closed, closed, OPENS + 3_000, false),
        (Phase::Closed, none, ENDS, false),
    ]
}

#[test]
fn every_command_in_every_phase() {
    for (at, (shown, orders, now, sold_out)) in situations().into_iter().enumerate() {
        assert_eq!(phase(&orders, now, sold_out), shown, "situation {at}");
        for (text, wanted) in TABLE {
            let got = match ordered(&orders, now, text) {
                Ok(_) => "y".to_owned(),
                Err(refused) => json!(refused)["reason"].as_str().unwrap_or_default().to_owned(),
            };
            assert_eq!(got, wanted[at], "{text} while {shown:?}");
        }
    }
}

#[test]
fn commands_lead_to_the_phase_they_are_named_for_and_back() {
    let now = OPENS + 3_000;
    let mut orders = Orders::default();
    let steps = [
        ("pause reason=rain", Phase::Paused),
        ("pause reason=hail", Phase::Paused),
        ("stop reason=fire", Phase::Stopped),
        ("resume", Phase::Stopped),
        ("pause reason=rain", Phase::Stopped),
        ("lift", Phase::Paused),
        ("resume", Phase::Open),
        ("close", Phase::Closed),
    ];
    for (text, shown) in steps {
        orders = ordered(&orders, now, text).unwrap_or_else(|refused| panic!("{text}: {refused}")).orders;
        assert_eq!(phase(&orders, now, false), shown, "after {text}");
    }
}

#[test]
fn openings_move_with_notice_and_never_back() {
    let cases = [
        ("open-early opens_at_ms=1799999960000", OPENS - 100_000, "y"),
        ("open-early opens_at_ms=1799999959999", OPENS - 100_000, "TOO_SOON"),
        ("open-early opens_at_ms=1799999899999", OPENS - 100_000, "TOO_SOON"),
        ("open-early opens_at_ms=1800000000000", OPENS - 100_000, "NOT_EARLIER"),
        ("open-early opens_at_ms=1799998999999", JOINS - 100_000, "BEFORE_JOINS"),
        ("postpone opens_at_ms=1800000000001", OPENS - 5_000, "y"),
        ("postpone opens_at_ms=1800000000001", OPENS - 4_999, "TOO_LATE"),
        ("postpone opens_at_ms=1800000000000", OPENS - 5_000, "NOT_LATER"),
        ("postpone opens_at_ms=1800003600000", OPENS - 5_000, "AFTER_END"),
        ("postpone opens_at_ms=1800000000001", OPENS, "OPENED"),
    ];
    for (text, now, wanted) in cases {
        let got = match ordered(&Orders::default(), now, text) {
            Ok(change) => change.opens.map_or("n", |_| "y").to_owned(),
            Err(refused) => json!(refused)["reason"].as_str().unwrap_or_default().to_owned(),
        };
        assert_eq!(got, wanted, "{text} at {now}");
    }
}

#[test]
fn words_and_rates_must_make_sense() {
    let long = format!("pause reason={}", "x".repeat(TEXT_MAX + 1));
    let cases = [
        ("pause reason=\t", Refused::TextMissing),
        ("stop reason=a\u{7}b", Refused::TextUnprintable),
        (long.as_str(), Refused::TextTooLong),
        ("rate per_minute=0", Refused::RateOutOfRange),
        ("rate per_minute=1000001", Refused::RateOutOfRange),
    ];
    for (text, wanted) in cases {
        assert_eq!(ordered(&Orders::default(), OPENS, text), Err(wanted), "{text:?}");
    }
    assert!(serde_json::from_value::<Command>(json!({ "do": "pause" })).is_err(), "a pause has a reason");
    let taken_back = decide(
        &Command::Message { text: None },
        &Situation {
            now: WallMs(OPENS),
            event: &event(),
            orders: &Orders { message: Some("x".into()), ..Orders::default() },
        },
    );
    assert_eq!(taken_back.map(|change| change.orders.message), Ok(None));
}

/// A beat waits for the origin; meanwhile a pause is written and acknowledged. Why orders are read after the last wait: read
/// before it, the beat overruns the pause.
#[test]
fn a_beat_follows_what_was_ordered_while_it_waited() {
    let now = WallMs(OPENS + 10_000);
    let before = Orders::default();
    let after = ordered(&before, now.0, "pause reason=rain").expect("legal").orders;
    let pulse = Pulse { event: EventMs(0), orders_left: 100, unsold: 250, shoppers: 0, orders: 0, stock_age_ms: 0 };
    let admits = |orders: &Orders| {
        let operator =
            Operator { paused: orders.paused.clone(), stopped: orders.stopped.clone(), closed: orders.closed };
        let (rules, claims) = (event().rules(600), Claims::default());
        let facts = BeatFacts {
            now,
            rules: &rules,
            operator: &operator,
            drawn: true,
            given: 500,
            lanes: &[],
            claims,
            late_waiting: 0,
            pulse: Ok(pulse),
        };
        pace::beat(&PaceState { last_good: Some(now.plus(-1_000)), ..PaceState::default() }, &facts).1.step
    };
    assert_eq!(admits(&after), 0, "read after the wait");
    assert_eq!(admits(&before), 10, "read before it: ten people come in after the pause was acknowledged");
}

#[test]
fn every_action_has_its_own_route() {
    for (at, action) in Action::ALL.into_iter().enumerate() {
        let (method, pattern, _) = action.route();
        let path: Vec<&str> = pattern.split('/').skip(1).map(|part| if part == "*" { "ada" } else { part }).collect();
        assert_eq!(Action::of(method, &path), Some((action, pattern.contains('*').then_some("ada"))), "{at}");
    }
    for (method, path) in [("GET", vec!["pause"]), ("POST", vec![]), ("PUT", vec!["operators"]), ("GET", vec!["x"])] {
        assert_eq!(Action::of(method, &path), None, "{method} {path:?}");
    }
    // No way to change or delete lines: the journal can only be read.
    let of_log = Action::ALL.into_iter().filter(|action| action.route().1.starts_with("/log"));
    assert!(of_log.eq([Action::Log]) && Action::Log.route().0 == "GET");
}

#[test]
fn only_keys_that_were_made_here_are_read() {
    let keys = MasterKeys::parse("1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").expect("a good key");
    let both = MasterKeys::parse(
        "2:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE,1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    )
    .expect("two good keys");
    let (demo, other) = ("demo".parse().expect("an id"), "other".parse().expect("an id"));
    let key = OperatorKey::new([7; 16], &keys, &demo);
    let read = OperatorKey::read(key.text(), &both, &demo).expect("made under a live master");
    assert_eq!((read.hash(), key.text().len()), (key.hash(), 43));
    assert!(OperatorKey::read(key.text(), &keys, &other).is_none(), "another event");
    for at in 0..key.text().len() {
        let mut odd = key.text().to_owned();
        let swapped = if &odd[at..=at] == "A" { "B" } else { "A" };
        odd.replace_range(at..=at, swapped);
        assert!(OperatorKey::read(&odd, &keys, &demo).is_none(), "character {at}");
    }
    assert!(OperatorKey::read("", &keys, &demo).is_none());
    assert_eq!(format!("{key:?}"), "OperatorKey(…)");
    for bad in ["", "bootstrap", "Ada", "a b", &"a".repeat(41)] {
        assert!(bad.parse::<OperatorName>().is_err(), "{bad:?}");
    }
}

fn note(what: &str) -> Note {
    let (before, after) =
        changed(&Orders::default(), &Orders { paused: Some("Zürich \"hash\":".into()), ..Orders::default() });
    let (at_ms, who) = (WallMs(OPENS), "ada".to_owned());
    let role = Some("run".to_owned());
    Note { at_ms, who, role, what: what.into(), before, after, refused: None, correlation: "abc".into() }
}

#[test]
fn a_journal_shows_what_was_done_to_it() {
    let mut head = Head::default();
    let mut lines = Vec::new();
    for what in ["pause", "resume", "rate", "close"] {
        let (line, next) = head.append(&note(what));
        lines.push(line);
        head = next;
    }
    let check = |lines: &[String]| verify(Head::default(), lines.iter().map(String::as_str));
    assert_eq!(check(&lines), Ok(head));
    let changed = |at: usize, from: &str, to: &str| {
        let mut odd = lines.clone();
        odd[at] = odd[at].replacen(from, to, 1);
        check(&odd)
    };
    assert_eq!(changed(1, "resume", "reduce"), Err(Broken::Changed(2)));
    assert_eq!(changed(3, "\"n\":4", "\"n\":5"), Err(Broken::Changed(4)));
    assert_eq!(changed(0, "}", "} "), Err(Broken::Changed(1)));
    assert_eq!(check(&[&lines[..1], &lines[2..]].concat()), Err(Broken::Link(2)), "taken out");
    assert_eq!(check(&[&lines[..2], &lines[1..]].concat()), Err(Broken::Link(3)), "put in");
    assert_eq!(check(&[lines[1].clone(), lines[0].clone()]), Err(Broken::Link(1)), "moved");
    assert_ne!(check(&lines[..3]), Ok(head), "the end was cut off: the kept head tells");
    assert_eq!(check(&["{}".to_owned()]), Err(Broken::Form(1)));
    // A line made anew over changed words gets another hash, and the next line does not follow it any more.
    let (forged, _) = Head::default().append(&Note { who: "eve".into(), ..note("pause") });
    assert_eq!(check(&[vec![forged], lines[1..].to_vec()].concat()), Err(Broken::Link(2)));
}

#[test]
fn lines_are_read_as_they_were_written() {
    let (line, head) = Head { n: 6, hash: [1; 32] }.append(&note("pause"));
    let read: Line = serde_json::from_str(&line).expect("a line");
    assert_eq!((read.n, &read.note, head.n), (7, &note("pause"), 7));
    assert_eq!(read.note.before, json!({ "paused": null }));
    assert_eq!(verify(Head { n: 6, hash: [1; 32] }, [line.as_str()]), Ok(head));
}
