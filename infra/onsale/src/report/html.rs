//! The report as one HTML file: no script, nothing loaded from anywhere; light and dark, for screen, paper and screen readers.

use domain::report::{Grid, Report};
use domain::time::WallMs;

use super::charts::{Axis, Curve, Tone, bars, curves};
use super::tables::{self, Table};
use super::words::{Clock, duration, money, number, percent};
use super::{Draw, Told};

const STYLE: &str = include_str!("report.css");
/// The file may show itself and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page.
#[must_use]
pub fn page(told: &Told) -> String {
    let (clock, report) = (Clock::of(&told.event.zone), &told.report);
    let name = escape(&told.event.name);
    let parts = [
        head(told, &clock),
        tiles(report),
        section("Draw", &draws(&told.draws)),
        section("The line", &line(report, &clock)),
        section("Waits", &waits(report)),
        section("Sales", &sales(report, &clock)),
        section("Money", &sums(report)),
        section("Requests and refusals", &counts(report)),
        section("Trouble", &trouble(report, &clock)),
        section("What this report does not tell", &limits(report, &clock)),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>Report: {name}</title>\n\
         <style>\n{STYLE}</style>\n<main>\n{}</main>\n</html>\n",
        parts.concat()
    )
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{body}</section>\n")
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escape(text))
}

fn head(told: &Told, clock: &Clock) -> String {
    let (event, report) = (&told.event, &told.report);
    let at = clock.full(report.at.0);
    let state = match report.finished {
        true => format!("<p class=\"state\">The on-sale is over. Figures as of {at}.</p>"),
        false => format!(
            "<p class=\"state open\"><strong>This on-sale is not finished.</strong> All figures are as of {at} and will change.</p>"
        ),
    };
    format!(
        "<header>\n<p class=\"kind\">Report of an on-sale</p>\n<h1>{}</h1>\n<p>Opening {}; times are those of {}.</p>\n{state}\n</header>\n",
        escape(&event.name),
        clock.full(event.opens_at_ms),
        escape(&event.zone)
    )
}

fn tiles(report: &Report) -> String {
    let (line, known) = (report.admission.totals, !report.admission.steps.is_empty());
    let of_line = |count: u64| if known { number(count) } else { "–".to_owned() };
    let wait = if report.waits.people > 0 { duration(report.waits.p50_ms) } else { "–".to_owned() };
    let findings: u64 = report.trouble.findings.values().sum();
    let mut all = vec![
        ("People who joined", of_line(line.joined)),
        ("Had their turn", of_line(line.admitted)),
        ("Median wait", wait),
        ("Orders", number(report.sales.orders)),
        ("Places sold", number(report.sales.places)),
    ];
    all.extend(report.money.iter().map(|sums| ("Net", money(sums.net_minor, &sums.currency))));
    all.push(("Findings of the audit", number(findings)));
    let tile = |(name, value): (&str, String)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n");
    format!("<dl class=\"tiles\">\n{}</dl>\n", all.into_iter().map(tile).collect::<String>())
}

fn draws(draws: &[Draw]) -> String {
    let one = |draw: &Draw| {
        let class = if draw.holds { "good" } else { "bad" };
        let line =
            if draw.line == "main" { "The main line".to_owned() } else { format!("Lane {}", escape(&draw.line)) };
        let (places, cohorts) = (number(draw.places), draw.cohorts);
        let says = escape(&draw.says);
        format!(
            "<p class=\"{class}\">{line}: {places} places in {cohorts} cohorts, recomputed from the published files: {says}.</p>\n"
        )
    };
    draws.iter().map(one).collect::<String>()
        + &paragraph("Anybody can repeat this with “onsale verify-draw”; no key is needed.")
}

