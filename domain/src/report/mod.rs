//! The report of an on-sale: what happened, in counts, sums and curves.
//!
//! Facts that were published or stored go in, a [`Report`] comes out; who reads the facts and who shows the report is not known
//! here. Nothing in a report names a person, an order or a payment. Where facts are missing the report says so ([`Missing`])
//! instead of showing a nought.

mod admission;
mod grid;
mod mark;
mod money;
mod sales;
mod tally;
#[cfg(test)]
mod tests;
mod trouble;
mod waits;

pub use admission::{Admission, Step, Totals};
pub use grid::Grid;
pub use mark::{Keep, MOST_MARKS, Mark, Now, keep, thin};
pub use money::Sums;
pub use sales::{Flow, Sales, Selling};
pub use tally::{Kind, Tally};
pub use trouble::{Pause, Trouble, Why};
pub use waits::{Bin, Cohort, Line, Waits};

use crate::audit::Finding;
use crate::items::{LedgerLine, Order};
use crate::operate::Note;
use crate::status::Phase;
use crate::time::WallMs;
use serde::Serialize;

/// Most bins of a curve: as many as a page can show and a person read in a table.
pub const MOST_BINS: usize = 60;

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// Wall time of the report.
    pub now: WallMs,
    /// The opening.
    pub opens: WallMs,
    /// Where the on-sale stands.
    pub phase: Phase,
    /// The cohorts of each line that admits people, the main one first.
    pub lines: &'a [Line],
    /// The course of the line as its Pacer noted it, in order.
    pub marks: &'a [Mark],
    /// Requests and refusals, as far as they were counted.
    pub tally: &'a Tally,
    /// The event's orders.
    pub orders: &'a [&'a Order],
    /// The event's ledger lines.
    pub ledger: &'a [&'a LedgerLine],
    /// What operators did.
    pub journal: &'a [Note],
    /// What the audit found.
    pub findings: &'a [Finding],
    /// Batches of the stream that were given up; `None` if nobody looked.
    pub dead_letters: Option<usize>,
}

/// Something that the report cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum Missing {
    /// Nothing was noted of the line's course.
    Course,
    /// The course is noted from this time on only: the Pacer lost its storage, or was of an older version.
    CourseBefore {
        /// Wall time of the first mark.
        at: WallMs,
        /// Places that had been admitted by then: their waits are not known.
        places: u64,
    },
    /// Requests and refusals were not counted.
    Requests,
    /// Nobody looked for dead letters.
    DeadLetters,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Wall time of the report.
    pub at: WallMs,
    /// Whether the on-sale is over; otherwise all figures are as of now.
    pub finished: bool,
    /// Where it stands.
    pub phase: Phase,
    /// How the line moved.
    pub admission: Admission,
    /// How long people waited.
    pub waits: Waits,
    /// Requests and refusals.
    pub tally: Tally,
    /// What was sold when.
    pub sales: Sales,
    /// Money, one sum a currency.
    pub money: Vec<Sums>,
    /// What went wrong, and when the line stood.
    pub trouble: Trouble,
    /// What is not told.
    pub missing: Vec<Missing>,
}

/// Makes the report.
pub fn report(facts: &Facts<'_>) -> Report {
    Report {
        at: facts.now,
        finished: facts.phase == Phase::Closed,
        phase: facts.phase,
        admission: admission::admission(facts.opens, facts.marks),
        waits: waits::waits(facts.lines, facts.marks),
        tally: facts.tally.clone(),
        sales: sales::sales(facts.opens, facts.orders, facts.ledger),
        money: money::sums(facts.orders, facts.ledger),
        trouble: trouble::trouble(facts),
        missing: missing(facts),
    }
}

fn missing(facts: &Facts<'_>) -> Vec<Missing> {
    let course = match facts.marks.first() {
        None => Some(Missing::Course),
        Some(first) if first.admitted_in_all() > 0 => {
            Some(Missing::CourseBefore { at: first.at, places: first.admitted_in_all() })
        }
        Some(_) => None,
    };
    let requests = facts.tally.is_empty().then_some(Missing::Requests);
    let letters = facts.dead_letters.is_none().then_some(Missing::DeadLetters);
    course.into_iter().chain(requests).chain(letters).collect()
}
