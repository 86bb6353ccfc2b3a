//! The draw file of a closed cohort: what anybody needs to recompute the numbers.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::cohort::Row;
use domain::ids::EventId;

use crate::config::Config;
use crate::problem::Problem;

/// The file's text, as a JSON string.
pub fn file(_config: &Config, event: &EventId, row: &Row) -> Result<String, Problem> {
    let _ = STANDARD.encode(event.as_str());
    Ok(serde_json::to_string(&serde_json::to_string(row)?)?)
}
