//! What each beat brings: status, map, row, event. Only higher beats act.

use domain::time::WallMs;
use worker::Env;

use super::store::{Facts, Last};
use super::{Inner, late, numbers, session};
use crate::problem::Problem;
use crate::wire::{Relay, RelayAnswer};

/// Takes a beat in and answers what the shard has.
pub async fn take(inner: &Inner, relay: Relay, now: WallMs, env: &Env) -> Result<RelayAnswer, Problem> {
    let Relay { row, .. } = &relay;
    if relay.beat > inner.facts.borrow().last.beat {
        copy(inner, &relay, now)?;
    }
    if let Some(row) = row {
        numbers::take(inner, row.clone(), env).await?;
    }
    answer(inner, &relay)
}

fn copy(inner: &Inner, relay: &Relay, now: WallMs) -> Result<(), Problem> {
    let mut facts = inner.facts.borrow_mut();
    let db = &inner.store.db;
    if let Some(event) = &relay.event {
        db.put("event", event)?;
        facts.event = Some(event.clone());
    }
    let mut last =
        Last { beat: relay.beat, beat_ms: relay.beat_ms, closed: relay.closed, lapsed: relay.lapsed, ..facts.last };
    if let Some(map) = &relay.map {
        db.put("map", map)?;
        last.map = map.get("version").and_then(serde_json::Value::as_i64);
    }
    late::give(db, relay.turns)?;
    db.put("status", &relay.status)?;
    db.put("last", &last)?;
    (facts.status, facts.last, facts.heard) = (Some(relay.status.clone()), last, now);
    Ok(())
}

fn answer(inner: &Inner, relay: &Relay) -> Result<RelayAnswer, Problem> {
    let facts = inner.facts.borrow();
    let Facts { event, shard, last, .. } = &*facts;
    let window = event.as_ref().map_or(0, |event| event.claim_window_ms);
    let (late_waiting, late) = late::waiting(&inner.store.db)?;
    Ok(RelayAnswer {
        claims: session::claims(&inner.store.db, relay.event_ms, relay.lapsed, window)?,
        late_waiting,
        late,
        generation: shard.as_ref().map_or(0, |shard| shard.generation),
        entries: shard.as_ref().map_or(0, |shard| shard.early.len + shard.later.len),
        map: last.map,
        edition: event.as_ref().map_or(0, |event| event.edition),
    })
}
