//! `onsale audit`.

use anyhow::{Context, bail};

use super::args::AuditArgs;
use super::home::Home;
use crate::audit::{Books, Finding, lasting_findings, left_over};
use crate::stack::State;

pub(super) async fn run(home: &Home, args: AuditArgs) -> anyhow::Result<()> {
    let ready = home.ready()?;
    let event = args.event.or_else(|| ready.event.clone()).context("name the event with --event")?;
    let (books, findings) = lasting_findings(&State::table_of(&ready)?, &ready.payments, &event).await?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        tell(&books, &findings);
    }
    if !findings.is_empty() {
        bail!("the audit found {} differences", findings.len());
    }
    Ok(())
}

fn tell(books: &Books, findings: &[Finding]) {
    findings.iter().for_each(|finding| println!("{} {}", finding.code, finding.subject));
    let under_way = left_over(books).len();
    println!(
        "{} seats, {} tickets, {} orders, {} payments",
        books.seats.len(),
        books.tickets.len(),
        books.orders.len(),
        books.payments.len()
    );
    println!("{under_way} holds and orders are under way; {}", verdict(findings.len()));
}

fn verdict(findings: usize) -> String {
    match findings {
        0 => "the books balance".to_owned(),
        n => format!("the books do not balance: {n} findings"),
    }
}
