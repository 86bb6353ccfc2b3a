//! Cutting: from the cut on, nobody counts from before it.

use domain::cohort::{CutAnswer, is_late};
use domain::keys::KeyKind;
use worker::Env;

use super::{Inner, numbers};
use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::wire::CutAsk;

/// Cuts, durably before the answer leaves. No `await` between reading the log and writing the cut.
///
/// First it takes in the row before: a Pacer that is restored from the shards' rows must never fall behind their cuts.
pub async fn cut(inner: &Inner, config: &Config, ask: &CutAsk, env: &Env) -> Result<CutAnswer, Problem> {
    numbers::reach(inner, ask.cut.k, env).await?;
    let mut facts = inner.facts.borrow_mut();
    if is_late(ask.beat, facts.last.beat) {
        return Err(Problem::because(Code::BadRequest, "a later beat was here"));
    }
    let shard = facts.shard.as_ref().ok_or(Code::LineUnavailable)?;
    let key = facts.event.as_ref().ok_or(Code::NotFound)?.lasting_key(&config.keys, KeyKind::Pseudonym)?;
    let leaves = inner.store.leaves(&shard.cut_range(&ask.cut), &key)?;
    let refused = |error: domain::cohort::CutRefused| Problem::because(Code::BadRequest, error.to_string());
    let (next, answer) = shard.cut(&ask.cut, &leaves).map_err(refused)?;
    inner.store.db.put("shard", &next)?;
    facts.shard = Some(next);
    Ok(answer)
}
