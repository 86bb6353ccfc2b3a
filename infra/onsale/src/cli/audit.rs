//! `onsale audit`: the table beside the payment provider's list.

use domain::ids::EventId;

use super::args::AuditArgs;
use super::home::Home;
use super::source::Source;
use crate::audit::{Books, Finding, lasting_findings, left_over};

/// The books do not balance; the command ends with status 3, so that a script can tell this from a failure.
#[derive(Debug, thiserror::Error)]
#[error("the audit found {0} differences")]
pub struct Differences(pub(super) usize);

pub(super) async fn run(home: &Home, args: AuditArgs) -> anyhow::Result<()> {
    let source = Source::of(home, args.deployed).await?;
    let event: EventId = source.event(args.event)?;
    let (books, findings) = lasting_findings(&source.table, &source.payments, &event).await?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        tell(&books, &findings);
    }
    if findings.is_empty() { Ok(()) } else { Err(Differences(findings.len()).into()) }
}

fn tell(books: &Books, findings: &[Finding]) {
    print!("{}", listed(findings));
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

/// One line for each finding: code, subject, and what was compared.
pub(super) fn listed(findings: &[Finding]) -> String {
    let widest = findings.iter().map(|finding| finding.code.as_str().len()).max().unwrap_or(0);
    let line = |f: &Finding| format!("{:widest$}  {}: {}\n", f.code.as_str(), f.subject, f.note);
    findings.iter().map(line).collect()
}

fn verdict(findings: usize) -> String {
    match findings {
        0 => "the books balance".to_owned(),
        1 => "the books do not balance: 1 finding".to_owned(),
        n => format!("the books do not balance: {n} findings"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Code;

    #[test]
    fn findings_are_listed_in_columns() {
        let finding = |code, subject: &str| Finding::new(code, subject, "why");
        let findings = [finding(Code::MoneyDiffers, "order o"), finding(Code::SeatSoldTwice, "seat A-1-1")];
        assert_eq!(listed(&findings), "MONEY_DIFFERS    order o: why\nSEAT_SOLD_TWICE  seat A-1-1: why\n");
        assert_eq!(verdict(1), "the books do not balance: 1 finding");
    }
}
