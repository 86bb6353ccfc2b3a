//! What each mapping is set to; the same as in `infra/template.yaml` (a test compares them).

use std::time::Duration;

use super::filter::Filter;

/// Which records `settle` gets.
pub const SETTLE_FILTER: &str = r#"{"dynamodb":{"NewImage":{"k":{"S":["order","inbox","out"]}}}}"#;
/// Which records `project` gets.
pub const PROJECT_FILTER: &str = r#"{"dynamodb":{"NewImage":{"k":{"S":["seat","share","clock","order"]}}}}"#;

/// One event source mapping.
#[derive(Debug, Clone)]
pub struct Mapping {
    /// Records that pass.
    pub filter: Filter,
    /// Most records in one batch.
    pub batch_size: usize,
    /// How long a batch may wait for more records (zero: not at all).
    pub window: Duration,
    /// How often a batch is tried again before it becomes a dead letter.
    pub retries_max: u32,
}

/// The mapping of the `settle` function.
pub fn settle() -> Mapping {
    Mapping { filter: filter(SETTLE_FILTER), batch_size: 10, window: Duration::ZERO, retries_max: 10 }
}

/// The mapping of the `project` function.
pub fn project() -> Mapping {
    Mapping { filter: filter(PROJECT_FILTER), batch_size: 500, window: Duration::ZERO, retries_max: 5 }
}

fn filter(pattern: &str) -> Filter {
    // The patterns are constants, and a test parses both.
    Filter::parse(pattern).unwrap_or_default()
}
