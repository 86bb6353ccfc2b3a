//! What can go wrong at the table, kept apart from what the rules refuse.

use domain::items::Unreadable;
use domain::plan::{BadPlan, Refused};

/// The table did not do what it was asked. Never a business answer.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Conflicts or throttles outlasted every retry. Nothing was written by the last try.
    #[error("the table is busy ({0})")]
    Busy(&'static str),
    /// No reply arrived, in spite of every retry. Whether it was done is not known.
    #[error("the table does not answer ({0})")]
    Unreachable(String),
    /// The request itself is wrong, or not allowed: a mistake of ours.
    #[error("the table refuses the request ({0})")]
    Broken(String),
    /// A plan that no table would take: a mistake in a rule.
    #[error(transparent)]
    Plan(#[from] BadPlan),
    /// A stored item is not as it should be.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// Why a plan was not committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// Conditions failed; nothing was written.
    #[error("conditions failed")]
    Refused(Refused),
    /// The table failed.
    #[error(transparent)]
    Table(#[from] TableError),
}
