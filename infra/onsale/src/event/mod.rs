//! An event's files, and the demo's: read, and refused with everything that is wrong with them.

mod demo;
mod files;

pub use demo::Demo;
pub use files::read;

use domain::plan_import::Finding;

/// Why an event does not come on sale.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A file cannot be read.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The event's file names no plan.
    #[error("the event's file has no `plan = \"…\"`, so there are no seats")]
    NoPlan,
    /// Everything that is wrong with event and plan.
    #[error("the event is refused, nothing was written:\n{}", listed(.0))]
    Findings(Vec<Finding>),
}

fn listed(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().map(|finding| format!("  - {finding}")).collect();
    lines.join("\n")
}
