//! The table's schema, in one place; `infra/template.yaml` says the same, and a test compares them.

use aws_sdk_dynamodb::error::{BuildError, ProvideErrorMetadata};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType, StreamSpecification, StreamViewType, TimeToLiveSpecification,
};
use domain::items::attr;

use crate::Table;
use crate::error::TableError;
use crate::read::failure;

/// Index of what is open: live holds by until and unfinished orders by last change. Keys only.
pub const OPEN_INDEX: &str = "open";
/// Index of orders by account. Keys only.
pub const ACCOUNT_INDEX: &str = "account";

impl Table {
    /// Creates the table with its stream, indexes and time to live; a table of that name that exists is left as it is.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn create(&self) -> Result<(), TableError> {
        let broken = |e: BuildError| TableError::Broken(e.to_string());
        let created = self
            .client
            .create_table()
            .table_name(&self.name)
            .billing_mode(BillingMode::PayPerRequest)
            .set_key_schema(Some(keys(attr::PK, attr::SK).map_err(broken)?))
            .set_attribute_definitions(Some(definitions().map_err(broken)?))
            .global_secondary_indexes(index(OPEN_INDEX, attr::OPEN_PK, attr::OPEN_AT).map_err(broken)?)
            .global_secondary_indexes(index(ACCOUNT_INDEX, attr::ACCOUNT_PK, attr::AT).map_err(broken)?)
            .stream_specification(stream().map_err(broken)?)
            .send()
            .await;
        match created {
            Ok(_) => self.expire_items().await,
            Err(error) if error.code() == Some("ResourceInUseException") => Ok(()),
            Err(error) => Err(failure(error)),
        }
    }

    async fn expire_items(&self) -> Result<(), TableError> {
        let ttl = TimeToLiveSpecification::builder().enabled(true).attribute_name(attr::TTL).build();
        let ttl = ttl.map_err(|e| TableError::Broken(e.to_string()))?;
        let request = self.client.update_time_to_live().table_name(&self.name).time_to_live_specification(ttl);
        request.send().await.map_err(failure)?;
        Ok(())
    }
}

fn keys(hash: &str, range: &str) -> Result<Vec<KeySchemaElement>, BuildError> {
    let key = |name: &str, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
    Ok(vec![key(hash, KeyType::Hash)?, key(range, KeyType::Range)?])
}

fn definitions() -> Result<Vec<AttributeDefinition>, BuildError> {
    let texts = [attr::PK, attr::SK, attr::OPEN_PK, attr::ACCOUNT_PK].map(|n| (n, ScalarAttributeType::S));
    let numbers = [attr::OPEN_AT, attr::AT].map(|n| (n, ScalarAttributeType::N));
    let define = |(name, kind)| AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build();
    texts.into_iter().chain(numbers).map(define).collect()
}

fn index(name: &str, hash: &str, range: &str) -> Result<GlobalSecondaryIndex, BuildError> {
    let keys_only = Projection::builder().projection_type(ProjectionType::KeysOnly).build();
    GlobalSecondaryIndex::builder()
        .index_name(name)
        .set_key_schema(Some(keys(hash, range)?))
        .projection(keys_only)
        .build()
}

fn stream() -> Result<StreamSpecification, BuildError> {
    StreamSpecification::builder().stream_enabled(true).stream_view_type(StreamViewType::NewAndOldImages).build()
}
