//! What each beat brings: status, map, row, event. Only higher beats act.

use domain::time::WallMs;
use worker::Env;

use super::store::{Facts, Last};
use super::{Inner, numbers};
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
    Ok(answer(&inner.facts.borrow()))
}

fn copy(inner: &Inner, relay: &Relay, now: WallMs) -> Result<(), Problem> {
    let mut facts = inner.facts.borrow_mut();
    let db = &inner.store.db;
    if let Some(event) = &relay.event {
        db.put("event", event)?;
        facts.event = Some(event.clone());
    }
    let mut last = Last { beat: relay.beat, beat_ms: relay.beat_ms, closed: relay.closed, ..facts.last };
    if let Some(map) = &relay.map {
        db.put("map", map)?;
        last.map = map["version"].as_i64().unwrap_or_default();
    }
    db.put("status", &relay.status)?;
    db.put("last", &last)?;
    (facts.status, facts.last, facts.heard) = (Some(relay.status.clone()), last, now);
    Ok(())
}

fn answer(facts: &Facts) -> RelayAnswer {
    let shard = facts.shard.as_ref();
    RelayAnswer {
        claims: facts.claims,
        generation: shard.map_or(0, |shard| shard.generation),
        entries: shard.map_or(0, |shard| shard.early.len + shard.later.len),
        map: facts.last.map,
        edition: facts.event.as_ref().map_or(0, |event| event.edition),
    }
}
