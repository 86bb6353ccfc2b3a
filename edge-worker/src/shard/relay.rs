//! What each beat brings: status, map, row, event. Only higher beats act. And what of it readers get.

use domain::cohort::is_late;
use domain::time::{EventMs, WallMs};
use worker::Env;

use super::session::Lapsed;
use super::store::{Facts, Last};
use super::{Inner, args, forget, late, numbers, registered, session, slowed, tally, text};
use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::wire::{Relay, RelayAnswer, View, shard_op};

/// The copy that a reader asks for.
pub fn read(inner: &Inner, config: &Config, op: &str, body: &str) -> Result<String, Problem> {
    inner.reads.set(inner.reads.get().saturating_add(1));
    let facts = inner.facts.borrow();
    match op {
        shard_op::VIEW => text(&View { event: facts.event.clone().ok_or(Code::NotFound)?, closed: facts.last.closed }),
        shard_op::STATUS => text(&facts.status.clone().ok_or(Code::LineUnavailable)?),
        shard_op::MAP => inner.store.map()?.ok_or_else(|| Code::MapUnavailable.into()),
        shard_op::COUNTS => inner.store.counts()?.ok_or_else(|| Code::MapUnavailable.into()),
        shard_op::DRAW => numbers::draw(inner, config, &args(body)?),
        shard_op::SEAL => numbers::seal(inner, config),
        _ => Err(Code::NotFound.into()),
    }
}

/// Takes a beat in and answers what the shard has.
pub async fn take(inner: &Inner, relay: Relay, now: WallMs, env: &Env) -> Result<RelayAnswer, Problem> {
    let Relay { row, .. } = &relay;
    if is_late(relay.beat, inner.facts.borrow().last.beat) {
        return Err(Problem::because(Code::BadRequest, "a later beat was here"));
    }
    if relay.beat > inner.facts.borrow().last.beat {
        copy(inner, &relay, now)?;
    }
    if let Some(row) = row {
        numbers::take(inner, row.clone(), env).await?;
    }
    forget::when_due(inner, now)?;
    answer(inner, relay.event_ms, &Lapsed { main: relay.lapsed, lanes: &relay.lapsed_lanes })
}

fn copy(inner: &Inner, relay: &Relay, now: WallMs) -> Result<(), Problem> {
    let mut facts = inner.facts.borrow_mut();
    let db = &inner.store.db;
    if let Some(event) = &relay.event {
        db.put("event", event)?;
        facts.event = Some(event.clone());
    }
    let Relay { beat, beat_ms, closed, lapsed, lapsed_lanes, invited, event_ms, rev, .. } = *relay;
    let mut last = Last { beat, beat_ms, closed, lapsed, lapsed_lanes, invited, event_ms, rev, ..facts.last };
    if let Some(map) = &relay.map {
        db.put("chart", map)?;
        last.map = Some(map.version);
    }
    if let Some(counts) = &relay.counts {
        db.put("counts", counts)?;
        last.counts = Some(counts.version);
    }
    if let Some(seal) = &relay.seal {
        db.put("seal", seal)?;
    }
    late::give(db, relay.turns)?;
    db.put("facts", &(relay.beat, &relay.facts))?;
    db.put("status", &relay.status)?;
    db.put("last", &last)?;
    (facts.status, facts.last, facts.heard) = (Some(relay.status.clone()), last, now);
    Ok(())
}

/// What the shard has, counted at that event time with places up to `lapsed` past their window.
pub fn answer(inner: &Inner, now: EventMs, lapsed: &Lapsed<'_>) -> Result<RelayAnswer, Problem> {
    let facts = inner.facts.borrow();
    let Facts { event, shard, last, .. } = &*facts;
    let window = event.as_ref().map_or(0, |event| event.claim_window_ms);
    let (late_waiting, late) = late::waiting(&inner.store.db)?;
    Ok(RelayAnswer {
        claims: session::claims(&inner.store.db, now, lapsed, window)?,
        late_waiting,
        late,
        generation: shard.as_ref().map_or(0, |shard| shard.generation),
        entries: shard.as_ref().map_or(0, |shard| shard.early.len + shard.later.len),
        map: last.map,
        counts: last.counts,
        edition: event.as_ref().map_or(0, |event| event.edition),
        reads: inner.reads.get(),
        slowed: slowed::count(&inner.store.db)?,
        withdrawn: registered::withdrawn(inner, last.invited)?,
        tally: tally::all(&inner.store.db)?,
    })
}
