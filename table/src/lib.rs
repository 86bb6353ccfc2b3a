//! The only crate that names the DynamoDB SDK: plans become transactions, old items become refusals.
//!
//! A [`domain::plan::Plan`] is compiled to one `TransactWriteItems` and tried, with jitter and within a bound, through
//! conflicts, throttles and lost replies; a failed condition is an answer and never retried. Reads are consistent.
//!
//! **It deliberately knows nothing of** what a seat, a hold or an order may do: that is `domain`'s. It does not know
//! HTTP, the payment provider or the clock either.

mod account;
mod audit;
mod bulk;
mod commit;
mod compile;
mod endpoint;
mod error;
mod event;
mod import;
mod outbox;
mod pages;
mod read;
mod reason;
mod redraw;
mod retry;
mod schema;
mod value;
mod waiting;

pub use account::{AccountFile, Erased};
pub use commit::DecideError;
pub use error::{CommitError, TableError};
pub use import::ImportError;
pub use pages::After;
pub use redraw::first_items;
pub use schema::{ACCOUNT_INDEX, OPEN_INDEX};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use std::time::Duration;

/// One DynamoDB table and a client for it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Table {
    client: Client,
    name: String,
}

impl Table {
    /// A table reached as the standard `AWS_*` variables say (`AWS_ENDPOINT_URL_DYNAMODB` for a local one).
    pub async fn from_env(name: impl Into<String>) -> Self {
        let shared = aws_config::load_defaults(aws_config::BehaviorVersion::latest()).await;
        let config =
            aws_sdk_dynamodb::config::Builder::from(&shared).timeout_config(timeouts()).retry_config(retries()).build();
        Self::new(Client::from_conf(config), name)
    }

    /// A table reached by this client.
    #[must_use]
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        Self { client, name: name.into() }
    }

    /// The client, for what has no helper here.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The table's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn retries() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(4).with_initial_backoff(Duration::from_millis(50))
}

/// A reply later than this is a lost one. Local emulators under load need more than DynamoDB's few milliseconds.
fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(3))
        .build()
}
