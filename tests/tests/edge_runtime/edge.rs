//! A Worker with its own storage, and a client that speaks to it as fans and operators do.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use onsale::edge::{EdgeBundle, EdgeConfig, Workerd};
use onsale::stand_ins::StandIns;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::origin::Origin;

/// The masters of every test deployment.
pub const MASTER_KEYS: &str = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
/// What the payment provider signs its events with in every test deployment.
pub const WEBHOOK_SECRET: &str = "whsec_of_the_test_0123456789";
/// The operator's key of every test deployment.
pub const OPERATOR_KEY: &str = "operator-of-the-test";
/// The event of every test; each has its own storage.
pub const EVENT: &str = "demo";

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a clock before the year 292 million")
}

/// Waits.
pub async fn sleep_ms(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// A Worker, its origin, and a client.
pub struct Edge {
    /// The process.
    pub workerd: Workerd,
    /// The origin behind it.
    pub origin: Origin,
    /// The services outside that the door calls.
    pub stand_ins: StandIns,
    /// The event as it was defined.
    pub event: Value,
    /// A plain client.
    pub http: reqwest::Client,
    /// What the Durable Objects have stored.
    pub state: tempfile::TempDir,
}

/// An answer: status and body.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: StatusCode,
    /// Its JSON, or `null`.
    pub body: Value,
    /// Its correlation id.
    pub correlation: String,
    /// When to try again, in seconds.
    pub retry_after_s: Option<i64>,
}

impl Answer {
    /// The stable code of a problem document.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

impl Edge {
    /// Starts a Worker with an event that opens in `opens_in_ms`, before an origin that this test is.
    pub async fn start(opens_in_ms: i64) -> Self {
        Self::with(opens_in_ms, |_| {}).await
    }

    /// The same with an event that is changed before it is put.
    pub async fn with(opens_in_ms: i64, change: impl FnOnce(&mut Value)) -> Self {
        let bundle = bundle().await;
        let mut event = event(now() + opens_in_ms);
        change(&mut event);
        Self::of(bundle, event).await
    }

    /// Starts a Worker of a bundle with an event.
    pub async fn of(bundle: EdgeBundle, event: Value) -> Self {
        Self::with_beacon(bundle, event, "").await
    }

    /// The same with the addresses of a public randomness beacon.
    pub async fn with_beacon(bundle: EdgeBundle, event: Value, beacon_urls: &str) -> Self {
        let origin = Origin::start().await;
        Self::build(bundle, (&origin.url.clone(), beacon_urls), origin, event).await
    }

    /// Starts a Worker with an event that opens in a minute, before an origin with this map and these counts.
    pub async fn showing(map: Value, counts: Value) -> Self {
        let (bundle, origin) = (bundle().await, Origin::start().await);
        origin.show(map, counts);
        Self::build(bundle, (&origin.url.clone(), ""), origin, event(now() + 60_000)).await
    }

    /// Starts a Worker with an event that opens in `opens_in_ms`, before another origin.
    pub async fn before(origin_url: &str, opens_in_ms: i64) -> Self {
        let bundle = bundle().await;
        Self::build(bundle, (origin_url, ""), Origin::start().await, event(now() + opens_in_ms)).await
    }

