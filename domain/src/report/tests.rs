mod marks;

use super::*;
use crate::ids::{AccountId, OrderId};
use crate::items::{Movement, OrderState, Places, PoolLine, SeatLine};
use crate::time::EventMs;
use serde_json::json;

const OPENS: WallMs = WallMs(1_800_000_000_000);
const START: Mark = Mark {
    at: OPENS,
    phase: Phase::Prequeue,
    admitted: 0,
    lanes: [0; 4],
    late: 0,
    joined: 0,
    inside: 0,
    claimed: 0,
    rate: 60,
    stock: [10, 0, 0, 0],
    failed: 0,
    stood_ms: 0,
};

/// So many seconds after the opening.
fn at(seconds: i64) -> WallMs {
    OPENS.plus(seconds * 1_000)
}

/// The line after so many seconds, open, with so many admitted.
fn open(seconds: i64, admitted: u64) -> Mark {
    Mark { at: at(seconds), phase: Phase::Open, admitted, joined: 100, ..START }
}

fn line(cohorts: &[(i64, u64)]) -> Line {
    let mut base = 0;
    let cohort = |&(seconds, people): &(i64, u64)| {
        base += people;
        Cohort { cut: at(seconds), base: base - people, people }
    };
    Line { number: 0, cohorts: cohorts.iter().map(cohort).collect() }
}

fn seat(n: u32) -> SeatLine {
    let (seat, block) = (format!("A-1-{n}").parse().expect("a seat"), "A".parse().expect("a block"));
    SeatLine { seat, block, level: "front".into(), price_type: None, price_minor: 4_000, fee_minor: 400 }
}

fn id(name: &str) -> OrderId {
    OrderId::derive(&AccountId::derive("test", name), "o")
}

/// An order of two seats.
fn order(name: &str, currency: &str, state: OrderState) -> Order {
    let account = AccountId::derive("test", name);
    Order {
        id: id(name),
        event: "night".parse().expect("an id"),
        account,
        hold: crate::ids::HoldId::derive(&account, "h"),
        state,
        places: Places { seats: vec![seat(1), seat(2)], pools: Vec::new() },
        total_minor: 8_800,
        currency: currency.into(),
        attempt: 1,
        method: "pm_1".into(),
        intent: Some("pi_1".into()),
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
        lines: 2,
        created: at(3),
        updated: EventMs(0),
    }
}

fn moved(name: &str, n: u32, movement: Movement, amount_minor: i64, seconds: i64) -> LedgerLine {
    let (order, currency) = (id(name), if name == "yen" { "JPY" } else { "EUR" });
    LedgerLine {
        event: "night".parse().expect("an id"),
        order,
        n,
        movement,
        amount_minor,
        currency: currency.into(),
        intent: "pi_1".into(),
        wall: at(seconds),
        at: EventMs(0),
    }
}

/// A report of these facts, a minute after the opening.
fn told(lines: &[Line], marks: &[Mark], orders: &[Order], ledger: &[LedgerLine], journal: &[Note]) -> Report {
    let (orders, ledger): (Vec<_>, Vec<_>) = (orders.iter().collect(), ledger.iter().collect());
    report(&Facts {
        now: at(60),
        opens: OPENS,
        phase: Phase::Closed,
        lines,
        marks,
        tally: &Tally::default(),
        orders: &orders,
        ledger: &ledger,
        journal,
        findings: &[],
        dead_letters: Some(0),
    })
}

#[test]
fn of_nothing_there_is_nothing_to_tell_and_it_says_so() {
    let report = told(&[], &[], &[], &[], &[]);
    assert_eq!(report.missing, [Missing::Course, Missing::Requests]);
    assert_eq!((report.waits, report.money.len()), (Waits::default(), 0));
    assert_eq!((report.admission.steps.len(), report.sales, report.trouble.pauses.len()), (0, Sales::default(), 0));
    assert!(report.finished);
}

#[test]
fn one_fan_waits_once() {
    let report = told(&[line(&[(0, 1)])], &[START, open(3, 0), open(4, 1)], &[], &[], &[]);
    let Waits { people, p50_ms, p90_ms, p99_ms, max_ms, .. } = report.waits;
    assert_eq!((people, p50_ms, p90_ms, p99_ms, max_ms), (1, 4_000, 4_000, 4_000, 4_000));
    assert_eq!(report.waits.bins.iter().map(|bin| bin.people).sum::<u64>(), 1);
    assert_eq!(report.missing, [Missing::Requests]);
}

