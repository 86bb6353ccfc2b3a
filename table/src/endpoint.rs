//! A table at a named endpoint with given keys: the local stack's, where the environment is not asked.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};

use crate::{Table, retries, timeouts};

impl Table {
    /// The table `name` of the DynamoDB at `url` (as `http://127.0.0.1:8000`).
    #[must_use]
    pub fn at(url: &str, region: &str, access_key_id: &str, secret_access_key: &str, name: &str) -> Self {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(region.to_owned()))
            .endpoint_url(url)
            .credentials_provider(Credentials::new(access_key_id, secret_access_key, None, None, "given"))
            .timeout_config(timeouts())
            .retry_config(retries())
            .build();
        Self::new(Client::from_conf(config), name)
    }
}
