//! Beat by beat: room, rate, floor, late lane, failed beats, phases; and random histories.

use super::*;
use crate::time::EventMs;

const RULES: Rules = Rules {
    joins_from: WallMs(1_000),
    opens: WallMs(10_000),
    ends: WallMs(100_000_000),
    rate_per_minute: 600,
    claim_window_ms: 300_000,
    beat_ms: 1_000,
};
const PULSE: Pulse =
    Pulse { event: EventMs(20_000), orders_left: 1_000, unsold: 2_500, shoppers: 0, orders: 0, stock_age_ms: 1_000 };

fn facts(operator: &Operator) -> BeatFacts<'_> {
    BeatFacts {
        now: WallMs(20_000),
        rules: &RULES,
        operator,
        drawn: true,
        given: 10_000,
        lanes: &[],
        claims: Claims::default(),
        late_waiting: 0,
        pulse: Ok(PULSE),
    }
}

fn open() -> PaceState {
    PaceState { last_good: Some(WallMs(19_000)), ..PaceState::default() }
}

#[test]
fn the_step_is_rate_room_or_people() {
    let operator = Operator::default();
    let base = facts(&operator);
    let with = |pulse: Pulse| BeatFacts { pulse: Ok(pulse), ..base };
    let cases = [
        ("rate", base, 10),
        ("two seconds at most", BeatFacts { now: WallMs(60_000), ..base }, 20),
        ("clock went back", BeatFacts { now: WallMs(18_000), ..base }, 0),
        ("few in line", BeatFacts { given: 3, ..base }, 3),
        ("nobody in line", BeatFacts { given: 0, ..base }, 0),
        ("nothing left", with(Pulse { orders_left: 0, ..PULSE }), 0),
        ("floor", with(Pulse { orders_left: 1, ..PULSE }), 10),
        ("room", BeatFacts { claims: Claims { recent: 1_996, ..Claims::default() }, ..base }, 4),
        ("no room", BeatFacts { claims: Claims { recent: 2_000, ..Claims::default() }, ..base }, 0),
        (
            "shoppers with holds have left",
            BeatFacts {
                claims: Claims { recent: 2_000, ..Claims::default() },
                pulse: Ok(Pulse { shoppers: 500, ..PULSE }),
                ..base
            },
            10,
        ),
    ];
    let mut state = open();
    state.ring.push(Mark { at: EventMs(19_000), ..Mark::default() }, RULES.claim_window_ms);
    for (name, facts, step) in cases {
        let (next, admission) = beat(&state, &facts);
        assert_eq!((admission.step, next.admitted), (step, step), "{name}");
    }
}

#[test]
fn fractions_of_the_rate_are_carried() {
    let (operator, rules) = (Operator::default(), Rules { rate_per_minute: 100, ..RULES });
    let mut state = open();
    for second in 0..60 {
        let facts = BeatFacts { rules: &rules, now: WallMs(20_000 + second * 1_000), ..facts(&operator) };
        state = beat(&state, &facts).0;
    }
    assert_eq!(state.admitted, 100);
}

#[test]
fn the_late_lane_gets_a_fifth_and_what_nobody_else_needs() {
    let operator = Operator::default();
    for (given, late_waiting, want) in [(1_000, 100, (8, 2)), (1_000, 1, (9, 1)), (4, 100, (4, 6)), (1_000, 0, (10, 0))]
    {
        let (_, a) = beat(&open(), &BeatFacts { given, late_waiting, ..facts(&operator) });
        assert_eq!((a.step, a.late), want, "{given} given, {late_waiting} late");
    }
}

#[test]
fn a_slow_rate_still_serves_the_late_lane() {
    let (operator, rules) = (Operator::default(), Rules { rate_per_minute: 60, ..RULES });
    let mut state = open();
    for second in 0..50 {
        let facts =
            BeatFacts { rules: &rules, late_waiting: 100, now: WallMs(20_000 + second * 1_000), ..facts(&operator) };
        state = beat(&state, &facts).0;
    }
    assert_eq!((state.admitted, state.late_admitted), (40, 10));
}