    async fn build(bundle: EdgeBundle, (origin_url, beacon_urls): (&str, &str), origin: Origin, event: Value) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let stand_ins = StandIns::start(listener).expect("stand-ins");
        let state = tempfile::tempdir().expect("a temporary folder");
        let config = EdgeConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            state: state.path().to_path_buf(),
            origin_url: origin_url.into(),
            master_keys: MASTER_KEYS.into(),
            operator_key: OPERATOR_KEY.into(),
            access_key_id: "test".into(),
            secret_access_key: "secret".into(),
            region: "eu-central-1".into(),
            beacon_urls: beacon_urls.into(),
            webhook_secrets: WEBHOOK_SECRET.into(),
            faults: true,
            outside: stand_ins.outside(),
            oidc: None,
        };
        let workerd = Workerd::spawn(&bundle, &config).await.expect("workerd starts");
        let http = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().expect("a client");
        let edge = Self { workerd, origin, stand_ins, event, http, state };
        let put = edge.operator(Method::PUT, "", edge.event.clone()).await;
        assert_eq!(put.status, StatusCode::OK, "{put:?}");
        edge
    }

    /// Sends a call; a connection that fails is `None`.
    pub async fn try_call(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &Value) -> Option<Answer> {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.workerd.url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if method != Method::GET {
            request = request.body(body.to_string());
        }
        let response = request.send().await.ok()?;
        let status = response.status();
        let id = response.headers().get("x-correlation-id").and_then(|id| id.to_str().ok());
        let correlation = id.unwrap_or_default().to_owned();
        let retry_after_s = response.headers().get("retry-after").and_then(|s| s.to_str().ok()?.parse().ok());
        let text = response.text().await.ok()?;
        Some(Answer { status, body: serde_json::from_str(&text).unwrap_or_default(), correlation, retry_after_s })
    }

    /// Sends a call of a fan, below the event's path.
    pub async fn fan(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Value) -> Answer {
        let path = format!("/v1/events/{EVENT}{path}");
        self.try_call(method, &path, headers, &body).await.expect("the Worker answers")
    }

    /// The file that the Pacer keeps its storage in.
    pub fn pacer_storage(&self) -> std::path::PathBuf {
        let files = std::fs::read_dir(self.state.path().join("onsale-pacer")).expect("the Pacers' storage");
        let files = files.map(|file| file.expect("a readable folder").path());
        let mut largest: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "sqlite")).collect();
        largest.sort_by_key(|path| path.metadata().expect("a readable file").len());
        largest.pop().expect("a Pacer")
    }

    /// Sends a call of the deployment's own operator, below the event's path.
    pub async fn operator(&self, method: Method, path: &str, body: Value) -> Answer {
        self.operator_with(OPERATOR_KEY, method, path, body).await
    }

    /// Sends an operator's call with this key.
    pub async fn operator_with(&self, key: &str, method: Method, path: &str, body: Value) -> Answer {
        let key = format!("Bearer {key}");
        let path = format!("/v1/operator/events/{EVENT}{path}");
        self.try_call(method, &path, &[("Authorization", &key)], &body).await.expect("the Worker answers")
    }

    /// Puts the event again, changed, and waits until everybody has it.
    pub async fn change(&self, opens_at_ms: i64, change: impl FnOnce(&mut Value)) {
        let mut event = event(opens_at_ms);
        event["name"] = json!(format!("Demo {}", now()));
        change(&mut event);
        let put = self.operator(Method::PUT, "", event.clone()).await;
        assert_eq!(put.status, StatusCode::OK, "{put:?}");
        let end = now() + 30_000;
        while self.fan(Method::GET, "", &[], Value::Null).await.body["name"] != event["name"] {
            assert!(now() < end, "the change is known in time");
            sleep_ms(200).await;
        }
    }

    /// Places that were given, as the Pacer last heard.
    pub async fn entries(&self) -> u64 {
        let beat = self.operator(Method::GET, "", Value::Null).await.body["beat"].as_u64();
        let live = async || self.operator(Method::GET, "", Value::Null).await.body;
        let end = now() + 30_000;
        loop {
            let live = live().await;
            if live["beat"].as_u64() > beat.map(|beat| beat + 1) {
                return live["entries"].as_u64().expect("a number");
            }
            assert!(now() < end, "two beats in time: {live}");
            sleep_ms(200).await;
        }
    }

    /// Names an operator and answers the new key.
    pub async fn name_operator(&self, name: &str, role: &str) -> String {
        let path = format!("/operators/{name}");
        let named = self.operator(Method::PUT, &path, json!({ "role": role })).await;
        named.body["key"].as_str().unwrap_or_else(|| panic!("a key in {named:?}")).to_owned()
    }

    /// The journal's lines, as they are, page by page.
    pub async fn journal(&self) -> Vec<String> {
        let (mut lines, mut after): (Vec<String>, u64) = (Vec::new(), 0);
        loop {
            let url = format!("{}/v1/operator/events/{EVENT}/log?after={after}", self.workerd.url());
            let answer = self.http.get(url).bearer_auth(OPERATOR_KEY).send().await.expect("the Worker answers");
            let page = answer.text().await.expect("lines");
            let Some(last) = page.lines().last() else { return lines };
            let last: Value = serde_json::from_str(last).expect("a line");
            after = last["n"].as_u64().expect("a number");
            lines.extend(page.lines().map(str::to_owned));
        }
    }

    /// Signs in.
    pub async fn account(&self, name: &str) -> String {
        let path = "/v1/dev/sign-in";
        let answer =
            self.try_call(Method::POST, path, &[], &json!({ "name": name })).await.expect("the Worker answers");
        token(&answer)
    }

    /// Joins the line.
    pub async fn join(&self, account: &str) -> Answer {
        self.fan(Method::POST, "/line", &[("X-Account-Token", account)], Value::Null).await
    }

    /// The status file; `null` while there is none.
    pub async fn status(&self) -> Value {
        self.fan(Method::GET, "/status.json", &[], Value::Null).await.body
    }

    /// Waits until the status satisfies `wanted`.
    pub async fn status_where(&self, what: &str, within_ms: i64, wanted: impl Fn(&Value) -> bool) -> Value {
        // Machines that test are busy; what counts in beats is asserted in beats.
        let end = now() + 3 * within_ms;
        loop {
            let status = self.status().await;
            if wanted(&status) {
                return status;
            }
            assert!(now() < end, "{what} within {within_ms} ms; last: {status}");
            sleep_ms(100).await;
        }
    }

    /// Joins, waits for the number and the turn, and returns place and access token.
    pub async fn enter(&self, name: &str) -> (u64, String) {
        let account = self.account(name).await;
        let end = now() + 20_000;
        loop {
            let place = self.join(&account).await;
            let shown = token(&place);
            let claim = self.fan(Method::POST, "/admission", &[("X-Place-Token", &shown)], Value::Null).await;
            if claim.status == StatusCode::OK {
                // The number may have become known between the two calls.
                let place = self.join(&account).await.body["place"].as_u64();
                return (place.expect("a number, once the turn has come"), token(&claim));
            }
            assert!(now() < end, "a turn in time; last: {claim:?}");
            sleep_ms(200).await;
        }
    }
}

/// The Worker as built.
pub async fn bundle() -> EdgeBundle {
    tokio::task::spawn_blocking(|| tests::scene::artifacts().edge).await.expect("the build ends")
}

/// The token in an answer.
pub fn token(answer: &Answer) -> String {
    answer.body["token"].as_str().unwrap_or_else(|| panic!("a token in {answer:?}")).to_owned()
}

/// An event that opens then.
pub fn event(opens_at_ms: i64) -> Value {
    json!({
        "id": EVENT, "name": "Demo", "venue": "Arena", "opens_at_ms": opens_at_ms, "zone": "Europe/Berlin",
        "currency": "EUR", "shards": 4, "rate_per_minute": 60_000, "tickets_per_order": 2.5, "max_per_account": 6,
        "grace_ms": 500, "claim_window_ms": 10_000, "ends_at_ms": opens_at_ms + 3_600_000, "layout_version": "v1",
        "levels": [{ "id": "front", "name": "Front", "price_minor": 5000, "fee_minor": 500, "total_minor": 5500 }],
    })
}
