//! Letters against a stand-in for Lambda's Invoke.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

use super::*;
use crate::lambda_host::{Signer, SignerKeys};

/// What was invoked, and how: the function's path and the record's key.
#[derive(Clone, Default)]
struct Lambda {
    seen: Arc<Mutex<Vec<(String, String)>>>,
    repaired: Arc<Mutex<bool>>,
}

impl Lambda {
    async fn start() -> (Self, String) {
        let (lambda, listener) = (Self::default(), TcpListener::bind("127.0.0.1:0").await.unwrap());
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(lambda.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (lambda, url)
    }

    fn repair(&self) {
        *self.repaired.lock().unwrap() = true;
    }
}

fn keys() -> SignerKeys {
    SignerKeys { access_key_id: "AKID".into(), secret_access_key: "secret".into() }
}

async fn answer(State(lambda): State<Lambda>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let signed = Signer::new(&keys(), "eu-central-1", "lambda");
    let by_key = headers.get("authorization").is_some_and(|value| value == "Bearer key");
    if !by_key && !signed.verify(SystemTime::now(), "POST", uri.path(), &headers, &body) {
        return (StatusCode::FORBIDDEN, "no").into_response();
    }
    let batch: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(batch["Records"].as_array().map(Vec::len), Some(1), "record by record");
    let key = key(&batch["Records"][0]);
    lambda.seen.lock().unwrap().push((uri.path().to_owned(), key.clone()));
    let well = *lambda.repaired.lock().unwrap();
    match key.as_str() {
        "ORDER#bad ORDER" if !well => {
            json!({"batchItemFailures": [{"itemIdentifier": "2"}]}).to_string().into_response()
        }
        "ORDER#panic ORDER" if !well => ([(FAILED, "Unhandled")], "{}").into_response(),
        _ => json!({"batchItemFailures": []}).to_string().into_response(),
    }
}

fn letter(function: &str, names: &[&str]) -> Value {
    let record =
        |name: &&str| json!({"dynamodb": {"Keys": {"pk": {"S": format!("ORDER#{name}")}, "sk": {"S": "ORDER"}}}});
    let payload = json!({ "Records": names.iter().map(record).collect::<Vec<_>>() });
    json!({"requestContext": {"functionArn": function, "condition": "RetryAttemptsExhausted"}, "timestamp": "t", "payload": payload.to_string()})
}

async fn redrive(folder: &Path, to: &Invoker) -> Vec<Redriven> {
    let mut done = Vec::new();
    for letter in all(folder).unwrap() {
        done.push(letter.unwrap().redrive(to).await.unwrap());
    }
    done
}

#[tokio::test]
async fn what_is_taken_leaves_the_letter_and_the_rest_waits_for_the_repair() {
    let ((lambda, url), folder) = (Lambda::start().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("settle-1.json");
    put(&path, &letter("settle", &["good", "bad", "panic", "fine"])).unwrap();
    let to = Invoker::local(&url, "key");
    let done = redrive(folder.path(), &to).await.remove(0);
    assert_eq!((done.taken, done.left.len()), (2, 2), "{done:?}");
    assert_eq!(Letter::read(path.clone()).unwrap().keys(), ["ORDER#bad ORDER", "ORDER#panic ORDER"]);
    let before = std::fs::read(&path).unwrap();
    let done = redrive(folder.path(), &Invoker::local(&url, "another key")).await.remove(0);
    assert_eq!(
        (done.taken, done.left.len(), std::fs::read(&path).unwrap()),
        (0, 2, before),
        "a stranger changes nothing"
    );
    lambda.repair();
    assert_eq!(redrive(folder.path(), &to).await, [Redriven { taken: 2, left: vec![] }]);
    assert!(!path.exists() && redrive(folder.path(), &to).await.is_empty());
    assert_eq!(lambda.seen.lock().unwrap().len(), 6);
    assert_eq!(lambda.seen.lock().unwrap()[0].0, "/2015-03-31/functions/settle/invocations");
}

#[tokio::test]
async fn a_copy_of_a_bucket_is_delivered_under_a_signature() {
    let ((lambda, url), folder) = (Lambda::start().await, tempfile::tempdir().unwrap());
    let deep = folder.path().join("aws/lambda/uuid/shardId-1/2027/06/12");
    std::fs::create_dir_all(&deep).unwrap();
    let arn = "arn:aws:lambda:eu-central-1:123456789012:function:onsale-prod-settle:live";
    let mut plain = letter(arn, &["good"]);
    plain["payload"] = serde_json::from_str(plain["payload"].as_str().unwrap()).unwrap();
    put(&deep.join("2027-06-12T18.00.00-a"), &letter(arn, &["fine"])).unwrap();
    put(&deep.join("2027-06-12T18.00.01-b"), &plain).unwrap();
    let signer = |secret: &str| {
        let keys = SignerKeys { secret_access_key: secret.into(), ..keys() };
        Signer::new(&keys, "eu-central-1", "lambda").in_session(&keys, Some("session".into()))
    };
    let done = redrive(folder.path(), &Invoker::signed(&url, signer("forged"))).await;
    assert!(done.iter().all(|done| done.taken == 0), "the twin: {done:?}");
    let done = redrive(folder.path(), &Invoker::signed(&url, signer("secret"))).await;
    assert!(done.iter().all(|done| done.taken == 1 && done.left.is_empty()), "{done:?}");
    assert_eq!(lambda.seen.lock().unwrap()[0].0, "/2015-03-31/functions/onsale-prod-settle/invocations");
    assert!(all(folder.path()).unwrap().is_empty());
}

#[test]
fn what_is_no_letter_is_named_and_left() {
    let folder = tempfile::tempdir().unwrap();
    assert!(all(&folder.path().join("not there")).unwrap().is_empty());
    let mut notice = letter("settle", &["good"]);
    notice.as_object_mut().unwrap().remove("payload");
    let bad = [
        "{",
        "[]",
        r#"{"payload":"{"}"#,
        &notice.to_string(),
        &letter("", &["good"]).to_string(),
        &letter("settle", &[]).to_string(),
    ];
    for (n, text) in bad.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{n}.json")), text).unwrap();
    }
    std::fs::write(folder.path().join("half.new"), "{").unwrap();
    put(&folder.path().join("good.json"), &letter("settle", &["good"])).unwrap();
    let read = all(folder.path()).unwrap();
    assert_eq!((read.len(), read.iter().filter(|letter| letter.is_ok()).count()), (bad.len() + 1, 1));
    let first = read[0].as_ref().unwrap_err().to_string();
    assert!(first.ends_with("0.json is no dead letter with records in it"), "{first}");
}
