//! What a stack can be told.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::build::Artifacts;
use crate::stream::{self, Mapping};

/// How to run a stack.
#[derive(Debug, Clone)]
pub struct StackOptions {
    /// What to run.
    pub artifacts: Artifacts,
    /// Where table, ledger, line, logs and addresses are kept; `None` for a folder that goes
    /// with the stack.
    pub state: Option<PathBuf>,
    /// Where the edge listens; `None` for the port kept in the state folder, or a free one.
    pub listen: Option<SocketAddr>,
    /// Another DynamoDB than the embedded one.
    pub dynamodb_endpoint: Option<String>,
    /// The table's name; give each stack its own when several share one DynamoDB.
    pub table: String,
    /// Instances of the booking function.
    pub booking_instances: usize,
    /// What the stream's reader of `settle` is set to.
    pub settle: Mapping,
    /// How often the janitor runs.
    pub janitor_every: Duration,
    /// How long after an audit began the next one is due.
    pub audit_every: Duration,
    /// How often an audit that is due goes on.
    pub audit_step_every: Duration,
    /// Whether the edge offers fault injection to the operator.
    pub faults: bool,
    /// Issuer of an identity provider that fans may sign in at, and the client's id there.
    pub oidc: Option<(String, String)>,
}

impl StackOptions {
    /// The usual stack with these artifacts, in a folder of its own that goes with it.
    pub fn new(artifacts: Artifacts) -> Self {
        Self {
            artifacts,
            state: None,
            listen: None,
            dynamodb_endpoint: None,
            table: crate::dynamo::TABLE_NAME.to_owned(),
            booking_instances: 4,
            settle: stream::settle(),
            janitor_every: Duration::from_secs(5),
            audit_every: Duration::from_secs(60 * 60),
            audit_step_every: Duration::from_secs(5 * 60),
            faults: true,
            oidc: None,
        }
    }
}
