//! `onsale findings`: what the nightly audit keeps for a person.

use domain::audit::{Counts, Stage, Stored, Walk};
use serde_json::json;

use super::args::FindingsArgs;
use super::audit::Differences;
use super::event::when;
use super::home::Home;
use super::source::Source;

pub(super) async fn run(home: &Home, args: FindingsArgs) -> anyhow::Result<()> {
    let table = Source::table(home, args.deployed).await?;
    let mut findings = table.findings(Some(&args.event)).await?;
    findings.extend(table.findings(None).await?);
    findings.sort_by_key(|stored| (stored.first, stored.id()));
    let walk = table.walk().await?;
    if args.json {
        println!("{}", json!({ "findings": findings, "walk": walk }));
    } else {
        findings.iter().for_each(|stored| println!("{}", line(stored)));
        println!("{}", told(walk.as_ref()));
    }
    if findings.is_empty() { Ok(()) } else { Err(Differences(findings.len()).into()) }
}

fn line(stored: &Stored) -> String {
    let Stored { finding, first, last, event } = stored;
    let whose = if event.is_none() { " (of no known event)" } else { "" };
    let at = |ms: i64| when::shown(ms, "UTC");
    format!(
        "{}  {}: {}{whose}; first seen {}, last {}",
        finding.code,
        finding.subject,
        finding.note,
        at(first.0),
        at(last.0)
    )
}

/// What the last walk, or the one under way, looked at.
fn told(walk: Option<&Walk>) -> String {
    let Some(walk) = walk else { return "no walk has begun yet".to_owned() };
    let Counts { items, payments, findings, left_behind } = walk.counts;
    let state = match &walk.stage {
        Stage::Done => format!("ended {}", when::shown(walk.at.0, "UTC")),
        Stage::Table { .. } | Stage::Payments { .. } => "is under way".to_owned(),
    };
    let begun = when::shown(walk.began.0, "UTC");
    format!(
        "the walk of {begun} {state}: {items} items, {payments} payments, {findings} findings, {left_behind} pages left behind"
    )
}
