//! `onsale event import`.

use anyhow::Context;
use table::Table;

use crate::cli::args::ImportArgs;
use crate::cli::home::Home;
use crate::cli::progress::Progress;
use crate::event;
use crate::on_sale::announce;
use crate::stack::State;

pub(super) async fn import(home: &Home, args: ImportArgs) -> anyhow::Result<()> {
    let imported = event::read(&args.file)?;
    let (table, edge, key) = match args.url {
        None => local(home)?,
        Some(url) => deployed(url).await?,
    };
    let progress = Progress::new();
    progress.start(&format!("importing {} seats", imported.layout.seat_count()));
    let report = table.import(&imported, |done, of| progress.note(done, of)).await?;
    progress.end();
    announce(&edge, &key, &imported.definition).await?;
    println!("{} seats added, {} changed, {} removed", report.added, report.changed, report.removed);
    println!("{edge}/e/{}", imported.definition.id);
    Ok(())
}

fn local(home: &Home) -> anyhow::Result<(Table, String, String)> {
    let ready = home.ready()?;
    Ok((State::table_of(&ready)?, ready.edge, ready.operator_key))
}

async fn deployed(url: String) -> anyhow::Result<(Table, String, String)> {
    let variable = |name: &str| std::env::var(name).with_context(|| format!("{name} is not set"));
    let table = Table::from_env(variable("TABLE_NAME")?).await;
    Ok((table, url.trim_end_matches('/').to_owned(), variable("ONSALE_OPERATOR_KEY")?))
}
