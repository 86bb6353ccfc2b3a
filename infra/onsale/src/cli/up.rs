//! `onsale up`.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::args::UpArgs;
use super::home::Home;
use super::progress::Progress;
use crate::crowd::{self, CrowdPlan};
use crate::edge::Profile;
use crate::event::Demo;
use crate::fan::Api;
use crate::on_sale::{self, put_on_sale};
use crate::stack::{Ready, Stack, StackOptions};

/// From "ready" to the opening; the import before takes a few seconds more.
const OPENS_AFTER: Duration = Duration::from_secs(64);
/// Over what time the crowd arrives.
const CROWD_ARRIVES_OVER: Duration = Duration::from_secs(240);
/// The file that names the demo event of the last start.
const LAST: &str = "demo-event";

pub(super) async fn run(home: &Home, args: UpArgs) -> anyhow::Result<()> {
    let began = Instant::now();
    let progress = Progress::new();
    let stack = start(home, &args).await?;
    close_last(home, &stack).await;
    let demo = demo(home, &stack, &progress).await?;
    let ready = stack.ready(Some(&demo.id));
    ready.write(&home.folder().join(Ready::FILE))?;
    if let Some(file) = &args.ready_file {
        ready.write(file).with_context(|| format!("{} cannot be written", file.display()))?;
    }
    tell(&ready, &demo, began.elapsed());
    let crowd = tokio::spawn(crowd_of(ready, args.crowd));
    interrupted().await?;
    crowd.abort();
    eprintln!("stopping");
    stack.stop().await;
    Ok(())
}

async fn start(home: &Home, args: &UpArgs) -> anyhow::Result<Stack> {
    // The builds block for as long as they take; ctrl-c ends them with us.
    let artifacts = tokio::task::spawn_blocking(move || crate::build::all(Profile::Dev, &Progress::new())).await??;
    let mut options = StackOptions::new(artifacts);
    options.state = Some(home.folder().to_owned());
    options.listen = args.listen;
    options.oidc = args.oidc_issuer.clone().zip(args.oidc_client.clone());
    options.dynamodb_endpoint.clone_from(&args.dynamodb_endpoint);
    let progress = Progress::new();
    progress.start("starting the parts");
    let stack = Stack::start(options).await?;
    progress.end();
    Ok(stack)
}

/// The demo of the last start would go on beating for ever; its on-sale is over.
async fn close_last(home: &Home, stack: &Stack) {
    if let Ok(last) = std::fs::read_to_string(home.folder().join(LAST))
        && let Err(error) = on_sale::close(stack.edge_url(), stack.operator_key(), last.trim()).await
    {
        tracing::debug!(%error, "the last demo was not closed");
    }
}

async fn demo(home: &Home, stack: &Stack, progress: &Progress) -> anyhow::Result<Demo> {
    let demo = Demo::opening(jiff::Timestamp::now(), OPENS_AFTER);
    progress.start("importing the stadium");
    let mut imported = demo.read()?;
    imported.definition.beacon = Some(stack.beacon_chain());
    put_on_sale(stack, &imported, |done, of| progress.note(done, of)).await?;
    std::fs::write(home.folder().join(LAST), &demo.id)?;
    progress.end();
    Ok(demo)
}

fn tell(ready: &Ready, demo: &Demo, took: Duration) {
    let opens_in = demo.opens_at.as_second() - jiff::Timestamp::now().as_second();
    println!("\nready in {:.1} s; the on-sale opens in {opens_in} s", took.as_secs_f64());
    println!("Fan:      {}/e/{}", ready.edge, demo.id);
    println!("Operator: {}/operator/{}   key: {}", ready.edge, demo.id, ready.operator_key);
    println!(
        "Try:      `onsale kill booking`, `onsale start booking`, `onsale audit` (as `cargo run -- kill booking`)"
    );
    println!("Ctrl-c ends everything.");
}

async fn crowd_of(ready: Ready, fans: u32) {
    let Some(event) = ready.event.filter(|_| fans > 0) else { return };
    let plan = CrowdPlan { fans, arrive_over: CROWD_ARRIVES_OVER, seed: rand::random() };
    crowd::run(Api::new(&ready.edge, &event), plan).await;
}

/// Ctrl-c, or a polite end by another process.
async fn interrupted() -> std::io::Result<()> {
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated.recv() => Ok(()),
    }
}