#[test]
fn unclaimed_turns_count_until_their_window_ends() {
    let operator = Operator::default();
    let at = |second: i64, claims: Claims| BeatFacts {
        now: WallMs(20_000 + second * 1_000),
        claims,
        pulse: Ok(Pulse { event: EventMs(20_000 + second * 1_000), ..PULSE }),
        ..facts(&operator)
    };
    let (state, _) = beat(&open(), &at(0, Claims::default()));
    let (_, claimed) = beat(&state, &at(1, Claims { in_window: 4, ..Claims::default() }));
    assert_eq!(claimed.inside, 6);
    let (late, _) = beat(&state, &at(300, Claims::default()));
    assert_eq!(late.lapsed, 10, "the first ten turns lapse when their window ends");
    let (_, after) = beat(&late, &BeatFacts { given: 0, ..at(301, Claims { opened: 10, ..Claims::default() }) });
    assert_eq!(after.inside, late.admitted - 10);
}

#[test]
fn a_failed_beat_admits_nobody_and_the_second_pauses() {
    let operator = Operator::default();
    for (pulse, failure, reason) in [
        (Err(BeatFailure::Pulse), BeatFailure::Pulse, "origin"),
        (Err(BeatFailure::Commit), BeatFailure::Commit, "origin"),
        (Ok(Pulse { stock_age_ms: 5_001, ..PULSE }), BeatFailure::Stock, "stock"),
    ] {
        let (first, a) = beat(&open(), &BeatFacts { pulse, ..facts(&operator) });
        assert_eq!((a.phase, a.step, a.late, a.failed), (Phase::Open, 0, 0, Some(failure)));
        let (second, b) = beat(&first, &BeatFacts { pulse, ..facts(&operator) });
        assert_eq!((b.phase, b.step, second.pause_reason(&operator)), (Phase::Paused, 0, Some(reason)));
        let (third, c) = beat(&second, &BeatFacts { now: WallMs(80_000), ..facts(&operator) });
        assert_eq!(
            (c.phase, c.step, third.pause_reason(&operator)),
            (Phase::Open, 20, None),
            "resumes with two seconds' worth"
        );
    }
}

#[test]
fn phases_in_their_order() {
    let (go, pause, stop, end) = (
        Operator::default(),
        Operator { paused: Some("rain".into()), ..Operator::default() },
        Operator { stopped: Some("fire".into()), ..Operator::default() },
        Operator { closed: true, ..Operator::default() },
    );
    let (fresh, sold) = (PaceState::default(), PaceState { sold_out: true, ..PaceState::default() });
    let failing = PaceState { failed: 2, failure: Some(BeatFailure::Pulse), ..PaceState::default() };
    let cases = [
        ("before joining", &fresh, &go, false, 0, Phase::Scheduled),
        ("joining", &fresh, &go, false, 1_000, Phase::Prequeue),
        ("joining while the origin is out", &failing, &go, false, 9_999, Phase::Prequeue),
        ("joining, paused by an operator", &fresh, &pause, false, 9_999, Phase::Paused),
        ("opening", &fresh, &go, false, 10_000, Phase::Drawing),
        ("drawn", &fresh, &go, true, 10_000, Phase::Open),
        ("stopped before the opening", &fresh, &stop, false, 0, Phase::Stopped),
        ("paused", &fresh, &pause, true, 10_000, Phase::Paused),
        ("origin out", &failing, &go, true, 10_000, Phase::Paused),
        ("sold out wins over paused", &sold, &pause, true, 10_000, Phase::SoldOut),
        ("stopped wins over sold out", &sold, &stop, true, 10_000, Phase::Stopped),
        ("closed wins over all", &sold, &end, true, 10_000, Phase::Closed),
        ("the end", &fresh, &go, true, 100_000_000, Phase::Closed),
    ];
    for (name, state, operator, drawn, now, want) in cases {
        assert_eq!(state.phase(&RULES, operator, drawn, WallMs(now)), want, "{name}");
    }
    assert_eq!(failing.pause_reason(&pause), Some("rain"), "the operator's reason first");
}

#[test]
fn sold_out_only_when_nothing_is_held_and_back_when_a_seat_returns() {
    let operator = Operator::default();
    let with =
        |orders_left, unsold| BeatFacts { pulse: Ok(Pulse { orders_left, unsold, ..PULSE }), ..facts(&operator) };
    let (held, a) = beat(&open(), &with(0, 2));
    assert_eq!((a.phase, a.step), (Phase::Open, 0));
    let (sold, b) = beat(&held, &with(0, 0));
    assert_eq!(b.phase, Phase::SoldOut);
    let (_, c) = beat(&sold, &BeatFacts { now: WallMs(21_000), ..with(1, 1) });
    assert_eq!((c.phase, c.step), (Phase::Open, 10));
}

