//! Where the facts come from: files that everybody can read, the operator's view and journal, the table, the provider's list.

use std::path::PathBuf;

use anyhow::{Context, bail};
use domain::audit::Books;
use domain::ids::EventId;
use domain::lane::MAIN;
use domain::operate::Note;
use domain::report::{Cohort, Facts, Line, Mark, Tally, report};
use domain::status::Phase;
use domain::time::WallMs;
use serde_json::Value;
use table::Table;

use super::{Draw, Event, Told};
use crate::audit::{Finding, Payments, lasting_findings};
use crate::letters;
use crate::operate::{Desk, OperateError};
use crate::verify::{Published, Source};

/// Where an on-sale's facts lie.
pub struct Sources {
    /// The edge's address.
    pub edge: String,
    /// The event.
    pub event: EventId,
    /// An operator's key of it.
    pub key: String,
    /// The table.
    pub table: Table,
    /// The payment provider.
    pub payments: Payments,
    /// The folder with dead letters, if there is one.
    pub letters: Option<PathBuf>,
}

/// What the Pacer and its operators know.
struct Known {
    phase: Phase,
    opens: WallMs,
    tally: Tally,
    marks: Vec<Mark>,
    journal: Vec<Note>,
}

/// What was published.
struct Public {
    event: Event,
    draws: Vec<Draw>,
    lines: Vec<Line>,
}

/// Reads everything and makes the report, as of `now`.
///
/// # Errors
/// There is no such event, the key is not one of its operators', or a source cannot be read.
pub async fn gather(sources: &Sources, now: WallMs) -> anyhow::Result<Told> {
    let known = known(sources).await?;
    let public = public(sources, known.opens).await?;
    let (books, findings) = lasting_findings(&sources.table, &sources.payments, &sources.event).await?;
    let dead_letters = sources.letters.as_deref().map(letters::all).transpose()?.map(|all| all.len());
    Ok(told(now, public, &known, &books, &findings, dead_letters))
}

fn told(
    now: WallMs,
    public: Public,
    known: &Known,
    books: &Books,
    findings: &[Finding],
    dead_letters: Option<usize>,
) -> Told {
    let orders: Vec<_> = books.orders.values().collect();
    let ledger: Vec<_> = books.ledger.values().flatten().collect();
    let facts = Facts {
        now,
        opens: known.opens,
        phase: known.phase,
        lines: &public.lines,
        marks: &known.marks,
        tally: &known.tally,
        orders: &orders,
        ledger: &ledger,
        journal: &known.journal,
        findings,
        dead_letters,
    };
    Told { event: public.event, draws: public.draws, report: report(&facts) }
}

/// What only operators may see.
async fn known(sources: &Sources) -> anyhow::Result<Known> {
    let Sources { edge, event, key, .. } = sources;
    let desk = Desk::new(edge, event.as_str(), key);
    let live = match desk.look().await {
        Err(OperateError::Refused { code, .. }) if code == "NOT_FOUND" => {
            bail!("there is no event {event} at {edge} (NOT_FOUND)")
        }
        live => live?,
    };
    let (lines, _) = desk.journal().await?;
    let note = |line: &String| serde_json::from_str::<domain::operate::Line>(line).map(|line| line.note);
    Ok(Known {
        phase: serde_json::from_value(live["phase"].clone()).context("the phase")?,
        opens: WallMs(live["opens_at_ms"].as_i64().context("the opening")?),
        tally: serde_json::from_value(live["tally"].clone()).unwrap_or_default(),
        marks: desk.course().await?,
        journal: lines.iter().map(note).collect::<Result<_, _>>().context("the journal")?,
    })
}

/// What everybody may see.
async fn public(sources: &Sources, opens: WallMs) -> anyhow::Result<Public> {
    let source = Source::new(&format!("{}/v1/events/{}", sources.edge, sources.event), None);
    let detail: Value = serde_json::from_slice(&source.need("event.json").await?).context("the event")?;
    let text = |field: &str, else_: &str| detail[field].as_str().unwrap_or(else_).to_owned();
    let event = Event {
        id: sources.event.to_string(),
        name: text("name", sources.event.as_str()),
        zone: text("zone", "UTC"),
        opens_at_ms: opens.0,
    };
    let (mut draws, mut lines) = (Vec::new(), Vec::new());
    let lanes = detail["lanes"].as_array().into_iter().flatten().filter_map(|lane| lane["id"].as_str());
    for lane in std::iter::once(None).chain(lanes.map(Some)) {
        let published = Published::read(&source, lane).await?;
        draws.push(draw(&published, lane.unwrap_or("main")));
        lines.push(line(&published));
    }
    Ok(Public { event, draws, lines })
}

fn draw(published: &Published, line: &str) -> Draw {
    let (line, places) = (line.to_owned(), published.files.last().map_or(0, |file| file.row().given()));
    let cohorts = published.files.len();
    if cohorts == 0 {
        let says = if published.line == MAIN { "no draw was made yet" } else { "nobody came this way" };
        return Draw { line, holds: true, cohorts, places, says: says.to_owned() };
    }
    match published.check() {
        Ok(checked) => Draw { line, holds: true, cohorts, places, says: published.says(checked.verdict).to_owned() },
        Err(refused) => {
            Draw { line, holds: false, cohorts, places, says: format!("the draw does not hold: {refused}") }
        }
    }
}

fn line(published: &Published) -> Line {
    let cohorts = published.files.iter().map(|file| Cohort { cut: file.t_ms, base: file.base, people: file.n });
    Line { number: usize::from(published.line), cohorts: cohorts.collect() }
}
