//! Revoking all tokens, and one session for one place however many devices ask.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, Edge, token};

async fn claim(edge: &Edge, place: &str, account: Option<&str>) -> Answer {
    let mut shown = vec![("X-Place-Token", place)];
    shown.extend(account.map(|account| ("X-Account-Token", account)));
    edge.fan(Method::POST, "/admission", &shown, Value::Null).await
}

async fn hold(edge: &Edge, access: &str) -> Answer {
    edge.fan(Method::POST, "/holds", &[("X-Access-Token", access)], json!({ "seats": ["W01-1-1"] })).await
}

async fn revoke(edge: &Edge) {
    let done = edge.operator(Method::POST, "/revoke", Value::Null).await;
    assert_eq!(done.status, StatusCode::OK, "{done:?}");
    let rev = done.body["orders"]["rev"].clone();
    edge.status_where("revoked", 5_000, |status| status["rev"] == rev).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_tokens_open_nothing_and_the_account_gets_all_of_it_again() {
    let mut edge = Edge::start(500).await;
    let (number, access) = edge.enter("ada").await;
    let account = edge.account("ada").await;
    let place = token(&edge.join(&account).await);
    let session = claim(&edge, &place, None).await.body["session"].clone();
    assert_eq!(hold(&edge, &access).await.code(), "SEATS_TAKEN", "before, the call reaches the origin");
    let calls = edge.origin.bookings().len();

    revoke(&edge).await;
    let refused = hold(&edge, &access).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, "TOKEN_REVOKED"));
    let map = edge.fan(Method::GET, "/seatmap", &[("X-Access-Token", &access)], Value::Null).await;
    assert_eq!(map.code(), "TOKEN_REVOKED");
    assert_eq!(claim(&edge, &place, None).await.code(), "TOKEN_REVOKED", "the place alone is worth nothing");
    assert_eq!(edge.origin.bookings().len(), calls, "the origin is not asked");

    let other = edge.account("bo").await;
    assert_eq!(claim(&edge, &place, Some(&other)).await.code(), "TOKEN_REVOKED", "nor beside another account");
    let renewed = claim(&edge, &place, Some(&account)).await;
    assert_eq!(renewed.body["session"], session, "beside its own account it opens the same session");
    assert_eq!(hold(&edge, &token(&renewed)).await.code(), "SEATS_TAKEN");
    let joined = edge.join(&account).await;
    assert_eq!(joined.body["place"], number, "the same place");
    assert_eq!(claim(&edge, &token(&joined), None).await.body["session"], session, "its new token is good by itself");

    // Storage that is lost brings nothing back to life, and nobody loses a place.
    edge.lose_shards().await;
    edge.status_where("beats again", 8_000, |status| status["rev"] == 1).await;
    assert_eq!(claim(&edge, &place, None).await.code(), "TOKEN_REVOKED");
    let shown = [("X-Account-Token", account.as_str()), ("X-Place-Token", &place)];
    let back = edge.fan(Method::POST, "/line", &shown, Value::Null).await;
    assert_eq!(back.body["place"], number);
    revoke(&edge).await;
    assert_eq!(claim(&edge, &token(&joined), None).await.code(), "TOKEN_REVOKED", "it can be done again");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_devices_share_one_place_and_one_session() {
    let edge = Edge::start(500).await;
    let account = edge.account("ada").await;
    let joins = futures::future::join_all((0..50).map(|_| edge.join(&account))).await;
    let entries: BTreeSet<String> =
        joins.iter().map(|join| format!("{} {}", join.body["epoch"], join.body["index"])).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    edge.status_where("admitted", 8_000, |status| status["admitted"] == 1).await;
    let places: BTreeSet<String> = joins.iter().map(token).collect();
    let numbered = token(&edge.join(&account).await);
    let devices = places.iter().chain([&numbered]).cycle().take(20);
    let claims = futures::future::join_all(devices.map(|place| claim(&edge, place, None))).await;
    let sessions: BTreeSet<String> =
        claims.iter().map(|claim| format!("{} until {}", claim.body["session"], claim.body["expires_ms"])).collect();
    assert_eq!(sessions.len(), 1, "{claims:?}");
    assert!(claims.iter().all(|claim| claim.status == StatusCode::OK), "{claims:?}");
    let live = edge.operator(Method::GET, "", Value::Null).await.body;
    assert_eq!(live["entries"], 1, "one entry");
}
