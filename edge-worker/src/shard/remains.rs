//! What is left here for a Pacer that lost its storage.

use domain::cohort::Remains;

use super::session::Lapsed;
use super::{Inner, numbers, relay};
use crate::problem::Problem;
use crate::wire::{RemainsAsk, RemainsTold};

/// Promises, durably, that nothing below this beat acts any more; then tells what is here.
pub fn tell(inner: &Inner, ask: &RemainsAsk) -> Result<RemainsTold, Problem> {
    let seen = inner.facts.borrow().last.beat;
    if ask.beat > seen {
        let mut facts = inner.facts.borrow_mut();
        facts.last.beat = ask.beat;
        inner.store.db.put("last", &facts.last)?;
    }
    let facts = inner.facts.borrow();
    let generation = facts.shard.as_ref().map(|shard| shard.generation);
    let remains = Remains { shard: inner.number, seen, generation, newest: numbers::newest(inner)? };
    let lapsed = Lapsed { main: facts.last.lapsed, lanes: &facts.last.lapsed_lanes };
    let answer = relay::answer(inner, facts.last.event_ms, &lapsed)?;
    Ok(RemainsTold { remains, event: facts.event.clone(), facts: inner.store.db.get("facts")?, answer })
}
