//! A meter before the table: passes every request on, asks for the capacity it consumes, and writes down the answer.
//!
//! It stands between the real client and an emulator that counts as DynamoDB documents it. Signatures are not checked there, so a
//! request may be added to.

use std::sync::{Arc, Mutex};

use anyhow::Context;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// What one writing request consumed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Write {
    /// Writes that it asked for.
    pub items: usize,
    /// Whether it is a transaction.
    pub transaction: bool,
    /// Whether it was refused; a refused one is not told what it consumed.
    pub refused: bool,
    /// Write units of the table.
    pub table: f64,
    /// Write units of the indexes.
    pub indexes: f64,
}

/// Everything that was written through it.
#[derive(Clone, Default)]
pub struct Meter {
    writes: Arc<Mutex<Vec<Write>>>,
    client: reqwest::Client,
    behind: String,
}

impl Meter {
    /// Serves on a free port before the table at `behind`; answers itself and its own address.
    pub async fn start(behind: &str) -> anyhow::Result<(Self, String)> {
        let meter = Self { behind: behind.to_owned(), ..Self::default() };
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let router = Router::new().fallback(pass).with_state(meter.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok((meter, url))
    }

    /// What was written since it was last asked.
    pub fn taken(&self) -> Vec<Write> {
        std::mem::take(&mut *self.writes.lock().expect("nobody panicked"))
    }

    async fn forward(&self, headers: HeaderMap, body: Bytes) -> anyhow::Result<Response> {
        let target = headers.get("x-amz-target").and_then(|name| name.to_str().ok()).unwrap_or_default().to_owned();
        let operation = target.rsplit('.').next().unwrap_or_default();
        let writes = matches!(operation, "TransactWriteItems" | "PutItem" | "UpdateItem" | "DeleteItem");
        let mut asked: Value = serde_json::from_slice(&body).unwrap_or_default();
        let body = if writes {
            asked["ReturnConsumedCapacity"] = json!("INDEXES");
            asked.to_string().into()
        } else {
            body
        };
        let mut request = self.client.post(&self.behind).body(body);
        for (name, value) in headers.iter().filter(|(name, _)| *name != "host" && *name != "content-length") {
            request = request.header(name, value);
        }
        let answer = request.send().await?;
        let (status, kind) = (answer.status(), answer.headers().get("content-type").cloned());
        let bytes = answer.bytes().await?;
        if writes {
            let told: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            self.writes.lock().expect("nobody panicked").push(write(operation, &asked, status.is_success(), &told)?);
        }
        let status = StatusCode::from_u16(status.as_u16())?;
        let kind = kind.context("a content type")?;
        Ok((status, [("content-type", kind.to_str()?.to_owned())], bytes).into_response())
    }
}

async fn pass(State(meter): State<Meter>, headers: HeaderMap, body: Bytes) -> Response {
    let passed = meter.forward(headers, body).await;
    passed.unwrap_or_else(|error| (StatusCode::BAD_GATEWAY, error.to_string()).into_response())
}

fn write(operation: &str, asked: &Value, done: bool, told: &Value) -> anyhow::Result<Write> {
    let transaction = operation == "TransactWriteItems";
    let items = asked["TransactItems"].as_array().map_or(1, Vec::len);
    let (mut table, mut indexes) = (0.0, 0.0);
    if done {
        let told = told.get("ConsumedCapacity").context("the table does not tell what it consumed")?;
        for one in told.as_array().cloned().unwrap_or_else(|| vec![told.clone()]) {
            let units =
                |value: &Value| value["WriteCapacityUnits"].as_f64().or(value["CapacityUnits"].as_f64()).unwrap_or(0.0);
            let index: f64 =
                one["GlobalSecondaryIndexes"].as_object().into_iter().flatten().map(|(_, v)| units(v)).sum();
            table += if one["Table"].is_object() { units(&one["Table"]) } else { units(&one) - index };
            indexes += index;
        }
    }
    Ok(Write { items, transaction, refused: !done, table, indexes })
}
