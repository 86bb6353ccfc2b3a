//! `onsale report`: what happened in an on-sale.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use domain::ids::EventId;

use super::event::{At, Place, when};
use super::home::Home;
use super::source::Source;
use crate::report::{Sources, gather, page, summary};
use crate::stream::DeadLetters;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The event
    pub event: EventId,
    /// Write the whole report with its charts into this file, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print all figures as one JSON object
    #[arg(long)]
    pub json: bool,
    /// An edge that is not the local stack's; table and payment provider are then those of TABLE_NAME, AWS_*, PROVIDER_URL and
    /// PROVIDER_KEY, and the operator's key that of ONSALE_OPERATOR_KEY
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A folder with dead letters, such as a copy of a deployment's bucket (default: the local stack's)
    #[arg(long, value_name = "DIR")]
    pub letters: Option<PathBuf>,
}

pub(super) async fn run(home: &Home, args: ReportArgs) -> anyhow::Result<()> {
    let deployed = args.url.is_some();
    let at = At { event: Some(args.event.to_string()), url: args.url, json: args.json };
    let (edge, key) = Place::find(home, at)?.edge_and_key();
    let Source { table, payments, .. } = Source::of(home, deployed).await?;
    let own = (!deployed).then(|| home.folder().join(DeadLetters::FOLDER));
    let sources = Sources { edge, event: args.event, key, table, payments, letters: args.letters.or(own) };
    let told = gather(&sources, when::now()).await?;
    if let Some(file) = &args.html {
        std::fs::write(file, page(&told)).with_context(|| file.display().to_string())?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&told)?);
    } else {
        print!("{}", summary(&told));
    }
    Ok(())
}
