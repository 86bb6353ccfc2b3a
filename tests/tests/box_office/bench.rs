//! The box office on a bench: the booking function's own handler, the real table code over the embedded DynamoDB, and the
//! payment simulator, all in this process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use booking_lambda::app::App;
use checkout::client::{Patience, Provider, ProviderTerms, Secret};
use checkout::{Checkout, Terms, wall_now};
use domain::ids::{AccountId, EventId, OrderId, SessionId};
use domain::items::Order;
use domain::keys::MasterKeys;
use domain::plan_import::import;
use domain::time::{Clock, EventMs};
use domain::token::{AccessToken, DeskToken, PulseToken, Token as _};
use lambda_http::{Body, Request, RequestExt as _, Response, http};
use onsale::dynamo::Embedded;
use onsale::payments::Simulator;
use serde_json::{Value, json};
use table::Table;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Everything that a test of the box office needs.
pub struct Bench {
    pub app: App,
    pub table: Table,
    pub checkout: Checkout,
    pub provider: Provider,
    pub payments: Simulator,
    pub event: EventId,
    beat: AtomicU64,
    keys: AtomicU64,
    _database: Embedded,
    _folder: TempDir,
}

/// A fan with an access token.
#[derive(Clone)]
pub struct Fan {
    pub account: AccountId,
    pub token: String,
}

/// Status and body of an answer.
pub type Answer = (u16, Value);

const MASTERS: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const EVENT: &str = include_str!("bench.toml");

/// A hall with one section of `rows` rows of `seats` seats.
fn plan(rows: usize, seats: usize) -> String {
    let seat = |row: usize, n: usize| json!({"seat_guid": format!("A-{row}-{n}"), "seat_number": n.to_string(), "position": {"x": n, "y": 0}, "category": "Front"});
    let row = |row: usize| json!({"row_number": row.to_string(), "position": {"x": 0, "y": row}, "seats": (1..=seats).map(|n| seat(row, n)).collect::<Vec<_>>()});
    let zone = json!({"name": "A", "zone_id": "A", "position": {"x": 0, "y": 0}, "rows": (1..=rows).map(row).collect::<Vec<_>>()});
    json!({"name": "Hall", "size": {"width": 100, "height": 100}, "categories": [{"name": "Front", "color": "#f00"}], "zones": [zone]}).to_string()
}

impl Bench {
    /// A hall of `rows` × `seats` seats and a floor of 40 places, open, with the first beat done.
    pub async fn start(rows: usize, seats: usize) -> Result<Self> {
        Self::with(rows, seats, "").await
    }

    /// The same with another limit.
    pub async fn with(rows: usize, seats: usize, limit: &str) -> Result<Self> {
        let levels = "[[levels]]\nid = \"front\"";
        Self::of(rows, seats, &EVENT.replace(levels, &format!("{limit}\n{levels}")), None).await
    }

    /// The same with some seats for wheelchairs and some beside them.
    pub async fn accessible(rows: usize, seats: usize, accessible: &[&str], companion: &[&str]) -> Result<Self> {
        let kinds = format!("accessible = {accessible:?}\ncompanion = {companion:?}\n");
        Self::of(rows, seats, &EVENT.replace("plan =", &format!("{kinds}plan =")), None).await
    }

    /// The same with some seats for wheelchairs and a waiting list.
    pub async fn waiting_accessible(rows: usize, seats: usize, accessible: &[&str]) -> Result<Self> {
        let event = EVENT.replace("plan =", &format!("accessible = {accessible:?}\nplan ="));
        Self::of(rows, seats, &event.replace("per_card", "waiting_list = true\nper_card"), None).await
    }

    /// The same with `most` places for an account and a card, over another DynamoDB: for measuring.
    #[allow(dead_code)] // tests/examples/figures
    pub async fn over(rows: usize, seats: usize, most: u32, dynamodb: &str) -> Result<Self> {
        let limits = |n: u32| format!("per_account = {n}\nper_card = {n}\n");
        Self::of(rows, seats, &EVENT.replace(&limits(4), &limits(most)), Some(dynamodb)).await
    }

