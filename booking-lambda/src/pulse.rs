//! The heartbeat: the one call a second by which an event's Pacer keeps time and learns how things stand.

use checkout::wall_now;
use domain::ids::EventId;
use domain::items::{ClockItem, attr, key};
use domain::plan::{Cond, Plan, Write};
use domain::time::{Clock, WallMs, run_ms};
use domain::token::{PulseToken, Token as _};
use lambda_http::{Body, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use table::CommitError;

use crate::answer;
use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;
use crate::seatmap::{self, Seen};
use checkout::sweep::{self, Broom};

/// What a beat says.
#[derive(Debug, Deserialize)]
struct Beat {
    beat: u64,
    #[serde(default)]
    paused: bool,
    beat_ms: i64,
    #[serde(default)]
    map_version: i64,
}

/// What one pulse may sweep: 16 buckets × 4 holds, and no longer than it can wait.
const BROOM: Broom = Broom { per_bucket: 4, within_ms: 800 };

/// Keeps the event's time, sweeps, and tells how things stand.
pub async fn beat(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let beat: Beat = call.json()?;
    let wall = wall_now();
    verify(app, event, call, &beat, wall)?;
    let before = app.table.clock(event).await?.map(|item| item.clock);
    let clock = tick(app, event, &beat, before, wall).await?;
    let swept = sweep::holds(&app.table, event, clock.now(wall), BROOM).await;
    let terms = app.events.get(&app.table, event).await?;
    let map = seatmap::read(&app.table, event).await?;
    let age_ms = age_ms(before, map.seen, wall);
    Ok(answer::json(200, &json!({
        "beat": beat.beat,
        "clock": {"wall_ms": clock.wall.0, "event_ms": clock.event.0, "run_ms": clock.run_ms},
        "stock": map.stock(),
        "orders_left": map.orders_left(terms.per_order_milli()),
        "shoppers": map.shoppers(),
        "projection": {"beat": map.seen.map_or(0, |seen| seen.beat), "age_ms": age_ms},
        "map": if map.version() == beat.map_version { Value::Null } else { map.json() },
        "swept": swept,
    })))
}

/// The pulse comes from this event's Pacer, and its token is for this beat.
fn verify(app: &App, event: &EventId, call: &Call, beat: &Beat, wall: WallMs) -> Result<(), Problem> {
    let token = call.pulse().ok_or(Problem::AccessRequired)?;
    let token = PulseToken::decode(token, &app.keys, event).map_err(|_| Problem::AccessRequired)?;
    if token.live(wall) && token.beat == beat.beat { Ok(()) } else { Err(Problem::AccessRequired) }
}

/// The clock after this beat, stored on condition that no later beat has been here.
async fn tick(app: &App, event: &EventId, beat: &Beat, before: Option<Clock>, wall: WallMs) -> Result<Clock, Problem> {
    let known = before.unwrap_or(Clock::start(wall));
    let run = if beat.paused { 0 } else { run_ms(beat.beat_ms.clamp(100, 60_000)) };
    let clock = known.tick(beat.beat, wall, run).ok_or(Problem::BeatNotHigher(known.beat))?;
    let number = i64::try_from(clock.beat).unwrap_or(i64::MAX);
    let expect = Cond::Absent.or(Cond::Lt(attr::BEAT, number.into()));
    let item = ClockItem { event: event.clone(), clock }.to_item();
    match app.table.commit(&Plan::new(vec![Write::put(item, expect)])).await {
        Ok(()) => Ok(clock),
        Err(CommitError::Table(error)) => Err(error.into()),
        Err(CommitError::Refused(refused)) => Err(Problem::BeatNotHigher(stored_beat(&refused, event))),
    }
}

fn stored_beat(refused: &domain::plan::Refused, event: &EventId) -> u64 {
    let item = refused.of(&key::clock(event)).and_then(|failed| failed.old.as_ref());
    item.and_then(|item| ClockItem::from_item(item).ok()).map_or(0, |item| item.clock.beat)
}

/// An event whose projection never ran: older than any Pacer takes.
const NEVER_MS: i64 = 3_600_000;

/// How old the stock may be, in ms: nothing, if the projection has seen the last beat before this one; else the time since
/// the beat that it has seen.
fn age_ms(before: Option<Clock>, seen: Option<Seen>, wall: WallMs) -> i64 {
    match (before, seen) {
        (None, _) => 0,
        (Some(_), None) => NEVER_MS,
        (Some(before), Some(seen)) if seen.beat >= before.beat => 0,
        (Some(_), Some(seen)) => wall.since(seen.wall).max(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::EventMs;

    #[test]
    fn the_stock_is_as_old_as_the_beat_the_projection_has_seen() {
        let clock = |beat| Some(Clock { beat, wall: WallMs(9_000), event: EventMs(0), run_ms: 3_000 });
        let seen = |beat, wall| Some(Seen { beat, wall: WallMs(wall) });
        let table = [
            (None, None, 0),
            (clock(7), None, NEVER_MS),
            (clock(7), seen(7, 9_000), 0),
            (clock(7), seen(6, 8_000), 2_000),
            (clock(7), seen(2, 4_000), 6_000),
        ];
        for (before, seen, age) in table {
            assert_eq!(age_ms(before, seen, WallMs(10_000)), age, "{before:?} {seen:?}");
        }
    }
}
