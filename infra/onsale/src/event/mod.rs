//! An event's files, and the demo's: read, and refused with everything that is wrong with them.

mod demo;
mod files;

pub use demo::Demo;
pub use files::read;

use domain::plan_import::Finding;
use serde_json::Value;

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
    /// The edge cannot be reached.
    #[error("the edge cannot be reached: {0}")]
    Unreachable(#[from] reqwest::Error),
    /// The edge refused the event.
    #[error("the edge refused the event with status {status}: {body}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The problem document.
        body: String,
    },
}

fn listed(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().map(|finding| format!("  - {finding}")).collect();
    lines.join("\n")
}

/// Ends an event's on-sale at the edge.
///
/// # Errors
/// [`EventError::Unreachable`] and [`EventError::Refused`].
pub async fn close(edge: &str, operator_key: &str, event: &str) -> Result<(), EventError> {
    let url = format!("{edge}/v1/operator/events/{event}/close");
    let request = reqwest::Client::new().post(url).bearer_auth(operator_key).json(&Value::Object(Default::default()));
    accepted(request.send().await?).await
}

async fn accepted(response: reqwest::Response) -> Result<(), EventError> {
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    Err(EventError::Refused { status: status.as_u16(), body: response.text().await.unwrap_or_default() })
}