fn line(report: &Report, clock: &Clock) -> String {
    let (steps, of) = (&report.admission.steps, report.admission.totals);
    let Some(first) = steps.first() else { return paragraph("The course of the line was not recorded.") };
    let label = |ms, width| clock.of_bin(ms, width);
    let axis = Axis { grid: bins(first.from, report.admission.width_ms, steps.len()), label: &label };
    let longest = steps.iter().map(|step| step.waiting).max().unwrap_or(0);
    let long = format!(
        "{} people joined; at most {} at once waited for their turn at the end of a bin; \
         {} had it, {} of them claimed it, {} never had it.",
        number(of.joined),
        number(longest),
        number(of.admitted.saturating_add(of.late)),
        number(of.claimed),
        number(of.waiting)
    );
    let most = steps.iter().map(|step| step.admitted).max().unwrap_or(0);
    let pace = format!("At most {} turns in {}.", number(most), duration(report.admission.width_ms));
    let waiting = Curve { tone: Tone::First, values: steps.iter().map(|step| step.waiting).collect() };
    let inside = Curve { tone: Tone::Second, values: steps.iter().map(|step| step.inside).collect() };
    let admitted: Vec<u64> = steps.iter().map(|step| step.admitted).collect();
    figure(
        "Length of the line",
        &long,
        &curves(&long, &axis, &[waiting, inside]),
        &[(Tone::First, "still in line"), (Tone::Second, "inside")],
        None,
    ) + &figure("Turns given", &pace, &bars(&pace, &axis, &admitted), &[], Some(&tables::course(report, clock)))
}

fn waits(report: &Report) -> String {
    let waits = &report.waits;
    let Some(first) = waits.bins.first() else { return paragraph("No waits are known.") };
    let [p50, p90, p99, max] = [waits.p50_ms, waits.p90_ms, waits.p99_ms, waits.max_ms].map(duration);
    let says = format!(
        "Of {} people half waited up to {p50}, nine in ten up to {p90}, 99 in a hundred up to {p99}; the longest wait was {max}.",
        number(waits.people)
    );
    let grid = Grid { from: first.from_ms, width_ms: first.to_ms - first.from_ms, bins: waits.bins.len() };
    let label = |ms: i64, _: i64| if ms == 0 { "0".to_owned() } else { duration(ms) };
    let values: Vec<u64> = waits.bins.iter().map(|bin| bin.people).collect();
    let chart = bars(&says, &Axis { grid, label: &label }, &values);
    let how = format!(
        "A wait runs from the opening, or from the second in which a later fan came, to the fan's turn. It is exact to {}.",
        duration(waits.exact_ms.max(1_000))
    );
    figure("People by how long they waited", &says, &chart, &[], Some(&tables::waits(report))) + &paragraph(&how)
}

fn sales(report: &Report, clock: &Clock) -> String {
    let sales = &report.sales;
    let says = format!(
        "{} orders with {} places were sold; {} of the places ({}) were given back.",
        number(sales.orders),
        number(sales.places),
        number(sales.given_back),
        percent(sales.given_back, sales.places)
    );
    let Some(first) = sales.bins.first() else { return paragraph("Nothing was sold.") };
    let label = |ms, width| clock.of_bin(ms, width);
    let axis = Axis { grid: bins(first.from, sales.width_ms, sales.bins.len()), label: &label };
    let places: Vec<u64> = sales.bins.iter().map(|bin| bin.places).collect();
    figure("Places sold", &says, &bars(&says, &axis, &places), &[], Some(&tables::sales(report, clock)))
        + &stock(report, clock)
}

fn stock(report: &Report, clock: &Clock) -> String {
    let steps = &report.admission.steps;
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return String::new() };
    let label = |ms, width| clock.of_bin(ms, width);
    let axis = Axis { grid: bins(first.from, report.admission.width_ms, steps.len()), label: &label };
    let [free, held, paid, sold] = last.stock.map(number);
    let says =
        format!("When the line moved last, {sold} places were sold, {paid} being paid, {held} held and {free} free.");
    let curve = |tone, value: fn(&[u64; 4]) -> u64| Curve {
        tone,
        values: steps.iter().map(|step| value(&step.stock)).collect(),
    };
    let all = [
        curve(Tone::First, |stock| stock[3]),
        curve(Tone::Second, |stock| stock[1].saturating_add(stock[2])),
        curve(Tone::Third, |stock| stock[0]),
    ];
    let names = [(Tone::First, "sold"), (Tone::Second, "held or being paid"), (Tone::Third, "free")];
    figure("Stock", &says, &curves(&says, &axis, &all), &names, Some(&tables::stock(report, clock)))
}

