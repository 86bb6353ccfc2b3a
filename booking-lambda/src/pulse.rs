//! The heartbeat: the one call a second by which an event's Pacer keeps time and learns how things stand.

use checkout::sweep::{self, Broom};
use checkout::wall_now;
use domain::ids::EventId;
use domain::map;
use domain::map::chart::{Counts, Sheet};
use domain::stock;
use domain::time::{Clock, WallMs, run_ms};
use domain::token::{PulseToken, Token as _};
use lambda_http::{Body, Response};
use serde::Deserialize;
use serde_json::json;
use table::DecideError;

use crate::answer;
use crate::app::App;
use crate::call::Call;
use crate::overdue;
use crate::problem::Problem;
use crate::waiting::{self, Offers};

/// What a beat says.
#[derive(Debug, Deserialize)]
struct Beat {
    beat: u64,
    #[serde(default)]
    paused: bool,
    beat_ms: i64,
    #[serde(default)]
    rev: u32,
    #[serde(default)]
    map_version: i64,
}

/// What one pulse may sweep: 4 of 16 buckets × 16 holds, and no longer than it can wait.
const BROOM: Broom = Broom { per_bucket: 16, within_ms: 800 };

/// Keeps the event's time, sweeps, and tells how things stand.
pub async fn beat(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let beat: Beat = call.json()?;
    let wall = wall_now();
    verify(app, event, call, &beat, wall)?;
    let stored = app.table.clock(event).await?;
    let before = stored.as_ref().map(|item| item.clock);
    // A revocation is never taken back, not even by a Pacer that lost its storage.
    let rev = stored.map_or(0, |item| item.rev).max(beat.rev);
    let clock = tick(app, event, &beat, before, rev, wall).await?;
    app.note(event).await?;
    let swept = sweep::holds(&app.table, event, sweep::quarter(beat.beat), clock.now(wall), BROOM).await;
    let terms = app.events.get(&app.table, event).await?;
    let map = overdue::map(app, event, &terms.definition, clock.event).await?;
    let offers =
        if beat.paused { Offers::default() } else { waiting::offers(app, event, &terms, &map, clock.now(wall)).await };
    let (stock, seen, changed) = (stock::of(&map), map.seen, map.version() != beat.map_version);
    Ok(answer::json(
        200,
        &json!({
            "beat": beat.beat,
            "rev": rev,
            "clock": {"wall_ms": clock.wall.0, "event_ms": clock.event.0, "run_ms": clock.run_ms},
            "stock": stock,
            "orders_left": stock.without(offers.spoken_for).orders_left(terms.definition.door.tickets_per_order),
            "shoppers": stock.shoppers,
            "projection": {"beat": seen.map_or(0, |(beat, _)| beat), "age_ms": age_ms(before, seen, wall)},
            "map": changed.then(|| Sheet::of(&map, &terms.venue.layout)),
            "counts": changed.then(|| Counts::of(&map)),
            "swept": swept,
            "offered": offers.made,
        }),
    ))
}

/// The pulse comes from this event's Pacer, and its token is for this beat.
fn verify(app: &App, event: &EventId, call: &Call, beat: &Beat, wall: WallMs) -> Result<(), Problem> {
    let token = call.pulse().ok_or(Problem::AccessRequired)?;
    let token = PulseToken::decode(token, &app.keys, event).map_err(|_| Problem::AccessRequired)?;
    if token.live(wall) && token.beat == beat.beat { Ok(()) } else { Err(Problem::AccessRequired) }
}

/// The clock after this beat, stored on condition that no later beat has been here.
async fn tick(
    app: &App,
    event: &EventId,
    beat: &Beat,
    before: Option<Clock>,
    rev: u32,
    wall: WallMs,
) -> Result<Clock, Problem> {
    let known = before.unwrap_or(Clock::start(wall));
    let run = if beat.paused { 0 } else { run_ms(beat.beat_ms.clamp(100, 60_000)) };
    let clock = known.tick(beat.beat, wall, run).ok_or(Problem::BeatNotHigher(known.beat))?;
    match app.table.decide(map::Beat { event: event.clone(), clock, rev }).await {
        Ok(_) => Ok(clock),
        Err(DecideError::Table(error)) => Err(error.into()),
        Err(DecideError::Refused(map::BeatNotHigher)) => Err(Problem::BeatNotHigher(stored_beat(app, event).await?)),
    }
}

async fn stored_beat(app: &App, event: &EventId) -> Result<u64, Problem> {
    Ok(app.table.clock(event).await?.map_or(0, |item| item.clock.beat))
}

/// An event whose projection never ran: older than any Pacer takes.
const NEVER_MS: i64 = 3_600_000;

/// How old the stock may be, in ms: nothing, if the projection has seen the last beat before this one; else the time since
/// the beat that it has seen.
fn age_ms(before: Option<Clock>, seen: Option<(u64, WallMs)>, wall: WallMs) -> i64 {
    match (before, seen) {
        (None, _) => 0,
        (Some(_), None) => NEVER_MS,
        (Some(before), Some((beat, _))) if beat >= before.beat => 0,
        (Some(_), Some((_, at))) => wall.since(at).max(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::EventMs;

    #[test]
    fn the_stock_is_as_old_as_the_beat_the_projection_has_seen() {
        let clock = |beat| Some(Clock { beat, wall: WallMs(9_000), event: EventMs(0), run_ms: 3_000 });
        let seen = |beat: u64, wall| Some((beat, WallMs(wall)));
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
