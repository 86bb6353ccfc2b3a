//! Measures the figures of docs/figures.md, with fixed inputs, on the release build:
//!
//! `cargo run --release -p tests --example figures`
//!
//! Ratios are taken within this one run, in alternating rounds, because machines are noisy.

mod holds;
mod load;
mod machine;

use std::time::Duration;

use onsale::build;
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
    eprintln!("building for release; this takes some minutes the first time");
    let built = tokio::task::spawn_blocking(|| build::all(Profile::Release, &())).await??;
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
    load::status_against_text(stack.edge_url(), "figures").await?;
    holds::at_callers(&Origin::at(&stack, &event)?, &[1, 16, 64]).await?;
    machine::sizes(&built)?;
    machine::memory()?;
    stack.stop().await;
    Ok(())
}
