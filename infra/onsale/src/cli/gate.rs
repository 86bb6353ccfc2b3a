//! `onsale gate …`: the list, the scans, and what devices know of each other.

use std::io::BufRead as _;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use domain::gate::{Report, Scan, Verdict};
use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::time::WallMs;
use serde_json::json;
use table::Table;

use super::event::when;
use super::home::Home;
use crate::gate::{Kit, list};
use crate::stack::State;

/// Commands of the gate.
#[derive(Debug, Subcommand)]
pub(super) enum GateCommand {
    /// Write a gate kit: the event's public keys, its layout, and the signed list of what was given back or sold again
    List(ListArgs),
    /// Check tickets with a kit, without a network: as arguments, or one a line as a scanner types them
    Verify(VerifyArgs),
    /// Take in the scans of other devices, and tell who was let in twice
    Sync(SyncArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// The event (default: the running stack's)
    pub event: Option<String>,
    /// Where the kit is written
    #[arg(long, value_name = "DIR", default_value = "gate")]
    pub kit: PathBuf,
    /// An edge that is not the local stack's; the table is then the one of TABLE_NAME and AWS_*, and the ticket keys
    /// follow from ONSALE_MASTER_KEYS
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// What QR codes say; none: lines from standard input
    pub payloads: Vec<String>,
    /// The kit
    #[arg(long, value_name = "DIR", default_value = "gate")]
    pub kit: PathBuf,
    /// This device's name; no two may share one
    #[arg(long, value_name = "NAME")]
    pub device: String,
    /// Print each scan as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct SyncArgs {
    /// Files with scans of other devices (their kit's scans.jsonl, or saved by the phone page)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The kit
    #[arg(long, value_name = "DIR", default_value = "gate")]
    pub kit: PathBuf,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

pub(super) async fn run(home: &Home, command: GateCommand) -> anyhow::Result<()> {
    match command {
        GateCommand::List(args) => write(home, args).await,
        GateCommand::Verify(args) => verify(&args),
        GateCommand::Sync(args) => sync(&args),
    }
}

async fn write(home: &Home, args: ListArgs) -> anyhow::Result<()> {
    let (table, keys, edge, known) = match args.url {
        Some(url) => deployed(url).await?,
        None => {
            let ready = home.ready()?;
            (State::table_of(&ready)?, State::keys_of(&ready)?, ready.edge, ready.event)
        }
    };
    let event: EventId = args.event.or(known).context("name the event")?.parse().context("that is no event id")?;
    let of_event = format!("{edge}/v1/events/{event}");
    let (announced, layout) = (fetched(&of_event).await?, fetched(&format!("{of_event}/layout")).await?);
    let list = list(&table, &keys, &event, when::now()).await?.with_context(|| format!("there is no event {event}"))?;
    Kit::write(&args.kit, &announced, &list, &layout)?;
    println!(
        "{} is ready: copy it to each device, and write it again when tickets were given back",
        args.kit.display()
    );
    Ok(())
}

async fn fetched(url: &str) -> anyhow::Result<String> {
    let answer = reqwest::get(url).await.context("the edge does not answer")?;
    Ok(answer.error_for_status()?.text().await?)
}

async fn deployed(url: String) -> anyhow::Result<(Table, MasterKeys, String, Option<String>)> {
    let variable = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
    let table = Table::from_env(variable("TABLE_NAME")?).await;
    let keys = MasterKeys::parse(&variable("ONSALE_MASTER_KEYS")?)?;
    Ok((table, keys, url.trim_end_matches('/').to_owned(), None))
}

/// Answers every payload; when they were given as arguments, a refused one makes the command fail.
fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let mut kit = Kit::open(&args.kit, &args.device)?;
    if args.payloads.is_empty() {
        for line in std::io::stdin().lock().lines() {
            tell(&kit.scan(&line?, when::now())?, &kit, args.json);
        }
        return Ok(());
    }
    let mut refused = 0;
    for payload in &args.payloads {
        let scan = kit.scan(payload, when::now())?;
        tell(&scan, &kit, args.json);
        refused += usize::from(scan.said != Verdict::Admitted);
    }
    if refused > 0 { bail!("{refused} of {} refused", args.payloads.len()) } else { Ok(()) }
}

fn tell(scan: &Scan, kit: &Kit, as_json: bool) {
    if as_json {
        return println!("{}", json!(scan));
    }
    let place = scan.place.as_deref().unwrap_or_default();
    match (scan.said, kit.first(scan)) {
        (Verdict::Already, Some(first)) => {
            println!("NO   {place}: in since {}, by the device {}", clock(first.at), first.device);
        }
        (Verdict::Admitted, _) => println!("IN   {place}"),
        (said, _) => println!("NO   {place}{}{}", if place.is_empty() { "" } else { ": " }, means(said)),
    }
}

const fn means(said: Verdict) -> &'static str {
    match said {
        Verdict::NoTicket => "this is no ticket",
        Verdict::WrongEvent => "a ticket of another event",
        Verdict::UnknownKey => "signed with a key that this event does not have",
        Verdict::Forged => "forged or damaged",
        Verdict::TooEarly => "the gate is not open yet",
        Verdict::Over => "the event is over",
        Verdict::Revoked => "given back, or the seat was sold again",
        Verdict::Already => "in already",
        Verdict::Admitted => "let in",
    }
}

fn sync(args: &SyncArgs) -> anyhow::Result<()> {
    let report = Kit::meet(&args.kit, &args.files)?.report();
    if args.json {
        println!("{}", json!(report));
    } else {
        print!("{}", shown(&report));
    }
    Ok(())
}

fn shown(report: &Report) -> String {
    let mut text = format!("{} scans: {} tickets let in", report.scans, report.tickets);
    for (said, count) in &report.refused {
        text += &format!(", {count} refused ({})", means(*said));
    }
    text += &format!(", {} let in again\n", report.doubles);
    for conflict in &report.conflicts {
        let first = &conflict.first;
        let place = first.place.as_deref().unwrap_or_default();
        text += &format!("CONFLICT {place}: {} at {}", first.device, clock(first.at));
        conflict.later.iter().for_each(|scan| text += &format!(", then {} at {}", scan.device, clock(scan.at)));
        text += "\n";
    }
    text
}

fn clock(at: WallMs) -> String {
    jiff::Timestamp::from_millisecond(at.0).unwrap_or_default().strftime("%H:%M:%S UTC").to_string()
}
