//! `onsale rehearse`: with a stack of its own, unless an edge is named.

use std::time::Duration;

use anyhow::{Context, bail};
use domain::time::WallMs;
use table::Table;

use super::args::RehearseArgs;
use super::progress::Progress;
use crate::audit::Payments;
use crate::build;
use crate::edge::Profile;
use crate::event::EventError;
use crate::fan::Api;
use crate::on_sale::{announce, put_on_sale};
use crate::rehearse::report::Report;
use crate::rehearse::{Script, Target, event, rehearse};
use crate::stack::{Stack, StackOptions};

/// From the import to the opening.
const OPENS_AFTER: Duration = Duration::from_secs(8);

pub(super) async fn run(args: RehearseArgs) -> anyhow::Result<()> {
    let stack = if args.url.is_none() { Some(own_stack(&args).await?) } else { None };
    let target = match &stack {
        Some(stack) => target_of(stack)?,
        None => deployed(args.url.as_deref().unwrap_or_default()).await?,
    };
    let opens = jiff::Timestamp::now().as_millisecond() + i64::try_from(OPENS_AFTER.as_millis())?;
    let id = format!("rehearsal-{opens:x}");
    let hall = event::hall(&id, args.seats, WallMs(opens)).map_err(EventError::Findings)?;
    let edge = stack.as_ref().map_or(args.url.as_deref().unwrap_or_default(), Stack::edge_url);
    match &stack {
        Some(stack) => put_on_sale(stack, &hall, |_, _| {}).await?,
        None => {
            target.table.import(&hall, |_, _| {}).await?;
            announce(edge, &target.operator_key, &hall.definition).await?;
        }
    }
    let target = Target { api: Api::new(edge, &id), ..target };
    let report = rehearse(&target, &Script::brisk(args.fans, args.seed)).await?;
    if let Some(stack) = stack {
        stack.stop().await;
    }
    tell(&report, args.json)
}

async fn own_stack(args: &RehearseArgs) -> anyhow::Result<Stack> {
    let artifacts = tokio::task::spawn_blocking(|| build::all(Profile::Dev, &Progress::new())).await??;
    let mut options = StackOptions::new(artifacts);
    if args.dynamodb_endpoint.is_some() {
        options.table = format!("onsale-rehearsal-{:08x}", rand::random::<u32>());
    }
    options.dynamodb_endpoint.clone_from(&args.dynamodb_endpoint);
    Ok(Stack::start(options).await?)
}

fn target_of(stack: &Stack) -> anyhow::Result<Target> {
    Ok(Target {
        api: Api::new(stack.edge_url(), ""),
        operator_key: stack.operator_key().to_owned(),
        table: stack.table(),
        payments: Payments::new(stack.payments_url(), stack.provider_key())?,
    })
}

async fn deployed(url: &str) -> anyhow::Result<Target> {
    let variable = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
    Ok(Target {
        api: Api::new(url, ""),
        operator_key: variable("ONSALE_OPERATOR_KEY")?,
        table: Table::from_env(variable("TABLE_NAME")?).await,
        payments: Payments::from_env()?,
    })
}

fn tell(report: &Report, json: bool) -> anyhow::Result<()> {
    let text = if json { serde_json::to_string(report)? } else { serde_json::to_string_pretty(report)? };
    println!("{text}");
    if !report.invariants_ok {
        bail!("an invariant does not hold; see the report");
    }
    Ok(())
}
