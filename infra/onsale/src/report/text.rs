//! The report in a few lines.

use domain::report::{Report, Sums};

use super::words::{Clock, duration, money, number, percent};
use super::{Told, tables};

/// What a terminal shows.
#[must_use]
pub fn summary(told: &Told) -> String {
    let mut lines = vec![head(told)];
    lines.extend(told.draws.iter().map(|draw| {
        format!("draw ({}): {} places in {} cohorts; {}", draw.line, number(draw.places), draw.cohorts, draw.says)
    }));
    lines.extend([line(&told.report), waits(&told.report), sales(&told.report)]);
    lines.extend(told.report.money.iter().map(sum));
    lines.extend([counts(&told.report), trouble(&told.report)]);
    let clock = Clock::of(&told.event.zone);
    lines.extend(told.report.missing.iter().map(|missing| format!("not told: {}", tables::missing(missing, &clock))));
    lines.join("\n") + "\n"
}

fn head(told: &Told) -> String {
    let (clock, event) = (Clock::of(&told.event.zone), &told.event);
    let opened = clock.full(event.opens_at_ms);
    let state = match told.report.finished {
        true => "finished".to_owned(),
        false => format!("NOT FINISHED, as of {}", clock.full(told.report.at.0)),
    };
    format!("{} ({}), opening {opened}: {state}", event.name, event.id)
}

fn line(report: &Report) -> String {
    let of = report.admission.totals;
    format!(
        "line: {} joined, {} had their turn ({} late ones), {} came, {} never had it",
        number(of.joined),
        number(of.admitted),
        number(of.late),
        number(of.claimed),
        number(of.waiting)
    )
}

fn waits(report: &Report) -> String {
    let waits = &report.waits;
    if waits.people == 0 {
        return "waits: none are known".to_owned();
    }
    let [p50, p90, p99, max] = [waits.p50_ms, waits.p90_ms, waits.p99_ms, waits.max_ms].map(duration);
    format!("waits of {}: half up to {p50}, 90 % up to {p90}, 99 % up to {p99}, longest {max}", number(waits.people))
}

fn sales(report: &Report) -> String {
    let sales = &report.sales;
    let back = percent(sales.given_back, sales.places);
    format!("sales: {} orders, {} places, {back} given back", number(sales.orders), number(sales.places))
}

fn sum(sums: &Sums) -> String {
    let [taken, back, net, fees, open] =
        [sums.captured_minor, sums.refunded_minor, sums.net_minor, sums.fees_minor, sums.open_minor]
            .map(|minor| money(minor, &sums.currency));
    format!("money: taken {taken}, given back {back}, net {net}, of which fees {fees}; under way {open}")
}

fn counts(report: &Report) -> String {
    let (requests, refused) = (report.tally.requests_in_all(), report.tally.refused_in_all());
    match report.tally.is_empty() {
        true => "requests: not counted".to_owned(),
        false => format!("requests: {} counted, {} refused", number(requests), number(refused)),
    }
}

fn trouble(report: &Report) -> String {
    let trouble = &report.trouble;
    let letters = trouble.dead_letters.map_or("not looked for".to_owned(), |letters| letters.to_string());
    format!(
        "trouble: {} failed beats, stood for {}, dead letters: {letters}, findings of the audit: {}",
        number(trouble.failed_beats),
        duration(trouble.stood_ms),
        trouble.findings.values().sum::<u64>()
    )
}