fn sums(report: &Report) -> String {
    if report.money.is_empty() {
        return paragraph("No money moved.");
    }
    table(&tables::sums(report))
        + &paragraph(
            "Set aside, set free, taken and given back are the sums of the ledger's lines. \
             Prices and fees are those of the places that are sold now; what differs from the net is under way.",
        )
}

fn counts(report: &Report) -> String {
    if report.tally.is_empty() {
        return paragraph("Requests and refusals were not counted.");
    }
    let says = format!(
        "{} requests below the event's address were counted at the edge, and {} refusals by their codes.",
        number(report.tally.requests_in_all()),
        number(report.tally.refused_in_all())
    );
    paragraph(&says)
        + &table(&tables::requests(report))
        + &table(&tables::refusals(report))
        + &paragraph(
            "Counts are kept in memory and handed on every few seconds; \
             what a part of the edge had not handed on when it ended is missing. \
             Pages and their files are not counted.",
        )
}

fn trouble(report: &Report, clock: &Clock) -> String {
    let trouble = &report.trouble;
    let letters = match trouble.dead_letters {
        None => "Nobody looked for dead letters.".to_owned(),
        Some(0) => "There are no dead letters.".to_owned(),
        Some(letters) => {
            format!("There are {letters} dead letters, of all events: “onsale dead-letters list” shows them.")
        }
    };
    let stood = format!(
        "{} beats failed; the line stood for {} after its opening.",
        number(trouble.failed_beats),
        duration(trouble.stood_ms)
    );
    let course = if report.admission.steps.is_empty() { String::new() } else { paragraph(&stood) };
    let pauses = if trouble.pauses.is_empty() {
        paragraph("The line was never paused or stopped.")
    } else {
        table(&tables::pauses(report, clock))
    };
    let findings = match trouble.findings.is_empty() {
        true => paragraph(
            "The audit found no difference between seats, tickets, orders, ledger and the payment provider's list.",
        ),
        false => table(&tables::findings(report)),
    };
    course + &pauses + &paragraph(&letters) + &findings
}

fn limits(report: &Report, clock: &Clock) -> String {
    let items = report.missing.iter().map(|missing| format!("<li>{}</li>\n", escape(&tables::missing(missing, clock))));
    let items: String = items.collect();
    let list = if items.is_empty() { paragraph("Nothing is missing.") } else { format!("<ul>\n{items}</ul>\n") };
    list + &paragraph("It names no person, order, payment or seat.")
}

/// The bins of a curve over time.
fn bins(from: WallMs, width_ms: i64, bins: usize) -> Grid {
    Grid { from: from.0, width_ms: width_ms.max(1), bins }
}

fn figure(title: &str, says: &str, chart: &str, legend: &[(Tone, &str)], rows: Option<&Table>) -> String {
    let mark = |(tone, name): &(Tone, &str)| format!("<li><span class=\"mark {}\"></span>{name}</li>", tone.class());
    let legend: String = legend.iter().map(mark).collect();
    let legend = if legend.is_empty() { legend } else { format!("<ul class=\"legend\">{legend}</ul>\n") };
    let rows = rows
        .map_or(String::new(), |rows| format!("<details><summary>The figures</summary>\n{}</details>\n", table(rows)));
    format!(
        "<figure>\n<figcaption><h3>{title}</h3><p>{}</p></figcaption>\n{legend}<div class=\"chart\">{chart}</div>\n{rows}</figure>\n",
        escape(says)
    )
}

fn table(table: &Table) -> String {
    let heads: String = table.heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
    let cells = |cells: &[String]| cells.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect::<String>();
    let row = |row: &Vec<String>| match row.split_first() {
        Some((first, rest)) => format!("<tr><th scope=\"row\">{}</th>{}</tr>\n", escape(first), cells(rest)),
        None => String::new(),
    };
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}