#[test]
fn late_turns_go_to_those_who_wait_longest() {
    let waiting = vec![(2, WallMs(5)), (0, WallMs(9)), (1, WallMs(5)), (2, WallMs(1))];
    assert_eq!(share_late(3, waiting.clone()), [(1, 1), (2, 2)].into());
    assert_eq!(share_late(9, waiting), [(0, 1), (1, 1), (2, 2)].into());
    assert_eq!(share_late(0, vec![(0, WallMs(1))]), [].into());
}

#[test]
fn the_stored_state_reads_again_and_stays_small() {
    let operator = Operator::default();
    let mut state = open();
    for second in 0..2_000 {
        let now = 20_000 + second * 1_000;
        let pulse = Ok(Pulse { event: EventMs(now), ..PULSE });
        state = beat(&state, &BeatFacts { now: WallMs(now), pulse, ..facts(&operator) }).0;
    }
    assert!(state.ring.len() <= 303, "{} marks", state.ring.len());
    let stored = serde_json::to_string(&state).expect("states serialise");
    assert_eq!(serde_json::from_str::<PaceState>(&stored).expect("what was stored reads"), state);
}

/// What the shards keep for a Pacer that lost its storage: small, and nobody counts as inside for a shorter time by it.
#[test]
fn a_copy_is_small_and_cautious() {
    let operator = Operator::default();
    let mut state = open();
    for second in 0..1_000 {
        let event = EventMs(20_000 + second * 1_000);
        let facts = BeatFacts { now: WallMs(event.0), pulse: Ok(Pulse { event, ..PULSE }), ..facts(&operator) };
        state = beat(&state, &facts).0;
        let copy = state.copy();
        assert!(copy.ring.len() <= 24, "{} marks", copy.ring.len());
        assert_eq!((copy.admitted, copy.lapsed, copy.last_good), (state.admitted, state.lapsed, state.last_good));
        for ago_ms in [0, ACTIVE_MS, RULES.claim_window_ms] {
            let (kept, exact) = (copy.ring.before(event, ago_ms), state.ring.before(event, ago_ms));
            assert!(
                kept.admitted <= exact.admitted && exact.at.since(kept.at) < 15_000,
                "{second}: {kept:?} {exact:?}"
            );
        }
    }
}

#[test]
fn a_step_is_shared_among_the_lanes() {
    let operator = Operator::default();
    let lane = |share_percent, given| LaneFacts { share_percent, given };
    type Case<'a> = (&'a str, u64, &'a [LaneFacts], (u64, [u64; 2]));
    let cases: [Case<'_>; 5] = [
        ("by share", 10_000, &[lane(20, 99), lane(30, 99)], (5, [2, 3])),
        ("an empty lane costs nothing", 10_000, &[lane(20, 0), lane(30, 99)], (6, [0, 4])),
        ("a short one hands on the rest", 10_000, &[lane(20, 1), lane(30, 99)], (6, [1, 3])),
        ("nobody in the main line", 0, &[lane(20, 99), lane(30, 99)], (0, [4, 6])),
        ("few in all", 1, &[lane(20, 1), lane(30, 1)], (1, [1, 1])),
    ];
    for (name, given, lanes, want) in cases {
        let (next, a) = beat(&open(), &BeatFacts { given, lanes, ..facts(&operator) });
        assert_eq!((next.admitted, [next.lanes[0].admitted, next.lanes[1].admitted]), want, "{name}");
        assert_eq!(a.step, want.0 + want.1.iter().sum::<u64>(), "{name}: the step is over all lines");
    }
}

#[test]
fn turns_of_a_lane_take_room_lapse_and_are_late_as_others() {
    let operator = Operator::default();
    let lanes = [LaneFacts { share_percent: 50, given: 1_000 }];
    let at = |second: i64| BeatFacts {
        now: WallMs(20_000 + second * 1_000),
        pulse: Ok(Pulse { event: EventMs(20_000 + second * 1_000), ..PULSE }),
        lanes: &lanes,
        given: 0,
        ..facts(&operator)
    };
    let (first, a) = beat(&open(), &at(0));
    assert_eq!((a.step, first.lanes[0].admitted, first.admitted), (10, 10, 0));
    let (second, b) = beat(&first, &at(1));
    assert_eq!((b.inside, second.lanes[0].lapsed), (10, 0), "unclaimed turns count as inside");
    let (late, _) = beat(&second, &at(300));
    assert_eq!((late.lanes[0].lapsed, late.lapsed), (10, 0), "after their window they lapse, in their own lane");
    assert_eq!(late.lapsed_in_all(), 10);
}
