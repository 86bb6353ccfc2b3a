//! The embedded emulator, and a measurement of its bulk writes.

use std::time::Instant;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;
use crate::lambda_host::SignerKeys;

pub(crate) fn keys() -> SignerKeys {
    SignerKeys {
        access_key_id: "local".into(),
        secret_access_key: "local".into(),
    }
}

async fn embedded(file: Option<&std::path::Path>) -> (Embedded, DynamoClient) {
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
        let (_embedded, client) = embedded(Some(&file)).await;
        client.table("PutItem", &item).await.unwrap_err();
        let arn = ensure_table(&client, TABLE_NAME).await.unwrap();
        client.table("PutItem", &item).await.unwrap();
        arn
    };
    let (_embedded, client) = embedded(Some(&file)).await;
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
    let folder = tempfile::tempdir().unwrap();
    for file in [None, Some(folder.path().join("t.db"))] {
        let (_embedded, client) = embedded(file.as_deref()).await;
        ensure_table(&client, TABLE_NAME).await.unwrap();
        let started = Instant::now();
        let writes = (0..39_350 / 25).map(|n| {
            let client = client.clone();
            async move {
                client
                    .table("BatchWriteItem", &batch(n * 25))
                    .await
                    .unwrap()
            }
        });
        use futures::StreamExt;
        futures::stream::iter(writes)
            .buffer_unordered(8)
            .count()
            .await;
        eprintln!(
            "39,350 seats over HTTP, file {}: {:?}",
            file.is_some(),
            started.elapsed()
        );
    }
}

/// `cargo test -p onsale bulk -- --ignored --nocapture`
#[tokio::test]
#[ignore = "a measurement"]
async fn bulk_import_in_process() {
    let folder = tempfile::tempdir().unwrap();
    for record_streams in [false, true] {
        let database = dynoxide::Database::new(
            &folder
                .path()
                .join(format!("{record_streams}"))
                .to_string_lossy(),
        )
        .unwrap();
        let create = serde_json::from_value(create_table_request(TABLE_NAME)).unwrap();
        database.create_table(create).unwrap();
        let items = (0..39_350 / 25)
            .flat_map(|n| {
                let batch = batch(n * 25);
                let puts = batch["RequestItems"][TABLE_NAME]
                    .as_array()
                    .unwrap()
                    .clone();
                puts.into_iter()
                    .map(|p| serde_json::from_value(p["PutRequest"]["Item"].clone()).unwrap())
            })
            .collect();
        let options = dynoxide::ImportOptions {
            record_streams,
            ..Default::default()
        };
        let started = Instant::now();
        database.import_items(TABLE_NAME, items, options).unwrap();
        eprintln!(
            "39,350 seats in process, stream {record_streams}: {:?}",
            started.elapsed()
        );
    }
}
