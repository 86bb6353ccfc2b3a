//! `onsale search`: the index of events at the edge.

use anyhow::Context;
use clap::{Args, Subcommand};
use domain::keys::MasterKeys;
use table::Table;

use super::home::Home;
use super::progress::Progress;
use super::source::Source;
use crate::search::Index;
use crate::stack::State;

/// What can be done to the index.
#[derive(Debug, Subcommand)]
pub(super) enum SearchCommand {
    /// Fill it anew from the table, and search the new one once it is complete
    Rebuild(RebuildArgs),
}

/// Which index.
#[derive(Debug, Args)]
pub(super) struct RebuildArgs {
    /// An edge that is not the local stack's; the table is then the one of TABLE_NAME and AWS_*, and calls are signed with
    /// ONSALE_MASTER_KEYS
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

pub(super) async fn run(home: &Home, command: SearchCommand) -> anyhow::Result<()> {
    let SearchCommand::Rebuild(args) = command;
    let (table, index) = match args.url {
        None => local(home)?,
        Some(url) => deployed(home, &url).await?,
    };
    let progress = Progress::new();
    progress.start("filling the index");
    let told = index.rebuild(&table, |done, of| progress.note(done, of)).await?;
    progress.end();
    println!("{told} events are in the new index, which is searched from now on");
    Ok(())
}

fn local(home: &Home) -> anyhow::Result<(Table, Index)> {
    let ready = home.ready()?;
    Ok((State::table_of(&ready)?, Index::new(&ready.edge, State::keys_of(&ready)?)))
}

async fn deployed(home: &Home, url: &str) -> anyhow::Result<(Table, Index)> {
    let keys = std::env::var("ONSALE_MASTER_KEYS").context("ONSALE_MASTER_KEYS is not set")?;
    Ok((Source::table(home, true).await?, Index::new(url, MasterKeys::parse(&keys)?)))
}