#[test]
fn waits_run_from_the_cut_of_ones_own_cohort() {
    // Ten from before the opening, two who came 5 s later; two admitted a second from the first second on.
    let marks: Vec<Mark> = std::iter::once(START).chain((1..=6).map(|n| open(n, 2 * n.unsigned_abs()))).collect();
    let waits = told(&[line(&[(0, 10), (5, 2)])], &marks, &[], &[], &[]).waits;
    assert_eq!((waits.people, waits.p50_ms, waits.p90_ms, waits.max_ms), (12, 2_000, 5_000, 5_000));
    let expect: Vec<(i64, u64)> = vec![(0, 0), (1_000, 4), (2_000, 2), (3_000, 2), (4_000, 2), (5_000, 2)];
    assert_eq!(waits.bins.iter().map(|bin| (bin.from_ms, bin.people)).collect::<Vec<_>>(), expect);
    assert_eq!(waits.exact_ms, 1_000);
}

#[test]
fn a_lane_has_its_own_cohorts() {
    let lane = Line { number: 2, cohorts: vec![Cohort { cut: at(1), base: 0, people: 3 }] };
    let marks = [START, Mark { lanes: [0, 3, 0, 0], ..open(4, 1) }];
    let waits = told(&[line(&[(0, 1)]), lane], &marks, &[], &[], &[]).waits;
    assert_eq!((waits.people, waits.p50_ms, waits.max_ms), (4, 3_000, 4_000));
}

#[test]
fn clocks_that_disagree_make_no_negative_wait() {
    let waits = told(&[line(&[(0, 1), (9, 1)])], &[START, open(4, 2)], &[], &[], &[]).waits;
    assert_eq!((waits.people, waits.p50_ms, waits.max_ms), (2, 0, 4_000));
}

#[test]
fn what_was_admitted_before_the_first_mark_is_told_as_unknown() {
    let report = told(&[line(&[(0, 10)])], &[open(20, 6), open(21, 8)], &[], &[], &[]);
    assert_eq!((report.waits.people, report.waits.unknown), (2, 6));
    assert_eq!(report.missing[0], Missing::CourseBefore { at: at(20), places: 6 });
    assert_eq!(report.admission.steps.iter().map(|step| step.admitted).sum::<u64>(), 8, "in one step, but not lost");
}

#[test]
fn the_curve_adds_up_to_all_who_were_admitted() {
    let marks = [START, open(2, 5), Mark { inside: 7, ..open(2, 6) }, open(9, 40), Mark { claimed: 3, ..open(50, 40) }];
    let admission = told(&[], &marks, &[], &[], &[]).admission;
    assert_eq!((admission.width_ms, admission.steps.len()), (1_000, 10), "nothing moved after second 9");
    let each: Vec<u64> = admission.steps.iter().map(|step| step.admitted).collect();
    assert_eq!(each, [0, 0, 6, 0, 0, 0, 0, 0, 0, 34]);
    assert_eq!((admission.steps[2].waiting, admission.steps[2].inside), (94, 7));
    assert_eq!(admission.totals, Totals { joined: 100, admitted: 40, late: 0, claimed: 3, waiting: 60 });
}

