//! The heartbeat: numbers, admission, pauses, and an origin that is out.

use std::collections::BTreeSet;

use domain::draw::file_hash;
use domain::status::Status;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{EVENT, Edge, sleep_ms, token};
use crate::origin::Mood;

#[tokio::test(flavor = "multi_thread")]
async fn early_fans_are_drawn_later_ones_follow_and_all_get_in() {
    let edge = Edge::start(10_000).await;
    let mut accounts = Vec::new();
    for i in 0..30 {
        accounts.push(edge.account(&format!("early-{i}")).await);
        let joined = edge.join(&accounts[i]).await;
        assert_eq!((joined.status, &joined.body["epoch"]), (StatusCode::CREATED, &json!(0)));
        let again = edge.join(&accounts[i]).await;
        assert_eq!(
            (again.status, &again.body["index"]),
            (StatusCode::OK, &joined.body["index"]),
            "one place per account"
        );
    }
    edge.status_where("open", 20_000, |status| status["phase"] == "open").await;
    let mut places = BTreeSet::new();
    for account in &accounts {
        places.insert(edge.join(account).await.body["place"].as_u64().expect("a number after the draw"));
    }
    assert_eq!(places, (1..=30).collect(), "dense and unique");
    let (late, access) = edge.enter("late").await;
    assert_eq!(late, 31, "later fans come after those who were drawn");
    let hold = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &access)], json!({ "seats": ["W01-1-1"] })).await;
    assert_eq!((hold.status, hold.code()), (StatusCode::CONFLICT, "SEATS_TAKEN"), "the origin's words pass through");
    let seen = edge.origin.bookings();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].signed && seen[0].correlation == hold.correlation && !hold.correlation.is_empty(), "{seen:?}");
    let map = edge.fan(Method::GET, "/seatmap", &[("X-Access-Token", &access)], Value::Null).await;
    assert_eq!(map.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_is_signed_and_names_the_draw() {
    let edge = Edge::start(500).await;
    let account = edge.account("ada").await;
    edge.join(&account).await;
    edge.status_where("drawn", 6_000, |status| !status["draw"].is_null()).await;
    let detail = edge.fan(Method::GET, "", &[], Value::Null).await;
    let key = detail.body["status_keys"][0]["key"].as_str().expect("a published key").to_owned();
    let get = |path: &str| reqwest::get(format!("{}/v1/events/{EVENT}{path}", edge.workerd.url()));
    let bytes = get("/status.json").await.expect("an answer").bytes().await.expect("a body");
    let status = Status::verify(&bytes, &key).expect("an authentic status");
    let draw = get("/draw/0.json").await.expect("an answer").bytes().await.expect("a body");
    assert_eq!(status.draw, Some(file_hash(&draw)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acknowledged_pause_is_never_overrun() {
    let edge = Edge::start(500).await;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let paused = edge.operator(Method::POST, "/pause", json!({ "reason": "a test" })).await;
    assert_eq!(paused.status, StatusCode::OK);
    let before = edge.operator(Method::GET, "", Value::Null).await.body["admitted"].clone();
    let account = edge.account("ada").await;
    let place = token(&edge.join(&account).await);
    let status = edge.status_where("paused", 3_000, |status| status["phase"] == "paused").await;
    assert_eq!(status["why"], "a test");
    sleep_ms(2_500).await;
    let later = edge.status().await;
    assert_eq!(later["admitted"], before);
    assert_eq!(later["clock"][2], 0, "event time stands");
    let claim = edge.fan(Method::POST, "/admission", &[("X-Place-Token", &place)], Value::Null).await;
    assert_eq!((claim.status, claim.code()), (StatusCode::SERVICE_UNAVAILABLE, "PAUSED"));
    edge.operator(Method::POST, "/resume", Value::Null).await;
    edge.enter("ada").await;
}

/// A turn that nobody claims within its window is given again, to whoever asks for it first.
#[tokio::test(flavor = "multi_thread")]
async fn a_lapsed_turn_waits_in_the_late_lane() {
    let edge = Edge::start(500).await;
    let account = edge.account("sleeper").await;
    edge.join(&account).await;
    edge.status_where("admitted", 8_000, |status| status["admitted"] == 1).await;
    sleep_ms(13_000).await;
    let place = token(&edge.join(&account).await);
    let claim = edge.fan(Method::POST, "/admission", &[("X-Place-Token", &place)], Value::Null).await;
    assert_eq!((claim.code(), &claim.body["late"]), ("NOT_YET", &json!(true)), "{claim:?}");
    edge.enter("sleeper").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_origin_that_is_out_or_stale_pauses_the_line_within_three_beats() {
    let edge = Edge::start(500).await;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    for (mood, reason) in [(Mood::Down, "origin"), (Mood::Stale(6_000), "stock")] {
        let beat = edge.operator(Method::GET, "", Value::Null).await.body["beat"].as_u64().expect("a beat");
        edge.origin.feel(mood);
        let paused = edge.status_where("paused", 5_000, |status| status["phase"] == "paused").await;
        assert_eq!(paused["why"], reason);
        let log = edge.operator(Method::GET, "", Value::Null).await.body["log"].to_string();
        let within = (beat..=beat + 3).any(|beat| log.contains(&format!("beat {beat}: paused")));
        assert!(within, "within three beats after {beat}: {log}");
        let account = edge.account(&format!("fan-{reason}")).await;
        assert_eq!(edge.join(&account).await.status, StatusCode::CREATED, "joining goes on");
        sleep_ms(2_500).await;
        assert_eq!(edge.status().await["admitted"], paused["admitted"], "nobody is admitted");
        edge.origin.feel(Mood::Well);
        edge.status_where("open again", 4_000, |status| status["phase"] == "open").await;
        edge.enter(&format!("fan-{reason}")).await;
    }
}