    async fn of(rows: usize, seats: usize, event: &str, dynamodb: Option<&str>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = Embedded::start(TcpListener::bind("127.0.0.1:0").await?, &folder.path().join("table"))?;
        let payments = Simulator::start(TcpListener::bind("127.0.0.1:0").await?, &folder.path().join("ledger"))?;
        let (own, name) = (database.url(), format!("bench-{:016x}", rand::random::<u64>()));
        let table = Table::at(dynamodb.unwrap_or(&own), "eu-central-1", "bench", "bench", &name);
        table.create().await?;
        let imported = import(event, &plan(rows, seats)).map_err(|findings| anyhow::anyhow!("{findings:?}"))?;
        table.import(&imported, |_, _| {}).await?;
        let terms = ProviderTerms { pages: "https://tickets.example".into(), kinds: vec!["card".into()] };
        let provider = Provider::new(&payments.url(), Secret::new("sk_test_bench"), Self::PATIENCE, terms)?;
        let app = App::new(table.clone(), MasterKeys::parse(MASTERS)?, provider.clone());
        let event = imported.definition.id.clone();
        let checkout = Checkout::new(table.clone(), provider.clone());
        let counter = || AtomicU64::new(1);
        let bench = Self {
            app,
            table,
            checkout,
            provider,
            payments,
            event,
            beat: counter(),
            keys: counter(),
            _database: database,
            _folder: folder,
        };
        bench.pulse(0).await?;
        Ok(bench)
    }

    const PATIENCE: Patience = Patience {
        attempt: Duration::from_millis(400),
        whole: Duration::from_millis(1_500),
        pause: Duration::from_millis(20),
        tries: 6,
    };

    /// One beat.
    pub async fn pulse(&self, map_version: i64) -> Result<Value> {
        let beat = self.beat.fetch_add(1, Ordering::Relaxed);
        let (status, body) = self.pulse_with(beat, beat, map_version).await?;
        anyhow::ensure!(status == 200, "pulse: {status} {body}");
        Ok(body)
    }

    /// A beat after which event time stands.
    pub async fn pause(&self) -> Result<()> {
        let beat = self.beat.fetch_add(1, Ordering::Relaxed);
        let body = json!({"beat": beat, "paused": true, "beat_ms": 1000, "map_version": 0});
        let (status, body) = self.send_pulse(beat, &body).await?;
        anyhow::ensure!(status == 200, "pause: {status} {body}");
        Ok(())
    }

    /// A beat that carries a revocation epoch.
    pub async fn revoke(&self, rev: u32) -> Result<Value> {
        let beat = self.beat.fetch_add(1, Ordering::Relaxed);
        let body = json!({"beat": beat, "beat_ms": 1000, "map_version": 0, "rev": rev});
        let (status, body) = self.send_pulse(beat, &body).await?;
        anyhow::ensure!(status == 200, "pulse: {status} {body}");
        Ok(body)
    }

    /// A beat whose token is for `token_beat`.
    pub async fn pulse_with(&self, beat: u64, token_beat: u64, map_version: i64) -> Result<Answer> {
        self.send_pulse(
            token_beat,
            &json!({"beat": beat, "paused": false, "beat_ms": 1000, "map_version": map_version}),
        )
        .await
    }

    async fn send_pulse(&self, token_beat: u64, body: &Value) -> Result<Answer> {
        let token =
            PulseToken { beat: token_beat, expires: wall_now().plus(10_000) }.encode(&self.app.keys, &self.event);
        self.send("POST", "pulse", &[("x-pulse-token", &token)], Some(body)).await
    }

    /// A fan whose session is good for a while.
    pub fn fan(&self, name: &str) -> Fan {
        self.fan_until(name, EventMs(wall_now().0 + 900_000))
    }

    /// A fan whose session ends at an event time.
    pub fn fan_until(&self, name: &str, expires: EventMs) -> Fan {
        let account = AccountId::derive("bench", name);
        self.fan_of(account, 0, expires)
    }

