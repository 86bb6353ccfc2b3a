//! Marks and counts.

use super::*;
use std::collections::BTreeMap;

#[test]
fn marks_follow_from_the_ones_before() {
    let now = |mark: Mark, failed| Now { mark, failed, opens: OPENS };
    let first = Mark::after(None, &now(Mark { at: at(-20), ..START }, false));
    let paused = Mark { phase: Phase::Paused, ..open(-10, 0) };
    let second = Mark::after(Some(&first), &now(paused, true));
    let third = Mark::after(Some(&second), &now(Mark { at: at(4), ..paused }, true));
    let fourth = Mark::after(Some(&third), &now(open(3, 1), false));
    assert_eq!((second.failed, second.stood_ms), (1, 0));
    assert_eq!((third.failed, third.stood_ms), (2, 4_000), "what it stood before the opening does not count");
    assert_eq!((fourth.at, fourth.failed, fourth.stood_ms), (at(4), 2, 4_000), "the clock went back");
}

#[test]
fn marks_are_kept_where_something_changed() {
    let base = open(10, 1);
    let cases = [
        (None, START, Keep::Add),
        (Some(START), Mark { at: at(-1), joined: 5, ..START }, Keep::Replace),
        (Some(START), Mark { at: at(0), ..open(0, 0) }, Keep::Replace),
        (Some(START), open(1, 0), Keep::Add),
        (Some(base), Mark { at: at(99), stood_ms: 7, ..base }, Keep::Nothing),
        (Some(base), open(11, 2), Keep::Add),
        (Some(base), Mark { at: at(10).plus(999), ..open(0, 2) }, Keep::Replace),
    ];
    for (newest, mark, want) in cases {
        assert_eq!(keep(newest.as_ref(), &mark, 1_000), want, "{mark:?} after {newest:?}");
    }
}

#[test]
fn thinned_marks_are_few_and_say_the_same_in_the_end() {
    let marks: Vec<Mark> = std::iter::once(Mark { at: at(-1), ..START })
        .chain((0..5_000).map(|n| open(n, n.unsigned_abs() / 7)))
        .collect();
    let mut kept: Vec<Mark> = Vec::new();
    let mut apart_ms = 1_000;
    for mark in &marks {
        match keep(kept.last(), mark, apart_ms) {
            Keep::Nothing => continue,
            Keep::Add => {}
            Keep::Replace => drop(kept.pop()),
        }
        kept.push(*mark);
        while kept.len() > 100 {
            apart_ms *= 2;
            kept = thin(&kept, apart_ms);
        }
    }
    assert!(kept.len() <= 100 && kept.len() > 30, "{}", kept.len());
    assert_eq!((kept[0].at, kept.last().map(|mark| mark.admitted)), (at(-1), Some(714)));
    let exact = told(&[line(&[(0, 714)])], &marks, &[], &[], &[]).waits;
    let coarse = told(&[line(&[(0, 714)])], &kept, &[], &[], &[]).waits;
    assert_eq!(coarse.people, exact.people);
    assert!(coarse.exact_ms <= 2 * apart_ms, "{} of {apart_ms}", coarse.exact_ms);
    for (coarse, exact) in [(coarse.p50_ms, exact.p50_ms), (coarse.p99_ms, exact.p99_ms), (coarse.max_ms, exact.max_ms)]
    {
        assert!((exact..=exact + 2 * apart_ms).contains(&coarse), "{coarse} for {exact}");
    }
}

#[test]
fn counts_add_up_and_stay_bounded() {
    let mut tally = Tally::default();
    for path in ["status.json", "seatmap?since=1", "seatmap/counts", "holds/h", "", "draw/0.json", "line/proof"] {
        tally.request(Kind::of(path));
    }
    let counted = [(Kind::Status, 1), (Kind::Map, 2), (Kind::Event, 2), (Kind::Line, 1), (Kind::Holds, 1)];
    assert_eq!(tally.requests, BTreeMap::from(counted));
    tally.refusal("SEATS_TAKEN");
    tally.refusal("<script>");
    (0..500).for_each(|n| tally.refusal(&format!("CODE_{n}")));
    assert_eq!((tally.refused_in_all(), tally.refused.len()), (502, 100));
    let mut twice = tally.clone();
    twice.add(&tally);
    assert_eq!((twice.refused_in_all(), twice.refused["SEATS_TAKEN"], twice.requests_in_all()), (1_004, 2, 14));
    let text = serde_json::to_string(&twice).expect("plain data");
    assert_eq!(serde_json::from_str::<Tally>(&text).expect("what was written"), twice);
}
