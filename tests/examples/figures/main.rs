//! Measures the figures of docs/figures.md, with fixed inputs, on the release build:
//!
//! `cargo run --release -p tests --example figures`
//!
//! Ratios are taken within this one run, in alternating rounds, because machines are noisy.

mod baseline;
mod cpu;
mod holds;
mod line;
mod load;
mod machine;

use std::time::Duration;

use anyhow::Context;
use load::Ask;
use onsale::build;
use onsale::edge::{EdgeBundle, Profile};
use onsale::on_sale::put_on_sale;
use onsale::rehearse::hall;
use onsale::stack::{Stack, StackOptions};
use reqwest::{Method, StatusCode};
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
    let (edge, origin) = (cpu::child("workerd", None)?, Origin::at(&stack, &event)?);
    hot_routes(&built.edge, &stack, edge, &origin).await?;
    line::costs(&api, stack.operator_key(), edge).await?;
    holds::at_callers(&origin, &[1, 16, 64]).await?;
    machine::sizes(&built)?;
    machine::memory()?;
    stack.stop().await;
    Ok(())
}

/// The routes that a crowd presses, beside the least that a Worker can do.
async fn hot_routes(built: &EdgeBundle, stack: &Stack, edge: u32, origin: &Origin) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let least = baseline::start(built, folder.path()).await?;
    let base = format!("{}/v1/events/figures", stack.edge_url());
    let access = origin.access(0);
    let map: serde_json::Value = reqwest::Client::new()
        .get(format!("{base}/seatmap"))
        .header("X-Access-Token", &access)
        .send()
        .await?
        .json()
        .await?;
    let ask =
        |what, method, url, access: &str, status| Ask { what, pid: edge, method, url, access: access.into(), status };
    let (get, ok) = (Method::GET, StatusCode::OK);
    let text = ask("static text of a minimal JavaScript worker", get.clone(), least.url(), "", ok);
    let pid = least.pid().context("a running worker")?;
    load::compare(&[
        Ask { pid, ..text },
        ask("static text of this worker, the long way", get.clone(), format!("{}/v1/ping", stack.edge_url()), "", ok),
        ask("status file", get.clone(), format!("{base}/status.json"), "", ok),
        ask("token check, good: unchanged map", get, format!("{base}/seatmap?since={}", map["version"]), &access, ok),
        ask(
            "token check, bad: hold refused",
            Method::POST,
            format!("{base}/holds"),
            "forged",
            StatusCode::UNAUTHORIZED,
        ),
    ])
    .await
}
