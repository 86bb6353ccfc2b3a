//! A panic inside a Durable Object: that request gets a 500, the next request and the next alarm work.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Edge, sleep_ms};

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_costs_one_request() {
    let edge = Edge::start(1_500).await;
    let account = edge.account("ada").await;
    let place = edge.join(&account).await.body;
    for part in ["shard", "pacer"] {
        let struck = edge.operator(Method::POST, "/faults", json!({ "panic": part })).await;
        assert_eq!(struck.status, StatusCode::INTERNAL_SERVER_ERROR, "{part}");
        let again = edge.join(&account).await;
        assert_eq!((again.status, &again.body["index"]), (StatusCode::OK, &place["index"]), "{part}: same place");
    }
    for part in ["alarm", "after_cut"] {
        let beat = edge.operator(Method::GET, "", Value::Null).await.body["beat"].as_u64().expect("a beat");
        let ordered = edge.operator(Method::POST, "/faults", json!({ "panic": part })).await;
        assert_eq!(ordered.status, StatusCode::OK, "{part}");
        let status = edge.status_where("beats", 8_000, |status| status["beat"].as_u64() > Some(beat + 3)).await;
        assert_ne!(status["phase"], "paused", "{part}: one lost beat is no pause");
    }
    edge.status_where("open", 5_000, |status| status["phase"] == "open").await;
    assert_eq!(edge.enter("ada").await.0, 1);
}

/// Dies between the shards' answers to the first cut and the close; the draw is made all the same, once.
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_cut_and_close_loses_and_doubles_nobody() {
    let edge = Edge::start(2_000).await;
    let mut accounts = Vec::new();
    for i in 0..20 {
        accounts.push(edge.account(&format!("fan-{i}")).await);
        edge.join(&accounts[i]).await;
    }
    for _ in 0..3 {
        edge.operator(Method::POST, "/faults", json!({ "panic": "after_cut" })).await;
        sleep_ms(1_500).await;
    }
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let mut places = std::collections::BTreeSet::new();
    for account in &accounts {
        places.insert(edge.numbered(account).await["place"].as_u64().expect("a number"));
    }
    assert_eq!(places, (1..=20).collect());
}
