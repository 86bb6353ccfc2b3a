//! `onsale ledger`: every movement of an event's money, as it was written down.

use std::collections::BTreeMap;

use domain::audit::ledger_csv;
use domain::items::{LedgerLine, Movement};

use super::args::LedgerArgs;
use super::event::when;
use super::home::Home;
use super::source::Source;
use crate::audit::ledger;

pub(super) async fn run(home: &Home, args: LedgerArgs) -> anyhow::Result<()> {
    let table = Source::table(home, args.deployed).await?;
    let lines = ledger(&table, &args.event).await?;
    print!("{}", if args.csv { ledger_csv(&lines) } else { told(lines) });
    Ok(())
}

/// Lines in order of time, and what they add up to.
fn told(mut lines: Vec<LedgerLine>) -> String {
    lines.sort_by_key(|line| (line.wall, line.order, line.n));
    let mut sums: BTreeMap<(String, Movement), i64> = BTreeMap::new();
    let mut text = String::new();
    for line in &lines {
        let LedgerLine { order, movement, amount_minor, currency, intent, .. } = line;
        let time = when::shown(line.wall.0, "UTC");
        text += &format!("{time}  {order}  {movement:13} {amount_minor:>10} {currency}  {intent}\n");
        *sums.entry((currency.clone(), *movement)).or_default() += amount_minor;
    }
    text += &format!("{} movements, in minor units\n", lines.len());
    sums.iter().for_each(|((currency, movement), sum)| text += &format!("{movement:13} {sum:>10} {currency}\n"));
    text
}
