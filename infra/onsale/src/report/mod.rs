//! The report of an on-sale: reads what was published and stored, has `domain::report` count, and shows it as text, JSON, or
//! one HTML file that needs nothing else.
//!
//! It reads only. What it shows names nobody: no account, order, payment, seat or operator.

mod charts;
mod gather;
mod html;
mod tables;
mod text;
mod words;

pub use gather::{Sources, gather};
pub use html::page;
pub use text::summary;

use domain::report::Report;
use serde::Serialize;

/// A report with what it is about.
#[derive(Debug, Clone, Serialize)]
pub struct Told {
    /// The event.
    pub event: Event,
    /// The draws, the main line's first.
    pub draws: Vec<Draw>,
    /// What happened.
    #[serde(flatten)]
    pub report: Report,
}

/// The event as it was announced.
#[derive(Debug, Clone, Serialize)]
pub struct Event {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Time zone.
    pub zone: String,
    /// The opening, wall ms.
    pub opens_at_ms: i64,
}

/// What recomputing a line's draws has shown.
#[derive(Debug, Clone, Serialize)]
pub struct Draw {
    /// The line: `main`, or the lane's id.
    pub line: String,
    /// Whether everything that was published fits together.
    pub holds: bool,
    /// Cohorts drawn.
    pub cohorts: usize,
    /// Places given.
    pub places: u64,
    /// The verdict, in words.
    pub says: String,
}
