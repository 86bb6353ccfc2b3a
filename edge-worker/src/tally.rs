//! What an isolate counts of requests and refusals, until it hands the counts on to a shard: by kind and by code, no more.
//!
//! The Pacer learns the shards' counts with each beat and adds them up. An isolate that ends before it has handed on takes a
//! few seconds' counts along; nothing but the report afterwards rests on them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::ids::EventId;
use domain::report::{Kind, Tally};
use domain::time::WallMs;
use serde::Deserialize;
use worker::Env;

use crate::answer::Answer;
use crate::cache;
use crate::call::Call;
use crate::objects;
use crate::problem::Problem;
use crate::wire::shard_op;

/// How long an isolate keeps counts to itself, in milliseconds.
const KEPT_MS: i64 = 5_000;

/// Counts of one event.
#[derive(Default)]
struct Counted {
    tally: Tally,
    handed: WallMs,
}

thread_local! {
    static COUNTS: RefCell<BTreeMap<String, Counted>> = const { RefCell::new(BTreeMap::new()) };
}

/// A problem document, as far as it is counted.
#[derive(Deserialize)]
struct Document {
    code: String,
}

/// Counts a request for something below an event's address. Events that no shard told of are nobody's.
pub fn request(event: &str, path: &str) {
    with(event, |tally| tally.request(Kind::of(path)));
}

/// Counts a refusal.
pub fn refusal(event: &str, code: &str) {
    with(event, |tally| tally.refusal(code));
}

/// Counts the refusal that a problem document of the origin tells.
pub fn refused(event: &str, document: &str) {
    if let Ok(Document { code }) = serde_json::from_str(document) {
        refusal(event, &code);
    }
}

fn with(event: &str, count: impl FnOnce(&mut Tally)) {
    COUNTS.with_borrow_mut(|all| match all.get_mut(event) {
        Some(counted) => count(&mut counted.tally),
        None if cache::knows(event) => count(&mut all.entry(event.to_owned()).or_default().tally),
        None => {}
    });
}

/// Counts a call that was answered the long way. What the origin refused was counted where its answer was read.
pub fn answered(call: &Call, answer: &Answer) -> Option<EventId> {
    let below = call.url.path().strip_prefix("/v1/events/")?;
    let (event, path) = below.split_once('/').unwrap_or((below, ""));
    let event: EventId = event.parse().ok()?;
    request(event.as_str(), path);
    if let Err(problem) = answer {
        refusal(event.as_str(), &problem.word());
    }
    Some(event)
}

/// The counts that are due to be handed on.
pub fn due(event: &EventId, now: WallMs) -> Option<Tally> {
    COUNTS.with_borrow_mut(|all| {
        let counted = all.get_mut(event.as_str())?;
        if counted.tally.is_empty() || now.since(counted.handed) < KEPT_MS {
            return None;
        }
        counted.handed = now;
        Some(std::mem::take(&mut counted.tally))
    })
}

/// Hands counts on; what no shard takes is kept for the next time.
pub async fn hand_on(env: Env, event: EventId, tally: Tally) {
    let handed: Result<(), Problem> = match objects::shard(&env, &event, cache::favourite_of(&event)) {
        Ok(shard) => objects::ask(&shard, shard_op::TALLY, &tally).await,
        Err(problem) => Err(problem),
    };
    if handed.is_err() {
        with(event.as_str(), |kept| kept.add(&tally));
    }
}
