//! A door that is too busy stamps arrivals: whoever pressed before the opening is in the draw, however long it takes.

use std::time::Duration;

use domain::keys::MasterKeys;
use domain::time::WallMs;
use domain::token::{StampToken, Token};
use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, EVENT, Edge, MASTER_KEYS, now, sleep_ms};

/// What one shard takes in a second: a tenth of what the crowd below needs.
const JOINS_PER_SECOND: u32 = 5;
const FANS: usize = 200;
/// They press this long before the opening.
const BEFORE_MS: i64 = 2_500;

/// How it ended for a fan: when its first press arrived, by the line's clock, and whether it was in the draw.
struct End {
    arrived_ms: i64,
    drawn: bool,
}

/// A crowd that presses just before the opening and then again as it is told to: those of it who pressed before the
/// opening, and how many of these were drawn.
async fn crowd(shows_stamps: bool) -> (usize, usize) {
    let mut opens = 0;
    let edge = Edge::with(12_000, |event| {
        opens = event["opens_at_ms"].as_i64().expect("its opening");
        event["grace_ms"] = json!(40_000);
        event["checks"] = json!({ "joins_per_second": JOINS_PER_SECOND });
    })
    .await;
    let names: Vec<String> = (0..FANS).map(|n| format!("fan-{n}")).collect();
    let accounts = join_all(names.iter().map(|name| edge.account(name))).await;
    sleep_ms(u64::try_from(opens - BEFORE_MS - now()).unwrap_or(0)).await;
    let ends = join_all(accounts.iter().map(|account| press(&edge, account, shows_stamps))).await;
    assert_eq!(edge.entries().await, FANS as u64, "one place each");
    // A busy machine may hand some of the presses on after the opening.
    let early: Vec<_> = ends.iter().filter(|end| end.arrived_ms < opens).collect();
    assert!(early.len() > FANS / 2, "most pressed in time: {}", early.len());
    (early.len(), early.iter().filter(|end| end.drawn).count())
}

async fn press(edge: &Edge, account: &str, shows_stamps: bool) -> End {
    let (mut first, mut stamp): (Option<i64>, Option<String>) = (None, None);
    let end = now() + 120_000;
    loop {
        let mut headers = vec![("X-Account-Token", account)];
        if let Some(stamp) = stamp.as_deref().filter(|_| shows_stamps) {
            headers.push(("X-Arrival-Stamp", stamp));
        }
        let answer = edge.fan(Method::POST, "/line", &headers, Value::Null).await;
        if answer.status.is_success() {
            let joined = answer.body["joined_ms"].as_i64().expect("a time");
            let drawn = answer.body["epoch"].as_u64().is_some_and(|epoch| epoch % 2 == 0);
            return End { arrived_ms: first.unwrap_or(joined), drawn };
        }
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        assert!(answer.retry_after_s.is_some() && now() < end, "{answer:?}");
        let told = answer.body["stamp"].as_str().expect("a stamp").to_owned();
        let arrived = arrived(&told).0;
        assert!(!shows_stamps || first.is_none_or(|first| first == arrived), "it keeps the first arrival");
        first.get_or_insert(arrived);
        stamp = Some(told);
        let wait = answer.body["retry_after_ms"].as_u64().expect("how long");
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
}

/// The time in a stamp.
fn arrived(stamp: &str) -> WallMs {
    let keys = MasterKeys::parse(MASTER_KEYS).expect("good keys");
    StampToken::decode(stamp, &keys, &EVENT.parse().expect("an id")).expect("an authentic stamp").at
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_pressed_before_the_opening_is_in_the_draw() {
    let (early, drawn) = crowd(true).await;
    assert_eq!(early, drawn);
}

/// The twin: the same crowd, but nobody shows the stamp.
#[tokio::test(flavor = "multi_thread")]
async fn without_stamps_a_busy_door_makes_people_late() {
    let (early, drawn) = crowd(false).await;
    assert!(drawn < early, "{drawn} of {early}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stamp_counts_for_its_account_and_event_only() {
    let mut opens = 0;
    let edge = Edge::with(8_000, |event| {
        opens = event["opens_at_ms"].as_i64().expect("its opening");
        event["checks"] = json!({ "joins_per_second": 1 });
    })
    .await;
    let stamp = loop {
        let account = edge.account(&format!("early-{}", now())).await;
        let answer = edge.join(&account).await;
        assert!(now() < opens, "a busy door before the opening");
        if let Some(stamp) = answer.body["stamp"].as_str() {
            break stamp.to_owned();
        }
    };
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let thief = edge.account("thief").await;
    let end = now() + 20_000;
    let joined = loop {
        let headers = [("X-Account-Token", thief.as_str()), ("X-Arrival-Stamp", &stamp)];
        let answer: Answer = edge.fan(Method::POST, "/line", &headers, Value::Null).await;
        if answer.status.is_success() {
            break answer;
        }
        assert!(now() < end, "a place in time at {EVENT}");
        sleep_ms(300).await;
    };
    assert_eq!(joined.body["epoch"].as_u64().map(|epoch| epoch % 2), Some(1), "counted from now: {joined:?}");
    assert!(joined.body["joined_ms"].as_i64() >= Some(opens));
}
