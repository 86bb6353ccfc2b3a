//! A table to test against: an embedded emulator, or the DynamoDB at `ONSALE_TEST_DYNAMODB` (AWS's DynamoDB Local).
#![allow(dead_code, clippy::unwrap_used)] // Each test file uses its part; a panic is a test's failure.

pub mod faults;
pub mod shop;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
use table::Table;

/// A fresh table of its own name.
pub async fn fresh_table() -> Table {
    let table = Table::new(Client::from_conf(config(&endpoint().await).build()), table_name());
    table.create().await.unwrap();
    table
}

/// The same table through a client whose replies are tampered with.
pub fn through(table: &Table, endpoint: &str, faults: faults::Faults) -> Table {
    Table::new(Client::from_conf(config(endpoint).interceptor(faults).build()), table.name())
}

/// Where the table is: given by the environment, or an emulator that lives as long as this test.
pub async fn endpoint() -> String {
    match std::env::var("ONSALE_TEST_DYNAMODB") {
        Ok(url) => url,
        Err(_) => serve(dynoxide::Database::memory().unwrap()).await,
    }
}

/// Serves an embedded database on a free port.
pub async fn serve(database: dynoxide::Database) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(dynoxide::server::serve_on(listener, database));
    format!("http://{address}")
}

pub fn config(endpoint: &str) -> Builder {
    Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(endpoint)
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
}

pub fn table_name() -> String {
    format!("onsale-test-{:016x}", rand::random::<u64>())
}

/// A way to the table at `behind` whose first connection takes requests along and never brings an answer back.
pub async fn stalling(behind: &str) -> String {
    let behind = behind.trim_start_matches("http://").to_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for n in 0.. {
            let (mut client, _) = listener.accept().await.unwrap();
            let mut table = tokio::net::TcpStream::connect(&behind).await.unwrap();
            tokio::spawn(async move {
                if n > 0 {
                    return drop(tokio::io::copy_bidirectional(&mut client, &mut table).await);
                }
                let ((mut asked, _kept), (mut told, mut asks)) = (client.into_split(), table.into_split());
                let swallowed = async { drop(tokio::io::copy(&mut told, &mut tokio::io::sink()).await) };
                tokio::join!(swallowed, async { drop(tokio::io::copy(&mut asked, &mut asks).await) });
            });
        }
    });
    format!("http://{address}")
}
