//! The one table: the same keys, indexes and stream as in `infra/template.yaml`.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{CallError, DynamoClient};

/// The table's name in the local stack.
pub const TABLE_NAME: &str = "onsale-local";

/// The `CreateTable` request.
pub fn create_table_request(table: &str) -> Value {
    json!({
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            attribute("pk", "S"), attribute("sk", "S"), attribute("opk", "S"),
            attribute("ot", "N"), attribute("apk", "S"), attribute("at", "N"),
        ],
        "KeySchema": keys("pk", "sk"),
        "GlobalSecondaryIndexes": [
            { "IndexName": "open", "KeySchema": keys("opk", "ot"), "Projection": { "ProjectionType": "KEYS_ONLY" } },
            { "IndexName": "account", "KeySchema": keys("apk", "at"), "Projection": { "ProjectionType": "KEYS_ONLY" } },
        ],
        "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" },
    })
}

fn attribute(name: &str, kind: &str) -> Value {
    json!({ "AttributeName": name, "AttributeType": kind })
}

fn keys(hash: &str, range: &str) -> Value {
    json!([
        { "AttributeName": hash, "KeyType": "HASH" },
        { "AttributeName": range, "KeyType": "RANGE" },
    ])
}

/// Creates the table if it is missing, waits until it is active and gives the stream's ARN.
///
/// # Errors
/// [`CallError`]; a table without a stream is refused as such.
pub async fn ensure_table(client: &DynamoClient, table: &str) -> Result<String, CallError> {
    let ask = json!({ "TableName": table });
    loop {
        match client.table("DescribeTable", &ask).await {
            Ok(answer) if answer["Table"]["TableStatus"] == "ACTIVE" => {
                return stream_of(table, &answer);
            }
            Ok(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(error) if error.is("ResourceNotFoundException") => create(client, table).await?,
            Err(error) => return Err(error),
        }
    }
}

async fn create(client: &DynamoClient, table: &str) -> Result<(), CallError> {
    match client.table("CreateTable", &create_table_request(table)).await {
        Err(error) if !error.is("ResourceInUseException") => Err(error),
        _ => Ok(()),
    }
}

fn stream_of(table: &str, answer: &Value) -> Result<String, CallError> {
    let arn = answer["Table"]["LatestStreamArn"].as_str();
    arn.map(str::to_owned).ok_or_else(|| CallError::Refused {
        operation: "DescribeTable".into(),
        code: "NoStream".into(),
        message: format!("the table {table} has no stream; delete it and let onsale create it"),
    })
}
