//! Measures the figures of docs/figures.md, with fixed inputs, on the release build:
//!
//! `cargo run --release --example figures`
//!
//! With the argument `edge` only the edge is measured, and only the Worker is built for release. Processor times then count
//! as well; rates are those of whatever build asks.
//!
//! With the argument `units` only what an order writes is measured, and nothing is built but this program.
//!
//! With the argument `search` only searches among 100,000 events are measured, on the development build of the Worker: the work is
//! the runtime's own.
//!
//! Ratios are taken within this one run, in alternating rounds, because machines are noisy.

mod baseline;
#[allow(dead_code)] // measuring needs a part of it
#[path = "../../tests/box_office/bench.rs"]
mod bench;
mod cpu;
mod holds;
mod line;
mod load;
mod machine;
mod meter;
mod routes;
mod search;
mod units;

use std::time::Duration;

use onsale::build::{self, Artifacts, BuildError};
use onsale::edge::Profile;
use onsale::on_sale::put_on_sale;
use onsale::rehearse::hall;
use onsale::stack::{Stack, StackOptions};
use tests::Origin;
use tests::scene::{now, wait};

/// Seats of the hall in which holds are measured.
const SEATS: u32 = 4_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("units") => return units::measure().await,
        Some("search") => return search::measure().await,
        _ => {}
    }
    eprintln!("building for release; this takes some minutes the first time");
    let edge_only = std::env::args().nth(1).is_some_and(|word| word == "edge");
    let built = tokio::task::spawn_blocking(move || artifacts(edge_only)).await??;
    let mut options = StackOptions::new(built.clone());
    // The stack's own process hosts the emulator; the janitor would only be noise.
    options.janitor_every = Duration::from_secs(60);
    let stack = Stack::start(options).await?;
    let event = hall("figures", SEATS, now()).map_err(|findings| anyhow::anyhow!("{findings:?}"))?;
    put_on_sale(&stack, &event, |_, _| {}).await?;
    let api = onsale::fan::Api::new(stack.edge_url(), "figures");
    wait("an open on-sale", Duration::from_secs(60), async || Ok(api.status().await.is_ok_and(|s| s.phase == "open")))
        .await?;

    println!("| what | figure |\n|---|---|");
    let (edge, origin) = (cpu::child("workerd")?, Origin::at(&stack, &event)?);
    routes::beside_the_least(&built.edge, stack.edge_url(), edge, &origin.access(0)).await?;
    line::costs(&api, stack.operator_key(), edge).await?;
    if !edge_only {
        holds::at_callers(&origin, &[1, 16, 64]).await?;
        units::measure().await?;
        machine::sizes(&built)?;
        machine::memory()?;
    }
    stack.stop().await;
    Ok(())
}

fn artifacts(edge_only: bool) -> Result<Artifacts, BuildError> {
    if !edge_only {
        return build::all(Profile::Release, &());
    }
    let built = build::all(Profile::Dev, &())?;
    Ok(Artifacts { edge: onsale::edge::build(Profile::Release)?, ..built })
}
