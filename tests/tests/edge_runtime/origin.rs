//! A stand-in for the booking origin: answers pulses by the contract, and remembers every call it gets.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::time::{Clock, EventMs, WallMs};
use domain::token::{AccessToken, PulseToken, Token};
use serde_json::{Value, json};

use crate::edge::{MASTER_KEYS, now, sleep_ms};

/// What the origin does with a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Answers.
    Well,
    /// Fails.
    Down,
    /// Answers with stock of this age, in milliseconds.
    Stale(i64),
    /// Answers after this many milliseconds.
    Slow(u64),
}

/// One call that reached the origin.
#[derive(Clone, Debug)]
pub struct Seen {
    /// `METHOD path`.
    pub what: String,
    /// Its correlation id.
    pub correlation: String,
    /// Whether it was signed and carried an access token.
    pub signed: bool,
}

struct Inner {
    mood: Mood,
    clock: Clock,
    orders_left: u64,
    map: Value,
    counts: Value,
    accounts: Option<Value>,
    seen: Vec<Seen>,
}

/// A running stand-in.
#[derive(Clone)]
pub struct Origin {
    inner: Arc<Mutex<Inner>>,
    /// Its base address.
    pub url: String,
}

impl Origin {
    /// Starts on a free port; ends with the test's runtime.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("a bound port"));
        let clock = Clock::start(WallMs(now()));
        let inner = Inner {
            mood: Mood::Well,
            clock,
            orders_left: 1_000,
            map: map(7, 0),
            counts: counts(7, 0),
            accounts: None,
            seen: Vec::new(),
        };
        let origin = Self { inner: Arc::new(Mutex::new(inner)), url };
        let router = axum::Router::new().fallback(answer).with_state(origin.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        origin
    }

    /// Changes how pulses are answered.
    pub fn feel(&self, mood: Mood) {
        self.inner.lock().expect("no panic under the lock").mood = mood;
    }

    /// Has another map from now on, good or bad, and other counts.
    pub fn show(&self, map: Value, counts: Value) {
        let mut inner = self.inner.lock().expect("no panic under the lock");
        (inner.map, inner.counts) = (map, counts);
    }

    /// Answers this to calls about an account's data from now on.
    pub fn answer_accounts(&self, told: Value) {
        self.inner.lock().expect("no panic under the lock").accounts = Some(told);
    }

    /// The calls so far that are not pulses.
    pub fn bookings(&self) -> Vec<Seen> {
        let inner = self.inner.lock().expect("no panic under the lock");
        inner.seen.iter().filter(|seen| !seen.what.ends_with("/pulse")).cloned().collect()
    }
}

async fn answer(State(origin): State<Origin>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let mood = origin.inner.lock().expect("no panic under the lock").mood;
    if let Mood::Slow(ms) = mood {
        sleep_ms(ms).await;
    }
    let mut inner = origin.inner.lock().expect("no panic under the lock");
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let signed = text("authorization").starts_with("AWS4-HMAC-SHA256");
    inner.seen.push(Seen {
        what: format!("{method} {}", uri.path()),
        correlation: text("x-correlation-id"),
        signed: signed && (!text("x-access-token").is_empty() || !text("x-pulse-token").is_empty()),
    });
    if uri.path().ends_with("/layout") {
        return axum::Json(json!({ "version": "v1", "sections": [] })).into_response();
    }
    if let Some(told) = inner.accounts.clone().filter(|_| uri.path() == "/v1/account") {
        return axum::Json(told).into_response();
    }
    if uri.path().ends_with("/waiting") {
        return waiting(&method, uri.path(), &text("x-access-token"));
    }
    if !uri.path().ends_with("/pulse") {
        let problem = json!({ "code": "SEATS_TAKEN", "status": 409, "title": "Taken", "seats": ["W01-1-1"] });
        let kind = [("content-type", "application/problem+json")];
        return (StatusCode::CONFLICT, kind, problem.to_string()).into_response();
    }
    match pulse(&mut inner, uri.path(), &text("x-pulse-token"), &body) {
        Ok(standing) => axum::Json(standing).into_response(),
        Err((status, problem)) => (status, axum::Json(problem)).into_response(),
    }
}

