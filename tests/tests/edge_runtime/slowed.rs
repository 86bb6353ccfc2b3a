//! What is certainly a bot waits for ever, gets no answer that others do not get too, and takes nothing from anybody.

use std::collections::BTreeSet;

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, now, sleep_ms, token};

/// The address of the flood.
const ADDRESS: &str = "192.0.2.66";
/// Calls of one address in a minute, a low limit: the flood, ten times as much, is reached sooner.
const PER_MINUTE: u32 = 30;

async fn press(edge: &Edge, account: &str, score: &str) -> Answer {
    let headers = [("X-Account-Token", account), ("CF-Connecting-IP", ADDRESS), ("X-Test-Bot-Score", score)];
    edge.fan(Method::POST, "/line", &headers, Value::Null).await
}

/// Floods the door from one address until `account`, with this score, gets in from there all the same.
async fn in_a_flood(edge: &Edge, account: &str, score: &str) -> Answer {
    let crowd = edge.account("crowd").await;
    let end = now() + 60_000;
    loop {
        // The crowd has its place; it only presses.
        join_all((0..40).map(|_| press(edge, &crowd, "50"))).await;
        let answer = press(edge, account, score).await;
        if answer.status.is_success() {
            return answer;
        }
        assert_eq!((answer.status, answer.code()), (StatusCode::TOO_MANY_REQUESTS, "SLOW_DOWN"));
        assert!(now() < end, "a free moment of the address");
    }
}

async fn claim(edge: &Edge, place: &str) -> Answer {
    edge.fan(Method::POST, "/admission", &[("X-Place-Token", place)], Value::Null).await
}

async fn number(edge: &Edge, account: &str) -> u64 {
    let end = now() + 40_000;
    loop {
        if let Some(number) = edge.join(account).await.body["place"].as_u64() {
            return number;
        }
        assert!(now() < end, "a number in time");
        sleep_ms(300).await;
    }
}

fn members(answer: &Answer) -> BTreeSet<String> {
    answer.body.as_object().expect("an object").keys().cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certain_bot_waits_for_ever_and_an_operator_can_lift_it() {
    let checks = json!({ "address_per_minute": PER_MINUTE, "account_per_minute": 10_000 });
    let edge = Edge::with(8_000, |event| event["checks"] = checks).await;
    let crowd = edge.account("crowd").await;
    while !press(&edge, &crowd, "50").await.status.is_success() {}
    // Enough presses to be a flood, before anybody of interest comes.
    for _ in 0..8 {
        join_all((0..50).map(|_| press(&edge, &crowd, "50"))).await;
    }
    let (bot, person) = (edge.account("bot").await, edge.account("person").await);
    let doubtful = in_a_flood(&edge, &person, "2").await;
    let joined = in_a_flood(&edge, &bot, "1").await;
    assert_eq!((doubtful.status, joined.status), (StatusCode::CREATED, StatusCode::CREATED));
    assert_eq!(members(&doubtful), members(&joined), "the answers look the same");
    edge.status_where("open", 40_000, |status| status["phase"] == "open").await;
    let mut places = BTreeSet::new();
    for account in [&crowd, &bot, &person] {
        places.insert(number(&edge, account).await);
    }
    assert_eq!(places, BTreeSet::from([1, 2, 3]), "numbers are dense, and the bot has one");
    edge.status_where("all have their turn", 20_000, |status| status["admitted"].as_u64() >= Some(3)).await;
    let place = token(&joined);
    let answer = claim(&edge, &place).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::SERVICE_UNAVAILABLE, "LINE_UNAVAILABLE"), "{answer:?}");
    assert_eq!(claim(&edge, &token(&doubtful)).await.status, StatusCode::OK, "a doubtful person shops");
    assert_eq!(edge.operator(Method::GET, "", Value::Null).await.body["slowed"], 1);
    let end = now() + 60_000;
    let late = loop {
        let answer = claim(&edge, &place).await;
        assert!(!answer.status.is_success() && now() < end, "{answer:?}");
        if answer.code() == "NOT_YET" {
            break answer;
        }
        sleep_ms(500).await;
    };
    assert_eq!(late.body["late"], true, "as everybody whose turn lapsed: {late:?}");
    lifted(&edge, &bot, &place).await;
}

/// An appeal: the next turn of the late lane is the account's.
async fn lifted(edge: &Edge, bot: &str, place: &str) {
    let account = domain::ids::AccountId::derive("dev", "bot");
    let lift = edge.operator(Method::POST, "/appeal", json!({ "account": account })).await;
    assert_eq!((lift.status, &lift.body["was_slowed"]), (StatusCode::OK, &json!(true)), "{lift:?}");
    let end = now() + 60_000;
    while !claim(edge, place).await.status.is_success() {
        assert!(now() < end, "a late turn in time");
        sleep_ms(500).await;
    }
    assert_eq!(edge.join(bot).await.status, StatusCode::OK);
    let again = edge.operator(Method::POST, "/appeal", json!({ "account": account })).await;
    assert_eq!(again.body["was_slowed"], false);
}