    /// An account's token of a revocation epoch.
    pub fn fan_of(&self, account: AccountId, rev: u32, expires: EventMs) -> Fan {
        let session = SessionId::from_bytes([1; 16]);
        let token = AccessToken { account, session, place: 1, lane: 0, rev, expires };
        Fan { account, token: token.encode(&self.app.keys, &self.event) }
    }

    /// A key that was never used.
    pub fn key(&self) -> String {
        format!("key-{}", self.keys.fetch_add(1, Ordering::Relaxed))
    }

    /// A fan's call under a fresh idempotency key.
    pub async fn call(&self, fan: &Fan, method: &str, path: &str, body: Option<&Value>) -> Result<Answer> {
        self.call_under(&self.key(), fan, method, path, body).await
    }

    /// A fan's call.
    pub async fn call_under(
        &self,
        key: &str,
        fan: &Fan,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer> {
        self.send(method, path, &[("x-access-token", &fan.token), ("idempotency-key", key)], body).await
    }

    /// An operator's call, as the edge hands it on.
    pub async fn desk(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Answer> {
        let token = DeskToken::issue(wall_now()).encode(&self.app.keys, &self.event);
        self.send(method, path, &[("x-desk-token", &token)], body).await
    }

    /// An operator takes a seat out of sale that somebody holds or pays; answers the status.
    pub async fn block_held(&self, seat: &str) -> Result<u16> {
        let body = json!({"seats": [seat], "reason": "a pillar", "held_too": true});
        Ok(self.desk("POST", "seats/block", Some(&body)).await?.0)
    }

    /// Any call; a path that begins with `/` is a whole one, others are below the event.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Answer> {
        let response = self.answer(method, path, headers, body).await?;
        let text = std::str::from_utf8(response.body())?;
        let json = if text.is_empty() { Value::Null } else { serde_json::from_str(text).context(text.to_owned())? };
        Ok((response.status().as_u16(), json))
    }

    /// What anybody gets who asks for a path with nothing else: status, content type and bytes.
    pub async fn fetch(&self, path: &str) -> Result<(u16, String, Vec<u8>)> {
        let response = self.answer("GET", path, &[], None).await?;
        let kind = response.headers().get("content-type").context("a content type")?.to_str()?.to_owned();
        Ok((response.status().as_u16(), kind, response.body().to_vec()))
    }

    async fn answer(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Response<Body>> {
        let below = format!("/v1/events/{}/{path}", self.event);
        let path = if path.starts_with('/') { path } else { &below };
        let mut builder = http::Request::builder().method(method).uri(format!("https://origin.invalid{path}"));
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        let request: Request = builder.body(body.map_or(Body::Empty, |json| Body::Text(json.to_string())))?;
        let request = request.with_raw_http_path(path.split('?').next().unwrap_or_default());
        Ok(booking_lambda::handle(&self.app, &request).await)
    }

    /// Holds seats; the hold's id.
    pub async fn hold(&self, fan: &Fan, seats: &[&str]) -> Result<String> {
        let (status, body) = self.call(fan, "POST", "holds", Some(&json!({"seats": seats}))).await?;
        anyhow::ensure!(status == 201, "hold: {status} {body}");
        Ok(body["hold"].as_str().unwrap_or_default().to_owned())
    }

    /// Sets the simulator's switches.
    pub async fn control(&self, switches: Value) -> Result<()> {
        let url = format!("{}/_control", self.payments.url());
        reqwest::Client::new().post(url).json(&switches).send().await?.error_for_status()?;
        Ok(())
    }

    /// Terms as of now.
    pub async fn terms(&self) -> Result<Terms> {
        let clock = self.table.clock(&self.event).await?.context("a clock")?.clock;
        Ok(Terms { clock, card_limit: Some(4) })
    }

    /// Terms at a later event time.
    pub async fn terms_later(&self, ms: i64) -> Result<Terms> {
        let Terms { clock, card_limit } = self.terms().await?;
        Ok(Terms { clock: Clock { event: clock.event.plus(ms), ..clock }, card_limit })
    }

    /// An order as stored.
    pub async fn order(&self, fan: &Fan, key: &str) -> Result<Option<Order>> {
        Ok(self.table.order(&OrderId::derive(&fan.account, key)).await?)
    }
}
