//! The registration lottery: days ahead people register, a draw orders them, the first are invited, the others wait in drawn order.

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, now, sleep_ms};

const PEOPLE: usize = 8;
const INVITED: u64 = 3;

/// An event whose registration is open and is drawn in so many milliseconds; fast beats, so that nobody waits for the draw.
async fn open(draws_in_ms: i64) -> Edge {
    let change = |event: &mut Value| {
        event["lanes"] = json!([{ "id": "won", "name": "Invited", "share_percent": 80, "access": "invitation" }]);
        let (opens, draws) = (now() - 60_000, now() + draws_in_ms);
        event["registration"] = json!({ "opens_at_ms": opens, "draws_at_ms": draws, "invited": INVITED });
    };
    Edge::with(draws_in_ms + 300_000, change).await
}

async fn call(edge: &Edge, method: Method, account: &str) -> Answer {
    edge.fan(method, "/registration", &[("X-Account-Token", account)], Value::Null).await
}

async fn register(edge: &Edge, account: &str) -> Answer {
    call(edge, Method::POST, account).await
}

async fn join_won(edge: &Edge, account: &str) -> Answer {
    edge.fan(Method::POST, "/line", &[("X-Account-Token", account)], json!({ "lane": "won" })).await
}

/// Waits until the account's registration is as wanted.
async fn until(edge: &Edge, account: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let end = now() + 60_000;
    loop {
        let answer = call(edge, Method::GET, account).await;
        if answer.status.is_success() && wanted(&answer.body) {
            return answer.body;
        }
        assert!(now() < end, "last: {answer:?}");
        sleep_ms(300).await;
    }
}

/// Ranks of all; everybody registered, and was drawn.
async fn drawn(edge: &Edge) -> Vec<(String, Value)> {
    let accounts = join_all((0..PEOPLE).map(async |n| edge.account(&format!("fan-{n}")).await)).await;
    for account in &accounts {
        let answer = register(edge, account).await;
        assert_eq!((answer.status, &answer.body["rank"]), (StatusCode::CREATED, &Value::Null), "{answer:?}");
        assert_eq!(register(edge, account).await.status, StatusCode::OK, "once is enough");
    }
    let mut ranked = Vec::new();
    for account in accounts {
        let stands = until(edge, &account, |body| body["rank"].is_u64() && body["invited_up_to"] == INVITED).await;
        ranked.push((account, stands));
    }
    ranked.sort_by_key(|(_, stands)| stands["rank"].as_u64());
    let ranks: Vec<u64> = ranked.iter().filter_map(|(_, stands)| stands["rank"].as_u64()).collect();
    assert_eq!(ranks, (1..=PEOPLE as u64).collect::<Vec<_>>(), "ranks are dense");
    ranked
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_are_invited_the_others_follow_in_drawn_order() {
    let edge = open(6_000).await;
    let ranked = drawn(&edge).await;
    for (account, stands) in &ranked {
        let invited = stands["rank"].as_u64() <= Some(INVITED);
        assert_eq!(stands["invited"], invited, "{stands}");
        let joined = join_won(&edge, account).await;
        let want = if invited { (StatusCode::CREATED, "") } else { (StatusCode::FORBIDDEN, "NOT_INVITED") };
        assert_eq!((joined.status, joined.code()), want, "{joined:?}");
    }
    let late = edge.account("late").await;
    assert_eq!(register(&edge, &late).await.code(), "REGISTRATION_CLOSED");
    assert_eq!(join_won(&edge, &late).await.code(), "NOT_INVITED");
    assert_eq!(edge.join(&late).await.status, StatusCode::CREATED, "the main line is open to everybody");
    // Two more by order: exactly the next two.
    let order = edge.operator(Method::POST, "/invite", json!({ "count": 2 })).await;
    assert_eq!(order.status, StatusCode::OK, "{order:?}");
    for (account, stands) in &ranked {
        let rank = stands["rank"].as_u64().expect("a rank");
        let now = until(&edge, account, |body| body["invited_up_to"] == INVITED + 2).await;
        assert_eq!(now["invited"], rank <= INVITED + 2, "{now}");
    }
    assert_eq!(join_won(&edge, &ranked[3].0).await.status, StatusCode::CREATED);
    let journal = edge.journal().await.join("\n");
    assert!(journal.contains("\"what\":\"invite\""), "{journal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_that_is_given_back_goes_to_the_next() {
    let edge = open(6_000).await;
    let ranked = drawn(&edge).await;
    let [(first, _), (second, _), .., (_, _)] = ranked.as_slice() else { panic!("eight") };
    assert_eq!(call(&edge, Method::DELETE, first).await.body["withdrawn"], true);
    let (next, _) = &ranked[usize::try_from(INVITED).expect("small")];
    assert_eq!(until(&edge, next, |body| body["invited"] == true).await["rank"], json!(INVITED + 1));
    assert_eq!(join_won(&edge, first).await.code(), "NOT_INVITED", "it is given back");
    assert_eq!(register(&edge, first).await.body["withdrawn"], true, "for good, once it is drawn");
    assert_eq!(join_won(&edge, second).await.status, StatusCode::CREATED);
    assert_eq!(call(&edge, Method::DELETE, second).await.code(), "LANE_REFUSED", "a used one is not given back");
    let live = edge.operator(Method::GET, "", Value::Null).await.body;
    assert_eq!((&live["registration"]["invited_up_to"], &live["registration"]["withdrawn"]), (&json!(4), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_storage_loses_no_registration_that_is_shown() {
    let mut edge = open(25_000).await;
    let account = edge.account("ada").await;
    let shown = register(&edge, &account).await.body["token"].as_str().expect("a token").to_owned();
    let away = edge.account("bo").await;
    assert_eq!(register(&edge, &away).await.status, StatusCode::CREATED);
    assert_eq!(call(&edge, Method::DELETE, &away).await.body["withdrawn"], true);
    assert_eq!(register(&edge, &away).await.body["withdrawn"], false, "before the draw one may return");
    // Two beats: every shard has begun.
    edge.entries().await;
    edge.restart_after(|storage| (0..4).for_each(|number| storage.lose_shard_of(255, number))).await;
    let headers = [("X-Account-Token", account.as_str()), ("X-Registration-Token", shown.as_str())];
    let end = now() + 90_000;
    let stands = loop {
        let answer = edge.fan(Method::POST, "/registration", &headers, Value::Null).await;
        if answer.body["rank"].is_u64() {
            break answer;
        }
        assert!(now() < end, "{answer:?}");
        sleep_ms(400).await;
    };
    assert_eq!((&stands.body["rank"], &stands.body["invited"]), (&json!(1), &json!(true)), "{stands:?}");
    assert_eq!(call(&edge, Method::GET, &away).await.code(), "PLACE_REQUIRED", "what nobody showed again is lost");
}
