//! The embedded emulator, and a measurement of its bulk writes.

use std::time::Instant;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;
use crate::lambda_host::SignerKeys;

pub(crate) fn keys() -> SignerKeys {
    SignerKeys { access_key_id: "local".into(), secret_access_key: "local".into() }
}

async fn embedded(file: &std::path::Path) -> (Embedded, DynamoClient) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let embedded = Embedded::start(listener, file).unwrap();
    let client = DynamoClient::new(&embedded.url(), &keys(), "us-east-1");
    (embedded, client)
}

#[tokio::test]
async fn the_table_is_created_once_and_kept_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.db");
    let item = json!({"TableName": TABLE_NAME, "Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}});
    let first = {
        let (_embedded, client) = embedded(&file).await;
        client.table("PutItem", &item).await.unwrap_err();
        let arn = ensure_table(&client, TABLE_NAME).await.unwrap();
        client.table("PutItem", &item).await.unwrap();
        arn
    };
    let (_embedded, client) = embedded(&file).await;
    assert_eq!(ensure_table(&client, TABLE_NAME).await.unwrap(), first);
    let key = json!({"TableName": TABLE_NAME, "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}}});
    assert!(client.table("GetItem", &key).await.unwrap()["Item"].is_object());
}

fn batch(from: usize) -> Value {
    let puts: Vec<Value> = (from..from + 25)
        .map(|n| {
            json!({"PutRequest": {"Item": {
                "pk": {"S": format!("SEATS#e#W{:02}", n / 500)}, "sk": {"S": format!("SEAT#{n}")},
                "k": {"S": "seat"}, "st": {"S": "free"}, "lv": {"S": "front"}, "v": {"N": "1"},
            }}})
        })
        .collect();
    json!({"RequestItems": {TABLE_NAME: puts}})
}

/// `cargo test -p onsale bulk -- --ignored --nocapture`
#[tokio::test]
#[ignore = "a measurement"]
async fn bulk_writes_of_a_stadium() {
    use futures::StreamExt;
    let folder = tempfile::tempdir().unwrap();
    let (_embedded, client) = embedded(&folder.path().join("t.db")).await;
    ensure_table(&client, TABLE_NAME).await.unwrap();
    for callers in [8, 1] {
        let started = Instant::now();
        let writes = (0..39_350 / 25).map(|n| {
            let client = client.clone();
            async move { client.table("BatchWriteItem", &batch(n * 25)).await.unwrap() }
        });
        futures::stream::iter(writes).buffer_unordered(callers).count().await;
        eprintln!("39,350 seats over HTTP, {callers} callers: {:?}", started.elapsed());
    }
}
