//! When the line stood and why, and what went wrong.

use super::{Facts, Mark};
use crate::operate::Note;
use crate::status::Phase;
use crate::time::WallMs;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Why the line stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// An operator paused it.
    Paused,
    /// An operator stopped everything.
    Stopped,
    /// Beats failed: the origin did not answer, or its stock was too old.
    Failing,
}

/// A time during which the line stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pause {
    /// From when.
    pub from: WallMs,
    /// Until when; `None` if it still stands.
    pub to: Option<WallMs>,
    /// Why.
    pub why: Why,
    /// What was told to everybody, where an operator ordered it.
    pub reason: Option<String>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Trouble {
    /// Beats that failed.
    pub failed_beats: u64,
    /// For how long the line stood after its opening, in milliseconds.
    pub stood_ms: i64,
    /// When, in order.
    pub pauses: Vec<Pause>,
    /// Batches of the stream that were given up, of all events; `None` if nobody looked.
    pub dead_letters: Option<usize>,
    /// The audit's findings by code.
    pub findings: BTreeMap<&'static str, u64>,
}

pub(super) fn trouble(facts: &Facts<'_>) -> Trouble {
    let last = facts.marks.last();
    let mut pauses = ordered(facts.journal);
    pauses.extend(failing(facts.marks));
    pauses.sort_by_key(|pause| (pause.from, pause.why));
    let mut findings = BTreeMap::new();
    for finding in facts.findings {
        *findings.entry(finding.code.as_str()).or_default() += 1;
    }
    Trouble {
        failed_beats: last.map_or(0, |mark| mark.failed),
        stood_ms: last.map_or(0, |mark| mark.stood_ms.saturating_add(stands_ms(mark, facts.now))),
        pauses,
        dead_letters: facts.dead_letters,
        findings,
    }
}

/// How long a line that stands has stood since its last mark.
fn stands_ms(last: &Mark, now: WallMs) -> i64 {
    if matches!(last.phase, Phase::Paused | Phase::Stopped) { now.since(last.at).max(0) } else { 0 }
}

/// What operators ordered, from the journal.
fn ordered(journal: &[Note]) -> Vec<Pause> {
    let mut pauses: Vec<Pause> = Vec::new();
    for note in journal.iter().filter(|note| note.refused.is_none()) {
        let reason = |member: &str| note.after.get(member).and_then(Value::as_str).map(str::to_owned);
        match note.what.as_str() {
            "pause" => pauses.push(Pause::begun(note.at_ms, Why::Paused, reason("paused"))),
            "stop" => pauses.push(Pause::begun(note.at_ms, Why::Stopped, reason("stopped"))),
            "resume" => end(&mut pauses, Why::Paused, note.at_ms),
            "lift" => end(&mut pauses, Why::Stopped, note.at_ms),
            "close" => [Why::Paused, Why::Stopped].into_iter().for_each(|why| end(&mut pauses, why, note.at_ms)),
            _ => {}
        }
    }
    pauses
}

fn end(pauses: &mut [Pause], why: Why, at: WallMs) {
    pauses.iter_mut().filter(|pause| pause.why == why && pause.to.is_none()).for_each(|pause| pause.to = Some(at));
}

/// Runs of marks in which beats failed and nobody was let in.
fn failing(marks: &[Mark]) -> Vec<Pause> {
    let mut pauses: Vec<Pause> = Vec::new();
    let mut running = false;
    for (before, mark) in marks.iter().zip(marks.iter().skip(1)) {
        // A single failed beat does not show, and lets nobody wait longer than a second.
        let fails = mark.failed > before.failed && mark.phase == Phase::Paused;
        match (fails, running, pauses.last_mut()) {
            (true, false, _) => pauses.push(Pause::begun(before.at, Why::Failing, None)),
            (false, true, Some(pause)) => pause.to = Some(mark.at),
            _ => {}
        }
        running = fails;
    }
    pauses
}

impl Pause {
    const fn begun(from: WallMs, why: Why, reason: Option<String>) -> Self {
        Self { from, to: None, why, reason }
    }
}
