//! Random histories of an open line, and what must hold in all of them. Each guard is once taken away, and then it must not.

use super::*;
use crate::testing::Dice;
use crate::time::EventMs;

const RULES: Rules = Rules {
    joins_from: WallMs(0),
    opens: WallMs(0),
    ends: WallMs(i64::MAX),
    rate_per_minute: 600,
    claim_window_ms: 300_000,
    beat_ms: 1_000,
};
const SECONDS: i64 = 2_000;
const HISTORIES: u64 = 200;

/// A rule that decides a beat.
type Decide = fn(&PaceState, &BeatFacts<'_>) -> (PaceState, Admission);

/// One second of chance.
struct Second {
    joins: u64,
    lane_joins: [u64; 2],
    good: bool,
    orders_left: u64,
    shoppers: u64,
}

fn second(dice: &mut Dice) -> Second {
    Second {
        joins: if dice.chance(20) { dice.below(50) } else { 0 },
        lane_joins: [(); 2].map(|()| if dice.chance(10) { dice.below(30) } else { 0 }),
        good: !dice.chance(5),
        orders_left: if dice.chance(10) { 0 } else { 1 + dice.below(30) },
        shoppers: dice.below(30),
    }
}

/// People claim or not, but nobody claims who had no turn, and a session counts for four minutes.
fn claims(dice: &mut Dice, state: &PaceState, event: EventMs) -> Claims {
    let (admitted, lapsed) = (state.admitted_in_all(), state.lapsed_in_all());
    let before = state.ring.before(event, ACTIVE_MS);
    let newest = admitted - (before.admitted + before.lanes.iter().sum::<u64>()).min(admitted);
    let in_window = dice.below(admitted - lapsed + 1);
    Claims {
        in_window,
        recent: dice.below(newest + 1),
        opened: in_window + dice.below(lapsed + 1),
        ..Claims::default()
    }
}

/// Runs one history; the first thing that does not hold.
///
/// No admission in a failed beat or beyond the room; never past those who wait, in no lane; never back; no line is stuck for longer
/// than a claim window and the active time while a seat is free, someone waits in it and beats are good.
fn history(seed: u64, decide: Decide) -> Result<(), String> {
    let (mut dice, operator, mut idle, mut given) = (Dice(seed), Operator::default(), [0; 3], 0);
    let mut lanes = [20, 10].map(|share_percent| LaneFacts { share_percent, given: 0 });
    let (mut event, mut state) = (EventMs(0), PaceState { last_good: Some(WallMs(-1_000)), ..PaceState::default() });
    for at in 0..SECONDS {
        let Second { joins, lane_joins, good, orders_left, shoppers } = second(&mut dice);
        given += joins;
        lanes.iter_mut().zip(lane_joins).for_each(|(lane, joins)| lane.given += joins);
        event = event.plus(if good { 1_000 } else { 0 });
        let pulse = Pulse { event, orders_left, unsold: 5, shoppers, orders: dice.below(30), stock_age_ms: 0 };
        let facts = BeatFacts {
            now: WallMs(at * 1_000),
            rules: &RULES,
            operator: &operator,
            drawn: true,
            given,
            lanes: &lanes,
            claims: claims(&mut dice, &state, event),
            late_waiting: 0,
            pulse: if good { Ok(pulse) } else { Err(BeatFailure::Pulse) },
        };
        let (next, a) = decide(&state, &facts);
        let most = if orders_left == 0 { 0 } else { (2 * orders_left).max(FLOOR) }.saturating_sub(a.inside);
        let lines = |state: &PaceState| [state.admitted, state.lanes[0].admitted, state.lanes[1].admitted];
        let (was, is, all) = (lines(&state), lines(&next), [given, lanes[0].given, lanes[1].given]);
        for line in 0..3 {
            idle[line] = match () {
                () if is[line] > was[line] || all[line] == was[line] => 0,
                () if orders_left == 0 || !good => idle[line],
                () => idle[line] + 1,
            };
        }
        let back = (0..3).any(|line| is[line] < was[line])
            || next.lapsed < state.lapsed
            || next.lanes.iter().zip(&state.lanes).any(|(next, state)| next.lapsed < state.lapsed);
        match () {
            () if a.step > 0 && !good => return Err(format!("second {at}: admitted in a failed beat")),
            () if a.step > most => return Err(format!("second {at}: {} admitted into room for {most}", a.step)),
            () if back => return Err(format!("second {at}: back")),
            () if (0..3).any(|line| is[line] > all[line]) => return Err(format!("second {at}: past those who wait")),
            () if a.step != (0..3).map(|line| is[line] - was[line]).sum::<u64>() => {
                return Err(format!("second {at}: turns lost"));
            }
            () if idle.iter().any(|idle| *idle > 540) => return Err(format!("second {at}: stuck")),
            () => state = next,
        }
    }
    Ok(())
}

#[test]
fn what_must_hold_holds_in_random_histories() {
    for seed in 0..HISTORIES {
        history(seed, beat).unwrap_or_else(|fault| panic!("seed {seed}, {fault}"));
    }
}

#[test]
fn twins_without_a_guard_break_it() {
    let twins: [(&str, Decide); 7] = [
        ("in a failed beat", |state, facts| {
            let pulse = Pulse {
                event: EventMs(facts.now.0),
                orders_left: 9,
                unsold: 5,
                shoppers: 0,
                orders: 0,
                stock_age_ms: 0,
            };
            beat(state, &BeatFacts { pulse: facts.pulse.or(Ok(pulse)), ..*facts })
        }),
        ("into room for", |state, facts| {
            let pulse = facts.pulse.map(|pulse| Pulse { orders_left: 1_000, ..pulse });
            beat(state, &BeatFacts { pulse, ..*facts })
        }),
        ("past those who wait", |state, facts| beat(state, &BeatFacts { given: facts.given + 7, ..*facts })),
        ("past those who wait", |state, facts| {
            let lanes: Vec<LaneFacts> =
                facts.lanes.iter().map(|lane| LaneFacts { given: lane.given + 7, ..*lane }).collect();
            beat(state, &BeatFacts { lanes: &lanes, ..*facts })
        }),
        // A lane is served after the main line only.
        ("stuck", |state, facts| {
            let busy = facts.given > state.admitted;
            let lanes: Vec<LaneFacts> = facts.lanes.iter().map(|lane| LaneFacts { given: 0, ..*lane }).collect();
            beat(state, &BeatFacts { lanes: if busy { &lanes } else { facts.lanes }, ..*facts })
        }),
        ("back", |state, facts| {
            let forgot = facts.now.0 % 60_000 == 0;
            let state = if forgot { &PaceState { last_good: state.last_good, ..PaceState::default() } } else { state };
            beat(state, &BeatFacts { claims: Claims::default(), ..*facts })
        }),
        // Turns that nobody claims never lapse.
        ("stuck", |state, facts| {
            let (next, a) = beat(state, &BeatFacts { claims: Claims::default(), ..*facts });
            (PaceState { ring: Ring::default(), ..next }, a)
        }),
    ];
    for (want, twin) in twins {
        let found = (0..HISTORIES).find_map(|seed| history(seed, twin).err().filter(|fault| fault.contains(want)));
        assert!(found.is_some(), "no history shows: {want}");
    }
}
