//! The embedded emulator.

use serde_json::json;
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
