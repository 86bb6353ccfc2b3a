//! The figures as rows of words.

use domain::report::{Kind, Missing, Pause, Report, Selling, Sums, Why};

use super::words::{Clock, duration, money, number};

/// A table: its heads, and its rows, each as long as the heads.
pub(super) struct Table {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(heads: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self { heads: heads.iter().map(|head| (*head).to_owned()).collect(), rows }
    }
}

/// The course of the line.
pub(super) fn course(report: &Report, clock: &Clock) -> Table {
    let width = report.admission.width_ms;
    let row = |step: &domain::report::Step| {
        let counts = [step.admitted, step.waiting, step.inside, u64::from(step.rate)].map(number);
        std::iter::once(clock.of_bin(step.from.0, width)).chain(counts).collect()
    };
    let rows = report.admission.steps.iter().map(row).collect();
    Table::new(&["From", "Had their turn", "Still in line", "Inside", "Rate a minute"], rows)
}

/// What was free, held and sold when.
pub(super) fn stock(report: &Report, clock: &Clock) -> Table {
    let width = report.admission.width_ms;
    let row = |step: &domain::report::Step| {
        std::iter::once(clock.of_bin(step.from.0, width)).chain(step.stock.map(number)).collect()
    };
    Table::new(&["From", "Free", "Held", "Being paid", "Sold"], report.admission.steps.iter().map(row).collect())
}

/// The histogram of waits.
pub(super) fn waits(report: &Report) -> Table {
    let row = |bin: &domain::report::Bin| vec![duration(bin.from_ms), duration(bin.to_ms), number(bin.people)];
    Table::new(&["At least", "Less than", "People"], report.waits.bins.iter().map(row).collect())
}

/// What was sold when, with money of each currency.
pub(super) fn sales(report: &Report, clock: &Clock) -> Table {
    let sales = &report.sales;
    let bins = sales.bins.iter().map(|bin| (clock.of_bin(bin.from.0, sales.width_ms), bin));
    let moved = |bin: &&Selling| bin.orders > 0 || !bin.money.is_empty();
    let before = Some(&sales.before).filter(moved).map(|bin| ("before".to_owned(), bin));
    let after = Some(&sales.after).filter(moved).map(|bin| ("after".to_owned(), bin));
    let row = |(from, bin): (String, &Selling)| vec![from, number(bin.orders), number(bin.places), flows(bin)];
    let rows = before.into_iter().chain(bins).chain(after).map(row).collect();
    Table::new(&["From", "Orders", "Places", "Money taken, given back"], rows)
}

fn flows(bin: &Selling) -> String {
    let flow = |(currency, flow): (&String, &domain::report::Flow)| match flow.refunded_minor {
        0 => money(flow.captured_minor, currency),
        back => format!("{}, {}", money(flow.captured_minor, currency), money(-back, currency)),
    };
    bin.money.iter().map(flow).collect::<Vec<_>>().join("; ")
}

/// An amount: its name, and which of the sums it is.
type Amount = (&'static str, fn(&Sums) -> i64);

/// Money, a column for each currency.
pub(super) fn sums(report: &Report) -> Table {
    let lines: [Amount; 8] = [
        ("Set aside on cards", |sums| sums.authorized_minor),
        ("Set free untaken", |sums| sums.voided_minor),
        ("Taken", |sums| sums.captured_minor),
        ("Given back", |sums| sums.refunded_minor),
        ("Net", |sums| sums.net_minor),
        ("Prices of what is sold", |sums| sums.price_minor),
        ("Fees of what is sold", |sums| sums.fees_minor),
        ("Under way", |sums| sums.open_minor),
    ];
    let row = |(name, of): Amount| {
        let each = report.money.iter().map(|sums| money(of(sums), &sums.currency));
        std::iter::once(name.to_owned()).chain(each).collect()
    };
    let heads: Vec<&str> = std::iter::once("").chain(report.money.iter().map(|sums| sums.currency.as_str())).collect();
    Table::new(&heads, lines.into_iter().map(row).collect())
}

/// Requests by what they were about.
pub(super) fn requests(report: &Report) -> Table {
    let row = |(kind, count): (&Kind, &u64)| vec![about(*kind).to_owned(), number(*count)];
    Table::new(&["About", "Requests"], report.tally.requests.iter().map(row).collect())
}

const fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::Status => "The status file",
        Kind::Map => "The seat map",
        Kind::Event => "The event, its layout, its draws",
        Kind::Line => "Joining and places",
        Kind::Admission => "Claiming a turn",
        Kind::Holds => "Holds",
        Kind::Orders => "Orders",
        Kind::Waiting => "The waiting list",
    }
}

/// Refusals by code, most first.
pub(super) fn refusals(report: &Report) -> Table {
    let mut refused: Vec<(&String, &u64)> = report.tally.refused.iter().collect();
    refused.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), *code));
    let row = |(code, count): (&String, &u64)| vec![code.clone(), number(*count)];
    Table::new(&["Code", "Refusals"], refused.into_iter().map(row).collect())
}

/// When the line stood.
pub(super) fn pauses(report: &Report, clock: &Clock) -> Table {
    let row = |pause: &Pause| {
        let until = pause.to.map_or("the end".to_owned(), |to| clock.full(to.0));
        let long = pause.to.map_or(String::new(), |to| duration(to.since(pause.from).max(0)));
        vec![clock.full(pause.from.0), until, long, why(pause)]
    };
    Table::new(&["From", "Until", "Duration", "Why"], report.trouble.pauses.iter().map(row).collect())
}

fn why(pause: &Pause) -> String {
    let who = match pause.why {
        Why::Paused => "paused by an operator",
        Why::Stopped => "emergency stop",
        Why::Failing => "beats failed: the box office did not answer, or its stock was too old",
    };
    pause.reason.as_ref().map_or(who.to_owned(), |reason| format!("{who}: {reason}"))
}

/// The audit's findings by code.
pub(super) fn findings(report: &Report) -> Table {
    let row = |(code, count): (&&str, &u64)| vec![(*code).to_owned(), number(*count)];
    Table::new(&["Code", "Findings"], report.trouble.findings.iter().map(row).collect())
}

/// What the report cannot tell, as a sentence.
pub(super) fn missing(missing: &Missing, clock: &Clock) -> String {
    match missing {
        Missing::Course => "how the line moved, and how long people waited: its course was not recorded".to_owned(),
        Missing::CourseBefore { at, places } => format!(
            "how the line moved before {}, and how long the {} people waited who had their turn by then",
            clock.full(at.0),
            number(*places)
        ),
        Missing::Requests => "requests and refusals: they were not counted".to_owned(),
        Missing::DeadLetters => "dead letters: name their folder with --letters".to_owned(),
    }
}
