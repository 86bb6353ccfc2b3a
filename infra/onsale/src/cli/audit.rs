//! `onsale audit`.

use anyhow::{Context, bail};

use super::args::AuditArgs;
use super::home::Home;
use crate::audit::{check, read_books};
use crate::stack::State;

pub(super) async fn run(home: &Home, args: AuditArgs) -> anyhow::Result<()> {
    let ready = home.ready()?;
    let event = args.event.or_else(|| ready.event.clone()).context("name the event with --event")?;
    let books = read_books(&State::table_of(&ready)?, &ready.payments, &event).await?;
    let findings = check(&books);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        findings.iter().for_each(|finding| println!("{} {}", finding.code, finding.subject));
        println!("{} seats, {} orders: {}", books.seats.len(), books.orders.len(), verdict(findings.len()));
    }
    if !findings.is_empty() {
        bail!("the audit found {} differences", findings.len());
    }
    Ok(())
}

fn verdict(findings: usize) -> String {
    match findings {
        0 => "the books balance, nothing is left over".to_owned(),
        n => format!("{n} findings"),
    }
}
