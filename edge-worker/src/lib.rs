//! The edge of Onsale: keeps the line, shows it, and lets only those through whose turn has come.
//!
//! A stateless front ([`router`]) checks credentials and forwards; two Durable Objects keep facts:
//! [`shard::LineShard`] (a part of the line) and [`pacer::Pacer`] (one per event: its heartbeat).
//! Each loads facts, calls a rule of `domain`, and commits what the rule answered.
//!
//! It deliberately knows nothing of holds, money or the table: stock and map are the origin's words,
//! handed on, the map in the bytes that `domain::map::chart` makes of it. It never calls the origin for a request whose token it has not checked.
//!
//! A panic here ends the WebAssembly instance and with it every call in flight (see `shim.mjs`), so
//! whatever can panic is refused at compile time.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo
    )
)]

mod alone;
mod answer;
mod at_hand;
mod beacon;
mod cache;
mod call;
mod clock;
mod colo;
mod config;
mod credentials;
mod document;
mod door;
mod draw;
mod event;
mod fault;
mod objects;
mod oidc;
mod operator;
mod origin;
mod outside;
mod pacer;
mod plain;
mod problem;
mod router;
mod routes;
mod search;
mod seat_map;
mod shard;
mod shelf;
mod sql;
mod tally;
mod wire;

use worker::{Context, Env, Request, Response, event};

use call::Call;

/// The entry of every request that [`at_hand`] does not answer.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> worker::Result<Response> {
    let mut call = Call::new(request, env)?;
    let result = router::route(&mut call).await;
    if let Some(event) = tally::answered(&call, &result)
        && let Some(counts) = tally::due(&event, clock::now())
    {
        context.wait_until(tally::hand_on(call.env.clone(), event, counts));
    }
    answer::finish(&call, result)
}