/// How long an offer of this origin stands, in milliseconds. Event time is hardly behind the clock in these tests.
const OFFER_MS: i64 = 60_000;

/// Whoever comes to the list waits; whoever looks has an offer, and a token that is good as long.
fn waiting(method: &Method, path: &str, access: &str) -> Response {
    let event: EventId = path.split('/').nth(3).and_then(|id| id.parse().ok()).expect("an event's path");
    let keys = MasterKeys::parse(MASTER_KEYS).expect("good keys");
    let token = AccessToken::decode(access, &keys, &event).expect("the edge lets through what it issued");
    match *method {
        Method::GET => {
            let longer = AccessToken { expires: EventMs(now() + OFFER_MS), ..token }.encode(&keys, &event);
            axum::Json(json!({ "state": "offered", "hold": "h", "access_token": longer })).into_response()
        }
        Method::POST => (StatusCode::CREATED, axum::Json(json!({ "state": "waiting" }))).into_response(),
        _ => StatusCode::NO_CONTENT.into_response(),
    }
}

/// Two sections, W01 with two rows of two seats, W02 with one of four; `taken` has a bit for each of those eight seats.
pub fn map(version: i64, taken: u8) -> Value {
    let states = |seats: u8| {
        let packed = (0..4).filter(|seat| seats >> seat & 1 == 1).fold(0_u8, |byte, seat| byte | 2 << (2 * seat));
        STANDARD.encode([packed])
    };
    let section = |rows: Value, seats: u8| json!({ "rows": rows, "states": states(seats) });
    json!({
        "version": version, "pools": { "floor": { "free": 30 } },
        "sections": { "W01": section(json!([2, 2]), taken), "W02": section(json!([4]), taken >> 4) },
    })
}

/// How much is free on that map.
pub fn counts(version: i64, taken: u8) -> Value {
    let free = |seats: u8| json!({ "front": 4 - (seats & 15).count_ones() });
    let sections = json!({ "W01": free(taken), "W02": free(taken >> 4) });
    json!({ "version": version, "sections": sections, "pools": { "floor": 30 } })
}

fn pulse(inner: &mut Inner, path: &str, token: &str, body: &[u8]) -> Result<Value, (StatusCode, Value)> {
    let event: EventId = path.split('/').nth(3).and_then(|id| id.parse().ok()).expect("an event's path");
    let keys = MasterKeys::parse(MASTER_KEYS).expect("good keys");
    let ask: Value = serde_json::from_slice(body).expect("a JSON pulse");
    let beat = ask["beat"].as_u64().expect("a beat");
    let token = PulseToken::decode(token, &keys, &event).expect("an authentic pulse");
    assert!(token.live(WallMs(now())) && token.beat == beat, "a pulse token belongs to its beat");
    let age_ms = match inner.mood {
        Mood::Well | Mood::Slow(_) => 0,
        Mood::Stale(age_ms) => age_ms,
        Mood::Down => return Err((StatusCode::SERVICE_UNAVAILABLE, Value::Null)),
    };
    let run_ms = if ask["paused"] == true { 0 } else { 3_000 };
    let behind = json!({ "code": "BEAT_NOT_HIGHER", "beat": inner.clock.beat });
    inner.clock = inner.clock.tick(beat, WallMs(now()), run_ms).ok_or((StatusCode::CONFLICT, behind))?;
    let map = if ask["map_version"] == inner.map["version"] { &Value::Null } else { &inner.map };
    Ok(json!({
        "beat": beat,
        "clock": { "wall_ms": inner.clock.wall, "event_ms": inner.clock.event, "run_ms": inner.clock.run_ms },
        "stock": { "free": 2500, "held": 0, "claimed": 0, "sold": 0, "blocked": 0,
            "levels": { "front": { "free": 2500, "held": 0, "claimed": 0, "sold": 0 } } },
        "orders_left": inner.orders_left, "shoppers": 0, "projection": { "beat": beat, "age_ms": age_ms },
        "map": map, "counts": inner.counts, "swept": 0,
    }))
}
