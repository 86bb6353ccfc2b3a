//! Openings that move: announced, with notice, never backdated; the draw follows.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Edge, event, now, sleep_ms};

async fn draw(edge: &Edge) -> Value {
    edge.fan(Method::GET, "/draw/0.json", &[], Value::Null).await.body
}

/// An event whose fans need a notice of two seconds only.
async fn with_short_notice(opens_in_ms: i64) -> Edge {
    let edge = Edge::start(opens_in_ms).await;
    let live = edge.operator(Method::GET, "", Value::Null).await.body;
    let mut event = event(live["opens_at_ms"].as_i64().expect("an opening"));
    event["notice_ms"] = json!(2_000);
    let put = edge.operator(Method::PUT, "", event).await;
    assert_eq!(put.status, StatusCode::OK, "{put:?}");
    edge
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_early_is_announced_and_the_draw_follows() {
    let edge = with_short_notice(120_000).await;
    for i in 0..5 {
        edge.join(&edge.account(&format!("early-{i}")).await).await;
    }
    let early = async |ms: i64| edge.operator(Method::POST, "/open-early", json!({ "opens_at_ms": ms })).await;
    let soon = early(now() + 1_000).await;
    assert_eq!(
        (soon.status, soon.code(), &soon.body["reason"]),
        (StatusCode::CONFLICT, "COMMAND_REFUSED", &json!("TOO_SOON"))
    );
    assert!(soon.body["earliest_ms"].as_i64() > Some(now()), "{soon:?}");
    assert_eq!(early(now() - 1_000).await.body["reason"], "TOO_SOON", "never backdated");
    assert_eq!(early(now() + 600_000).await.body["reason"], "NOT_EARLIER");
    let opens = now() + 4_000;
    assert_eq!(early(opens).await.status, StatusCode::OK);
    assert!(now() < opens - 500, "acknowledged well before");
    edge.status_where("announced", 3_000, |status| status["opens"] == opens && status["phase"] == "prequeue").await;
    edge.status_where("open", 10_000, |status| status["phase"] == "open").await;
    let detail = edge.fan(Method::GET, "", &[], Value::Null).await.body;
    let drawn = draw(&edge).await;
    assert_eq!((&drawn["t_ms"], &drawn["n"]), (&json!(opens), &json!(5)), "cohort 0 is cut at the new opening");
    assert_eq!(detail["opens_at_ms"], opens);
    let (late, _) = edge.enter("late").await;
    assert_eq!(late, 6, "who comes after the new opening comes after the draw");
    let again = edge.operator(Method::POST, "/postpone", json!({ "opens_at_ms": now() + 60_000 })).await;
    assert_eq!(again.body["reason"], "OPENED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postponed_opening_draws_all_who_came_before_the_new_one() {
    let edge = Edge::start(9_000).await;
    let old = edge.operator(Method::GET, "", Value::Null).await.body["opens_at_ms"].as_i64().expect("an opening");
    edge.join(&edge.account("early").await).await;
    let opens = old + 6_000;
    let postponed = edge.operator(Method::POST, "/postpone", json!({ "opens_at_ms": opens })).await;
    assert_eq!(postponed.status, StatusCode::OK, "{postponed:?}");
    while now() < old + 500 {
        sleep_ms(100).await;
    }
    let status = edge.status().await;
    assert_eq!((&status["phase"], &status["opens"]), (&json!("prequeue"), &json!(opens)), "{status}");
    let between = edge.join(&edge.account("between").await).await;
    assert_eq!(between.body["epoch"], 0, "still before the opening: {between:?}");
    edge.status_where("open", 12_000, |status| status["phase"] == "open").await;
    let drawn = draw(&edge).await;
    assert_eq!((&drawn["t_ms"], &drawn["n"]), (&json!(opens), &json!(2)));
}
