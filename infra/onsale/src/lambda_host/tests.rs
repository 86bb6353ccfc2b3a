//! The host with a fake runtime: a loop of HTTP calls, as a function binary makes them.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;

struct Bench {
    function: Arc<Function>,
    log: OriginLog,
    signer: Signer,
    url: String,
}

async fn bench(timeout_ms: u64) -> Bench {
    let keys = SignerKeys { access_key_id: "AKID".into(), secret_access_key: "secret".into() };
    let signer = Signer::new(&keys, "us-east-1", "lambda");
    let function = Arc::new(Function::new("echo", Duration::from_millis(timeout_ms)));
    let log = OriginLog::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let front = FunctionUrl { function: function.clone(), signer: signer.clone(), log: log.clone() };
    serve_function_url(listener, front);
    Bench { function, log, signer, url }
}

/// Takes one invocation and answers with what `answer` makes of it.
async fn serve_one(api: String, answer: impl FnOnce(Value) -> Value) {
    let client = reqwest::Client::new();
    let base = format!("http://{api}/2018-06-01/runtime/invocation");
    let next = client.get(format!("{base}/next")).send().await.unwrap();
    let id = next.headers()["lambda-runtime-aws-request-id"].to_str().unwrap().to_owned();
    assert!(next.headers().contains_key("lambda-runtime-deadline-ms"));
    let event: Value = next.json().await.unwrap();
    let body = answer(event).to_string();
    client.post(format!("{base}/{id}/response")).body(body).send().await.unwrap();
}

impl Bench {
    async fn signed(&self, at: SystemTime, path: &str, body: &'static str) -> reqwest::Response {
        let url = format!("{}{path}", self.url);
        let headers = self.signer.headers(at, "POST", &url, &[("x-correlation-id", "c1")], body.as_bytes()).unwrap();
        let mut request = reqwest::Client::new().post(&url).header("x-correlation-id", "c1").body(body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.header("content-type", "application/json").send().await.unwrap()
    }
}

#[tokio::test]
async fn a_signed_request_reaches_the_function_and_is_logged() {
    let bench = bench(2_000).await;
    let sandbox = Sandbox::open(&bench.function).unwrap();
    let api = sandbox.runtime_api();
    let runtime = tokio::spawn(serve_one(api, |event| {
        assert_eq!(event["requestContext"]["http"]["method"], "POST");
        assert_eq!(event["rawPath"], "/v1/a b".replace(' ', "%20"));
        assert_eq!(event["rawQueryString"], "q=1&x=%20y");
        assert_eq!(event["queryStringParameters"]["x"], " y");
        assert_eq!(event["body"], "{}");
        assert!(event["headers"].get("authorization").is_none());
        json!({"statusCode": 201, "headers": {"x-a": "b"}, "cookies": ["k=v"], "body": "aGk=", "isBase64Encoded": true})
    }));
    let response = bench.signed(SystemTime::now(), "/v1/a%20b?q=1&x=%20y", "{}").await;
    runtime.await.unwrap();
    assert_eq!(response.status(), 201);
    assert_eq!(
        (&response.headers()["x-a"], &response.headers()["set-cookie"]),
        (&"b".parse().unwrap(), &"k=v".parse().unwrap())
    );
    assert_eq!(response.text().await.unwrap(), "hi");
    let seen = bench.log.requests();
    assert_eq!((seen[0].status, seen[0].correlation_id.as_deref()), (201, Some("c1")));
}

#[tokio::test]
async fn unsigned_stale_and_foreign_requests_are_forbidden() {
    let mut bench = bench(500).await;
    let unsigned = reqwest::get(&bench.url).await.unwrap();
    assert_eq!(unsigned.status(), 403);
    let stale = SystemTime::now() - Duration::from_secs(301);
    assert_eq!(bench.signed(stale, "/", "{}").await.status(), 403);
    let keys = SignerKeys { access_key_id: "AKID".into(), secret_access_key: "other".into() };
    bench.signer = Signer::new(&keys, "us-east-1", "lambda");
    assert_eq!(bench.signed(SystemTime::now(), "/", "{}").await.status(), 403);
}

#[tokio::test]
async fn without_an_instance_the_answer_is_503_at_once() {
    let bench = bench(60_000).await;
    let started = Instant::now();
    assert_eq!(bench.signed(SystemTime::now(), "/", "{}").await.status(), 503);
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn an_instance_that_dies_mid_request_gives_502_at_once() {
    let bench = bench(60_000).await;
    let sandbox = Sandbox::open(&bench.function).unwrap();
    let next = format!("http://{}/2018-06-01/runtime/invocation/next", sandbox.runtime_api());
    tokio::spawn(async move {
        reqwest::get(next).await.unwrap();
        drop(sandbox);
    });
    assert_eq!(bench.signed(SystemTime::now(), "/", "{}").await.status(), 502);
}

#[tokio::test]
async fn a_slow_invocation_times_out_and_its_instance_is_evicted() {
    let bench = bench(600).await;
    let sandbox = Sandbox::open(&bench.function).unwrap();
    let next = format!("http://{}/2018-06-01/runtime/invocation/next", sandbox.runtime_api());
    tokio::spawn(async move { reqwest::get(next).await.unwrap() });
    assert_eq!(bench.function.invoke("{}".into()).await, Err(InvokeError::TimedOut));
    tokio::time::timeout(Duration::from_secs(10), sandbox.instance().evicted()).await.unwrap();
}

#[tokio::test]
async fn one_instance_serves_one_at_a_time() {
    let bench = bench(5_000).await;
    let sandbox = Sandbox::open(&bench.function).unwrap();
    let api = sandbox.runtime_api();
    let function = bench.function.clone();
    let first = tokio::spawn({
        let f = function.clone();
        async move { f.invoke("1".into()).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let second = tokio::spawn(async move { function.invoke("2".into()).await });
    for n in [1, 2] {
        serve_one(api.clone(), |event| {
            assert_eq!(event, json!(n));
            event
        })
        .await;
    }
    assert_eq!((first.await.unwrap().unwrap(), second.await.unwrap().unwrap()), ("1".into(), "2".into()));
}