#[test]
fn currencies_do_not_mix_and_lines_add_up() {
    use Movement::{Authorization, Capture, Refund, Void};
    let part = Order { gone: vec![seat(2).seat], ..order("part", "EUR", OrderState::Delivered) };
    let floor = PoolLine {
        pool: "floor".parse().expect("a pool"),
        share: 0,
        quantity: 3,
        level: "floor".into(),
        price_type: None,
        price_minor: 900,
        fee_minor: 100,
    };
    let yen = Order {
        places: Places { seats: Vec::new(), pools: vec![floor] },
        ..order("yen", "JPY", OrderState::Confirmed)
    };
    let orders = [part, yen, order("back", "EUR", OrderState::Refunded), order("no", "EUR", OrderState::Declined)];
    let ledger = [
        moved("part", 1, Authorization, 8_800, 4),
        moved("part", 2, Capture, 8_800, 5),
        moved("part", 3, Refund, 4_400, 500),
        moved("back", 1, Authorization, 8_800, 6),
        moved("back", 2, Capture, 8_800, 7),
        moved("back", 3, Refund, 8_800, 8),
        moved("no", 1, Authorization, 8_800, 9),
        moved("no", 2, Void, 8_800, 9),
        moved("yen", 1, Authorization, 3_000, 9),
    ];
    let report = told(&[], &[], &orders, &ledger, &[]);
    let eur = Sums {
        currency: "EUR".into(),
        authorized_minor: 26_400,
        captured_minor: 17_600,
        voided_minor: 8_800,
        refunded_minor: 13_200,
        net_minor: 4_400,
        price_minor: 4_000,
        fees_minor: 400,
        open_minor: 0,
    };
    let jpy = Sums {
        currency: "JPY".into(),
        authorized_minor: 3_000,
        price_minor: 2_700,
        fees_minor: 300,
        open_minor: 3_000,
        ..Sums::default()
    };
    assert_eq!(report.money, [eur, jpy]);
    let Sales { orders, places, given_back, bins, after, .. } = report.sales;
    assert_eq!((orders, places, given_back), (3, 7, 3));
    assert_eq!(bins.iter().map(|bin| bin.orders).collect::<Vec<_>>(), [0, 0, 0, 0, 1, 0, 1, 0, 0, 1]);
    let captured = |bin: &Selling| bin.money.get("EUR").map_or(0, |flow| flow.captured_minor);
    assert_eq!(bins.iter().map(captured).sum::<i64>(), 17_600);
    assert_eq!(after.money["EUR"], Flow { captured_minor: 0, refunded_minor: 4_400 }, "long after the last sale");
}

#[test]
fn sales_from_before_the_opening_and_orders_that_cost_nothing_are_counted() {
    let early = Order { created: at(-5_000), ..order("early", "EUR", OrderState::Delivered) };
    let free = Order { created: at(2), total_minor: 0, ..order("free", "EUR", OrderState::Delivered) };
    let sales = told(&[], &[], &[early, free], &[], &[]).sales;
    assert_eq!((sales.orders, sales.before.orders, sales.bins.len()), (2, 1, 3));
    assert_eq!(sales.bins[2].places, 2);
}

fn note(seconds: i64, what: &str, after: serde_json::Value, refused: Option<&str>) -> Note {
    Note {
        at_ms: at(seconds),
        who: "vera".into(),
        role: Some("run".into()),
        what: what.into(),
        before: json!(null),
        after,
        refused: refused.map(str::to_owned),
        correlation: "c".into(),
    }
}

#[test]
fn pauses_come_from_the_journal_and_from_failed_beats() {
    let journal = [
        note(5, "pause", json!({ "paused": "gate B" }), None),
        note(6, "pause", json!(null), Some("ALREADY_PAUSED")),
        note(9, "resume", json!({ "paused": null }), None),
        note(40, "stop", json!({ "stopped": "fire" }), None),
    ];
    let failing = |seconds, failed| Mark { failed, phase: Phase::Paused, ..open(seconds, 1) };
    let marks = [START, open(1, 1), failing(21, 2), failing(22, 3), Mark { failed: 3, ..open(23, 2) }];
    let trouble = told(&[], &marks, &[], &[], &journal).trouble;
    let pause = |from, to: Option<i64>, why, reason: Option<&str>| Pause {
        from: at(from),
        to: to.map(at),
        why,
        reason: reason.map(str::to_owned),
    };
    let expect = [
        pause(1, Some(23), Why::Failing, None),
        pause(5, Some(9), Why::Paused, Some("gate B")),
        pause(40, None, Why::Stopped, Some("fire")),
    ];
    assert_eq!((trouble.failed_beats, trouble.pauses.as_slice()), (3, &expect[..]));
}

#[test]
fn a_report_names_nobody() {
    let account = AccountId::derive("test", "part").to_string();
    let journal = [note(5, "pause", json!({ "paused": "gate B" }), None)];
    let orders = [order("part", "EUR", OrderState::Delivered)];
    let ledger = [moved("part", 1, Movement::Capture, 8_800, 4)];
    let text = serde_json::to_string(&told(&[], &[open(1, 0)], &orders, &ledger, &journal)).expect("plain data");
    for word in [account.as_str(), &id("part").to_string(), "pi_1", "pm_1", "vera", "A-1-1"] {
        assert!(!text.contains(word), "{word}");
    }
}
