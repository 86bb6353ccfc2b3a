//! What joining and being admitted cost the edge, in processor time: Worker and Durable Objects together, with the
//! heartbeat that goes on meanwhile.

use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt, TryStreamExt};
use onsale::fan::Api;
use serde_json::json;
use tests::scene::wait;

use crate::cpu;

/// Accounts that join; one call of the operator mints a thousand.
const ACCOUNTS: usize = 2_000;
const AT_ONCE: usize = 32;

/// Joins, then waits until all have their turn, then claims them.
pub async fn costs(api: &Api, operator_key: &str, edge: u32) -> anyhow::Result<()> {
    let names: Vec<String> = (0..ACCOUNTS).map(|fan| format!("fan-{fan}")).collect();
    let mut accounts = Vec::new();
    for some in names.chunks(1_000) {
        accounts.extend(api.rehearsal_accounts(operator_key, some).await?);
    }
    let joined = each("join", edge, &accounts, async |account| Ok(api.join(account).await?.token)).await?;
    api.desk(operator_key).order("rate", &json!({ "per_minute": 120_000 })).await?;
    wait("everybody's turn", Duration::from_secs(120), async || {
        Ok(api.status().await.is_ok_and(|status| status.admitted >= ACCOUNTS as u64))
    })
    .await?;
    let numbered = each("number", edge, &joined, async |place| Ok(api.line(place).await?.token)).await?;
    each("admission", edge, &numbered, async |place| Ok(api.admission(place).await?)).await?;
    Ok(())
}

/// Does it for each, and prints what one cost.
async fn each(
    what: &str,
    edge: u32,
    tokens: &[String],
    call: impl AsyncFn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<Vec<String>> {
    let (before, started) = (cpu::used_ms(edge)?, Instant::now());
    let calls = stream::iter(tokens).map(|token| call(token));
    let done: Vec<String> = calls.buffered(AT_ONCE).try_collect().await?;
    let (seconds, used) = (started.elapsed().as_secs_f64(), cpu::used_ms(edge)? - before);
    let count = done.len() as f64;
    println!(
        "| {what}, {AT_ONCE} at once, each s · CPU µs of the edge | {:.0} · {:.0} |",
        count / seconds,
        used * 1e3 / count
    );
    Ok(done)
}
