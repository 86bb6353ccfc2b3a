//! The poller against the embedded emulator, with a scripted function.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;
use crate::dynamo::{Embedded, TABLE_NAME, ensure_table};
use crate::lambda_host::{Sandbox, SignerKeys};

/// The batches a function was given, as lists of sort keys.
type Seen = Arc<Mutex<Vec<Vec<String>>>>;

struct Bench {
    _embedded: Embedded,
    client: DynamoClient,
    arn: String,
    sandboxes: Mutex<Vec<Sandbox>>,
    folder: tempfile::TempDir,
}

async fn bench() -> Bench {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let embedded = Embedded::start(listener, &folder.path().join("table.db")).unwrap();
    let keys = SignerKeys { access_key_id: "local".into(), secret_access_key: "local".into() };
    let client = DynamoClient::new(&embedded.url(), &keys, "us-east-1");
    let arn = ensure_table(&client, TABLE_NAME).await.unwrap();
    Bench { _embedded: embedded, client, arn, sandboxes: Mutex::default(), folder }
}

impl Bench {
    async fn put(&self, kind: &str, names: &[&str]) {
        for name in names {
            let item = json!({"pk": {"S": "p"}, "sk": {"S": name}, "k": {"S": kind}});
            self.client.table("PutItem", &json!({"TableName": TABLE_NAME, "Item": item})).await.unwrap();
        }
    }

    /// A function whose every batch is answered by `script`; `None` is an error.
    fn function(&self, script: fn(&[String]) -> Option<Vec<usize>>) -> (Arc<Function>, Seen) {
        let function = Arc::new(Function::new("settle", Duration::from_secs(5)));
        let seen = Seen::default();
        let sandbox = Sandbox::open(&function).unwrap();
        let api = format!("http://{}/2018-06-01/runtime/invocation", sandbox.runtime_api());
        tokio::spawn(run(api, seen.clone(), script));
        self.sandboxes.lock().unwrap().push(sandbox);
        (function, seen)
    }

    fn poller(&self, function: &Arc<Function>, batch_size: usize, retries_max: u32) -> Poller {
        let mapping = Mapping { batch_size, retries_max, ..settle() };
        Poller::start(self.client.clone(), self.arn.clone(), mapping, function.clone(), self.folder.path())
    }
}

async fn run(api: String, seen: Seen, script: fn(&[String]) -> Option<Vec<usize>>) {
    let client = reqwest::Client::new();
    loop {
        let next = client.get(format!("{api}/next")).send().await.unwrap();
        let id = next.headers()["lambda-runtime-aws-request-id"].to_str().unwrap().to_owned();
        let event: Value = next.json().await.unwrap();
        let records = event["Records"].as_array().unwrap();
        let names: Vec<String> =
            records.iter().map(|r| r["dynamodb"]["Keys"]["sk"]["S"].as_str().unwrap().into()).collect();
        seen.lock().unwrap().push(names.clone());
        let (path, answer) = match script(&names) {
            Some(failed) => (
                "response",
                json!({"batchItemFailures": failed.iter().map(|i| json!({"itemIdentifier": records[*i]["dynamodb"]["SequenceNumber"]})).collect::<Vec<_>>()}),
            ),
            None => ("error", json!({"errorMessage": "no"})),
        };
        client.post(format!("{api}/{id}/{path}")).body(answer.to_string()).send().await.unwrap();
    }
}

