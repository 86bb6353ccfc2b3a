//! The data centre's cache: between an isolate's memory and those who know, so that the many isolates of a data centre
//! ask a shard about as often as one would.
//!
//! The same rule as in memory decides (see [`Lot::serves`]): whoever finds a copy that is due says in the cache that it
//! refreshes it, and the others take the last one meanwhile. The cache promises no order, so now and then two refresh.
//! Without a cache (it may be switched off for a host name) more calls are made, and nothing else changes.

use domain::draw::file_hash;
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Cache, Env, Headers, Response};

use crate::clock;
use crate::config::Config;
use crate::problem::Problem;
use crate::shelf::Lot;

/// Version of what is kept; with another one nothing of before is found.
const VERSION: u8 = 1;
/// Shortest and longest time that a copy is kept, in seconds; whether it is good its own times say.
const KEPT_S: (i64, i64) = (10, 86_400);

/// The copy under `key` by way of the data centre, or by `ask` and then kept there.
pub async fn relayed<T: Serialize + DeserializeOwned>(
    env: &Env,
    key: &str,
    ask: impl AsyncFnOnce() -> Result<Lot<T>, Problem>,
) -> Result<Lot<T>, Problem> {
    let address = address(env, key)?;
    if let Some(lot) = read::<T>(&address).await {
        let now = clock::now();
        if lot.serves(now) {
            return Ok(lot);
        }
        write(&address, &Lot { refresh: now, ..lot }).await;
    }
    let lot = ask().await?;
    write(&address, &lot).await;
    Ok(lot)
}

/// A deployment keeps its copies apart from those of others in the same zone, by its origin.
fn address(env: &Env, key: &str) -> Result<String, Problem> {
    let origin = file_hash(Config::of(env)?.origin_url.as_bytes());
    Ok(format!("https://onsale.invalid/{VERSION}/{origin}/{key}"))
}

async fn read<T: DeserializeOwned>(address: &str) -> Option<Lot<T>> {
    let mut kept = Cache::default().get(address, false).await.ok()??;
    kept.json().await.ok()
}

async fn write<T: Serialize>(address: &str, lot: &Lot<T>) {
    if let Ok(copy) = copy(lot) {
        let _ = Cache::default().put(address, copy).await;
    }
}

fn copy<T: Serialize>(lot: &Lot<T>) -> worker::Result<Response> {
    let (least, most) = KEPT_S;
    let seconds = (lot.fresh.since(clock::now()) / 1_000).clamp(least, most);
    let headers = Headers::new();
    headers.set("Content-Type", "application/json")?;
    headers.set("Cache-Control", &format!("public, max-age={seconds}"))?;
    Ok(Response::ok(serde_json::to_string(lot)?)?.with_headers(headers))
}
