//! The status file of a beat, signed.

use domain::draw::file_hash;
use domain::keys::KeyKind;
use domain::pace::{Operator, Rules, turns_left};
use domain::status::{Status, fresh_until, next_poll_ms};
use domain::time::WallMs;

use super::close::Closed;
use super::course::Course;
use crate::config::Config;
use crate::draw;
use crate::event::Edition;
use crate::problem::{Code, Problem};
use crate::wire::Copy;

/// What a status says beside the course.
pub struct Facts<'a> {
    /// The event.
    pub event: &'a Edition,
    /// The beat.
    pub beat: u64,
    /// The operator's orders.
    pub operator: &'a Operator,
    /// The operator's message.
    pub message: Option<String>,
    /// People who have joined so far.
    pub joined: u64,
    /// Why the draw cannot be made yet.
    pub waiting: Option<String>,
    /// Hash of the seal file, while cohort 0 waits for the beacon.
    pub sealed: Option<String>,
    /// The rules in force.
    pub rules: &'a Rules,
    /// Wall time of the decision.
    pub now: WallMs,
}

/// The signed file and when the next one is due.
pub fn sign(config: &Config, course: &Course, facts: &Facts<'_>) -> Result<Copy, Problem> {
    let status = compose(course, facts);
    let seed = config.keys.signing_key(KeyKind::Status, &facts.event.id);
    let trouble = |error: String| Problem::from(worker::Error::RustError(error));
    let bytes = status.sign(&seed).map_err(|error| trouble(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| Code::Internal)?;
    Ok(Copy { text, due: facts.now.plus(facts.rules.beat_ms) })
}

fn compose(course: &Course, facts: &Facts<'_>) -> Status {
    let Facts { event, beat, operator, message, joined, waiting, sealed, rules, now } = facts;
    let (clock, phase) = (course.clock(*now), course.phase());
    let reason = course.pace.pause_reason(operator).map(str::to_owned);
    Status {
        v: 1,
        event: event.id.clone(),
        beat: *beat,
        phase,
        clock: (clock.wall.0, clock.event.0, clock.run_ms),
        opens: rules.opens,
        admitted: course.pace.admitted,
        given: course.given,
        joined: *joined,
        turns: turns_left(course.stock.unsold(), event.tickets_per_order, &course.pace.learned),
        moved: course.moved,
        rate: rules.rate_per_minute,
        bands: course.bands(event),
        draw: course.draw.clone(),
        rev: course.rev,
        why: reason.or_else(|| waiting.clone()),
        msg: message.clone(),
        fresh: fresh_until(*now, rules.beat_ms),
        next: next_poll_ms(phase, rules.opens.since(*now)),
        seal: sealed.clone(),
        lanes: course.lanes.iter().zip(&course.pace.lanes).map(|(given, lane)| (lane.admitted, *given)).collect(),
    }
}

/// The hash of cohort 0's draw file, when it has just been drawn.
pub fn first_draw(config: &Config, event: &Edition, closed: &Closed) -> Option<String> {
    let first = closed.row.as_ref().filter(|row| row.k == 0)?;
    draw::bytes(config, event, first).ok().map(|file| file_hash(&file))
}
