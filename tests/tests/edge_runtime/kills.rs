//! The runtime is killed at random moments while fans join and cohorts close: no place is lost or given twice.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use crate::edge::{EVENT, Edge, sleep_ms, token};

const KILLS: u64 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn twenty_kills_lose_and_double_no_place() {
    let mut edge = Edge::start(2_000).await;
    let mut accounts: Vec<String> = Vec::new();
    for i in 0..200 {
        accounts.push(edge.account(&format!("fan-{i}")).await);
    }
    let mut told: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for round in 0..KILLS {
        let joined = join_some(&edge, &accounts, usize::try_from(round).expect("small") * 10).await;
        joined.into_iter().for_each(|(fan, entry)| told.entry(fan).or_default().push(entry));
        sleep_ms(rand::random_range(0..1_200)).await;
        edge.workerd.restart().await.expect("workerd starts again");
    }
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    sleep_ms(3_000).await;
    let mut places = BTreeMap::new();
    for (fan, account) in accounts.iter().enumerate() {
        let place = edge.numbered(account).await;
        for earlier in told.get(&fan).into_iter().flatten() {
            let same = ["shard", "epoch", "index"].iter().all(|key| earlier[key] == place[key]);
            assert!(same, "fan {fan} was told {earlier} and now {place}");
            still_valid(&edge, earlier, &place).await;
        }
        let number = place["place"].as_u64().expect("a number");
        assert_eq!(places.insert(number, fan), None, "place {number} is given once");
    }
    let dense = (1..=u64::try_from(accounts.len()).expect("small")).eq(places.keys().copied());
    assert!(dense, "no number is missing: {places:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn shards_that_lost_their_storage_keep_every_place() {
    let mut edge = Edge::start(3_000).await;
    let accounts = [edge.account("drawn").await, edge.account("lost").await];
    let early = edge.join(&accounts[0]).await.body;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let drawn = edge.numbered(&accounts[0]).await;
    edge.operator(Method::POST, "/pause", json!({ "reason": "storage" })).await;
    let lost = edge.join(&accounts[1]).await.body;
    edge.lose_shards().await;
    let shown = |entry: &Value| entry["token"].as_str().expect("a token").to_owned();
    let again = edge.fan(Method::GET, "/line", &[("X-Place-Token", &shown(&early))], Value::Null).await;
    assert_eq!(again.body["place"], drawn["place"], "a number follows from the token and the rows: {again:?}");
    let mut places = std::collections::BTreeSet::from([drawn["place"].as_u64()]);
    let headers = [("X-Account-Token", accounts[1].as_str()), ("X-Place-Token", &shown(&lost))];
    let back = edge.fan(Method::POST, "/line", &headers, Value::Null).await;
    assert!(back.status.is_success(), "{back:?}");
    for name in ["new-1", "new-2", "new-3"] {
        let account = edge.account(name).await;
        let joined = edge.join(&account).await;
        assert!(joined.body["epoch"].as_u64() >= Some(2), "a new generation: {joined:?}");
        assert!(places.insert(edge.numbered(&account).await["place"].as_u64()), "{name}");
    }
    assert!(places.insert(edge.numbered(&accounts[1]).await["place"].as_u64()), "given twice: {places:?}");
}

/// Ten fans join at once; some of the calls may be cut off by nothing but themselves.
async fn join_some(edge: &Edge, accounts: &[String], from: usize) -> Vec<(usize, Value)> {
    let path = format!("/v1/events/{EVENT}/line");
    let calls = (from..from + 10).map(|fan| {
        let path = path.clone();
        async move {
            let headers = [("X-Account-Token", accounts[fan].as_str())];
            (fan, edge.try_call(Method::POST, &path, &headers, &Value::Null).await)
        }
    });
    let answers = futures::future::join_all(calls).await;
    answers
        .into_iter()
        .filter_map(|(fan, answer)| Some((fan, answer?.body)))
        .filter(|(_, b)| b["token"].is_string())
        .collect()
}

/// A token given before the kills still stands for the same place.
async fn still_valid(edge: &Edge, earlier: &Value, place: &Value) {
    let shown = earlier["token"].as_str().expect("a token");
    let answer = edge.fan(Method::GET, "/line", &[("X-Place-Token", shown)], Value::Null).await;
    assert_eq!(answer.body["place"], place["place"], "{answer:?}");
    token(&answer);
}