async fn caught_up(poller: &Poller) {
    let start = jiff::Timestamp::now().as_millisecond();
    while poller.status().caught_up_ms() <= start {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn dead(folder: &Path) -> Vec<Value> {
    let Ok(files) = std::fs::read_dir(folder.join(DeadLetters::FOLDER)) else { return Vec::new() };
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect()
}

#[tokio::test]
async fn only_wanted_records_come_in_batches_and_a_restart_continues() {
    let bench = bench().await;
    let (function, seen) = bench.function(|_| Some(vec![]));
    bench.put("order", &["1", "2", "3"]).await;
    bench.put("seat", &["4"]).await;
    {
        let poller = bench.poller(&function, 2, 3);
        caught_up(&poller).await;
    }
    assert_eq!(*seen.lock().unwrap(), [vec!["1", "2"], vec!["3"]]);
    bench.put("order", &["5"]).await;
    let poller = bench.poller(&function, 2, 3);
    caught_up(&poller).await;
    assert_eq!(seen.lock().unwrap()[2..], [vec!["5"]]);
}

#[tokio::test]
async fn a_partial_failure_repeats_from_the_failed_record() {
    let bench = bench().await;
    let (function, seen) = bench.function(|names| match names {
        [first, ..] if first == "1" => Some(vec![2, 1]),
        _ => Some(vec![]),
    });
    bench.put("order", &["1", "2", "3"]).await;
    caught_up(&bench.poller(&function, 10, 3)).await;
    assert_eq!(*seen.lock().unwrap(), [vec!["1", "2", "3"], vec!["2", "3"]]);
    assert!(dead(bench.folder.path()).is_empty());
}

#[tokio::test]
async fn an_error_bisects_and_only_the_poison_becomes_a_dead_letter() {
    let bench = bench().await;
    let (function, seen) = bench.function(|names| (!names.contains(&"3".to_owned())).then(Vec::new));
    bench.put("order", &["1", "2", "3", "4"]).await;
    let poller = bench.poller(&function, 10, 3);
    caught_up(&poller).await;
    let taken: Vec<_> = seen.lock().unwrap().iter().filter(|b| !b.contains(&"3".to_owned())).cloned().collect();
    assert_eq!(taken, [vec!["1", "2"], vec!["4"]]);
    let dead = dead(bench.folder.path());
    assert_eq!((dead.len(), dead[0]["DDBStreamBatchInfo"]["batchSize"].as_u64()), (1, Some(1)));
    assert_eq!(poller.status().dead_letters(), 1);
    assert_eq!(names(&dead[0]), ["3"], "the record itself");
}

/// The records that a letter keeps.
fn names(letter: &Value) -> Vec<String> {
    let payload: Value = serde_json::from_str(letter["payload"].as_str().unwrap()).unwrap();
    let records = payload["Records"].as_array().unwrap();
    records.iter().map(|record| record["dynamodb"]["NewImage"]["sk"]["S"].as_str().unwrap().to_owned()).collect()
}

/// A function that names what failed and takes the rest, as settle does: what stands behind the poison was done each time, is kept
/// with it, and does no harm when it is delivered again.
#[tokio::test]
async fn ninety_nine_go_through_and_the_hundredth_is_parked_within_its_retries() {
    let bench = bench().await;
    let (function, seen) = bench.function(|all| Some(all.iter().position(|name| name == "40").into_iter().collect()));
    let all: Vec<String> = (1..=100).map(|n| format!("{n:02}")).collect();
    bench.put("order", &all.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let poller = bench.poller(&function, 100, 2);
    caught_up(&poller).await;
    let seen: Vec<Vec<String>> = seen.lock().unwrap().clone();
    assert_eq!(seen, [&all[..], &all[39..], &all[39..]]);
    let dead = dead(bench.folder.path());
    assert_eq!((dead.len(), names(&dead[0])), (1, all[39..].to_vec()));
    bench.put("order", &["later"]).await;
    caught_up(&poller).await;
    assert_eq!(poller.status().dead_letters(), 1, "the stream goes on behind it");
}

#[tokio::test]
async fn while_no_instance_lives_nothing_is_lost_or_counted() {
    let bench = bench().await;
    let function = Arc::new(Function::new("settle", Duration::from_secs(5)));
    bench.put("order", &["1"]).await;
    let poller = bench.poller(&function, 10, 0);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!((poller.status().caught_up_ms(), poller.status().dead_letters()), (0, 0));
    let seen = Seen::default();
    let sandbox = Sandbox::open(&function).unwrap();
    let api = format!("http://{}/2018-06-01/runtime/invocation", sandbox.runtime_api());
    tokio::spawn(run(api, seen.clone(), |_| Some(vec![])));
    caught_up(&poller).await;
    assert_eq!(*seen.lock().unwrap(), [vec!["1"]]);
}
