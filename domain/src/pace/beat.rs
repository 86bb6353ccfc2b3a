//! One beat's decision.

use super::{
    BeatFacts, BeatFailure, FLOOR, LATE_PART, LONGEST_STEP_MS, Learned, Mark, PaceState, Pulse, SHOPPERS_PER_ORDER,
    STALE_MS,
};
use crate::pace::ACTIVE_MS;
use crate::status::Phase;

/// 1 place per minute and millisecond is this many to a place.
const PER_PLACE: i64 = 60_000;

/// What a beat decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// The phase to show.
    pub phase: Phase,
    /// Places that got their turn at this beat, over all lines: those after the old `admitted` up to the new one.
    pub step: u64,
    /// Turns for the late lane at this beat, see [`super::share_late`].
    pub late: u64,
    /// People counted inside before this beat.
    pub inside: u64,
    /// Room before this beat.
    pub room: u64,
    /// Whether the beat failed, and why.
    pub failed: Option<BeatFailure>,
}

/// Decides a beat: the state to commit, and what it means. Only a good beat of an open line admits anybody.
pub fn beat(state: &PaceState, facts: &BeatFacts<'_>) -> (PaceState, Admission) {
    match facts.pulse.and_then(|pulse| fresh(pulse, facts)) {
        Ok(pulse) => good(state, facts, &pulse),
        Err(failure) => failed(state, facts, failure),
    }
}

/// Stock older than 5 s (three beats where the beat is slower) is a failed beat.
fn fresh(pulse: Pulse, facts: &BeatFacts<'_>) -> Result<Pulse, BeatFailure> {
    let longest = facts.rules.beat_ms.saturating_mul(3).max(STALE_MS);
    if pulse.stock_age_ms > longest { Err(BeatFailure::Stock) } else { Ok(pulse) }
}

/// Nobody is admitted, and no time is owed for it afterwards beyond one longest step.
fn failed(state: &PaceState, facts: &BeatFacts<'_>, failure: BeatFailure) -> (PaceState, Admission) {
    let next = PaceState { failed: state.failed.saturating_add(1), failure: Some(failure), ..state.clone() };
    let phase = next.phase(facts.rules, facts.operator, facts.drawn, facts.now);
    (next, Admission { phase, step: 0, late: 0, inside: 0, room: 0, failed: Some(failure) })
}

fn good(state: &PaceState, facts: &BeatFacts<'_>, pulse: &Pulse) -> (PaceState, Admission) {
    let mut next = PaceState { failed: 0, failure: None, last_good: Some(facts.now), ..state.clone() };
    next.sold_out = facts.drawn && pulse.unsold == 0 && facts.now >= facts.rules.opens;
    next.lapse(&state.ring.before(pulse.event, facts.rules.claim_window_ms));
    // `in_window` was counted with the state's own lapsed places.
    next.learned = Learned::from(state.lapsed_in_all(), &facts.claims, pulse.orders);
    let inside = inside(state, facts, pulse, &next.learned);
    let room = target(pulse.orders_left).saturating_sub(inside);
    let phase = next.phase(facts.rules, facts.operator, facts.drawn, facts.now);
    let since_ms = state.last_good.map_or(facts.rules.beat_ms, |last| facts.now.since(last));
    let (step, late) = if phase == Phase::Open { next.admit(facts, room, since_ms) } else { (0, 0) };
    let mark = Mark {
        at: pulse.event,
        admitted: next.admitted,
        late: next.late_admitted,
        shoppers: pulse.shoppers,
        lanes: next.lanes_admitted(),
    };
    next.ring.push(mark, facts.rules.claim_window_ms);
    (next, Admission { phase, step, late, inside, room, failed: None })
}

/// People inside: turns in their window that are not claimed yet and, as far as was learned, will be; and recent claims that became neither hold nor order.
/// `state.lapsed` is the one that the shards counted `claims.in_window` from.
fn inside(state: &PaceState, facts: &BeatFacts<'_>, pulse: &Pulse, learned: &Learned) -> u64 {
    let window_ago = state.ring.before(pulse.event, facts.rules.claim_window_ms);
    let active_ago = state.ring.before(pulse.event, ACTIVE_MS);
    let turns = state.admitted_in_all().saturating_sub(state.lapsed_in_all());
    let unclaimed = learned.coming(turns).saturating_sub(facts.claims.in_window);
    let late = state.late_admitted.saturating_sub(window_ago.late).saturating_sub(facts.claims.late_in_window);
    let growth = pulse.shoppers.saturating_sub(active_ago.shoppers);
    unclaimed.saturating_add(late).saturating_add(facts.claims.recent.saturating_sub(growth))
}

/// How many may be inside: two per order left; the floor keeps the tail moving; nobody when nothing is left.
fn target(orders_left: u64) -> u64 {
    match orders_left {
        0 => 0,
        left => left.saturating_mul(SHOPPERS_PER_ORDER).max(FLOOR),
    }
}

impl PaceState {
    /// Gives turns: at most what rate and room allow. A fifth goes to the late lane if people wait there, and what the lines
    /// themselves do not need.
    fn admit(&mut self, facts: &BeatFacts<'_>, room: u64, since_ms: i64) -> (u64, u64) {
        let step = self.allowance(facts.rules.rate_per_minute, since_ms).min(room);
        let waiting = self.waiting(facts);
        let all = waiting.iter().fold(0_u64, |sum, line| sum.saturating_add(*line));
        let quota = if facts.late_waiting > 0 { self.late_quota(step) } else { 0 };
        let first = (step - quota.min(facts.late_waiting)).min(all);
        let late = (step - first).min(facts.late_waiting);
        self.share(first, &waiting, facts.lanes);
        self.late_admitted += late;
        (first, late)
    }

    /// Whole places that the rate allows for the time since the last good beat; the fraction is carried on.
    fn allowance(&mut self, rate_per_minute: u32, since_ms: i64) -> u64 {
        let earned = i64::from(rate_per_minute).saturating_mul(since_ms.clamp(0, LONGEST_STEP_MS));
        let total = earned.saturating_add(self.carry);
        self.carry = total % PER_PLACE;
        u64::try_from(total / PER_PLACE).unwrap_or(0)
    }

    fn late_quota(&mut self, step: u64) -> u64 {
        let parts = step.saturating_add(self.late_carry);
        self.late_carry = parts % LATE_PART;
        parts / LATE_PART
    }
}
