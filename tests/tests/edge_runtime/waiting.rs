//! The waiting list at the edge: a token that is over is good for it and for nothing else, and an offer's token travels as every other.

use domain::ids::{AccountId, SessionId};
use domain::keys::MasterKeys;
use domain::time::EventMs;
use domain::token::{AccessToken, Token as _};
use reqwest::header::SET_COOKIE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{Answer, EVENT, Edge, MASTER_KEYS, now, sleep_ms, token};

/// The shortest session that an event may have.
const SESSION_MS: i64 = 60_000;

/// What ada's session was, long after its end.
fn over() -> String {
    let (account, session) = (AccountId::derive("dev", "ada"), SessionId::from_bytes([1; 16]));
    let token = AccessToken { account, session, place: 1, lane: 0, rev: 0, expires: EventMs(1) };
    token.encode(&MasterKeys::parse(MASTER_KEYS).expect("good keys"), &EVENT.parse().expect("an id"))
}

async fn open() -> Edge {
    let edge = Edge::start(500).await;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    edge
}

async fn claim(edge: &Edge, place: &str, body: Value) -> Answer {
    edge.fan(Method::POST, "/admission", &[("X-Place-Token", place)], body).await
}

async fn list(edge: &Edge, method: Method, access: &str) -> Answer {
    edge.fan(method, "/waiting", &[("X-Access-Token", access)], json!({ "quantity": 1 })).await
}

async fn hold(edge: &Edge, access: &str) -> Answer {
    edge.fan(Method::POST, "/holds", &[("X-Access-Token", access)], json!({ "seats": ["W01-1-1"] })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_over_is_good_for_the_waiting_list_and_nothing_else() {
    let (edge, access) = (open().await, over());
    assert_eq!(hold(&edge, &access).await.code(), "ACCESS_EXPIRED");
    let calls = edge.origin.bookings().len();
    assert_eq!(list(&edge, Method::POST, &access).await.status, StatusCode::CREATED);
    assert_eq!(list(&edge, Method::DELETE, &access).await.status, StatusCode::NO_CONTENT);
    let seen = edge.origin.bookings();
    assert_eq!(seen.len(), calls + 2);
    assert!(seen[calls..].iter().all(|call| call.signed && call.what.ends_with(&format!("/{EVENT}/waiting"))));
    // The twin: whose turn has not come has nothing to show, however it is asked for.
    let late = token(&edge.join(&edge.account("late").await).await);
    for access in ["", "AQEB", late.as_str()] {
        let refused = list(&edge, Method::POST, access).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, "ACCESS_INVALID"), "{access}");
    }
    let none = edge.fan(Method::POST, "/waiting", &[], json!({ "quantity": 1 })).await;
    assert_eq!((none.status, none.code()), (StatusCode::UNAUTHORIZED, "ACCESS_REQUIRED"));
    assert_eq!(edge.origin.bookings().len(), calls + 2, "the origin is not asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_opens_the_shop_again_by_its_cookie() {
    let (edge, access) = (open().await, over());
    let url = format!("{}/v1/events/{EVENT}/waiting", edge.workerd.url());
    let ask = async |method| edge.http.request(method, &url).header("X-Access-Token", &access).send().await;
    let joined = ask(Method::POST).await.expect("an answer");
    assert!(joined.headers().get(SET_COOKIE).is_none(), "nothing was offered yet");
    let offered = ask(Method::GET).await.expect("an answer");
    assert_eq!(offered.status(), StatusCode::OK);
    let cookie = offered.headers().get(SET_COOKIE).and_then(|value| value.to_str().ok()).expect("a cookie").to_owned();
    assert!(cookie.starts_with(&format!("onsale_access_{EVENT}=")) && cookie.contains("HttpOnly"), "{cookie}");
    let body: Value = offered.json().await.expect("JSON");
    let pair = cookie.split(';').next().expect("a pair");
    assert_eq!(pair.split_once('=').map(|(_, value)| value), body["access_token"].as_str());
    let shown = [("Cookie", pair), ("Origin", &edge.workerd.url())];
    let again = edge.fan(Method::POST, "/holds", &shown, json!({ "seats": ["W01-1-1"] })).await;
    assert_eq!(again.code(), "SEATS_TAKEN", "the call reaches the origin: {again:?}");
    assert_eq!(hold(&edge, &access).await.code(), "ACCESS_EXPIRED", "the old token is over as before");
    // An emergency stop stops this, too.
    let stopped = edge.operator(Method::POST, "/stop", json!({ "reason": "test" })).await;
    assert_eq!(stopped.status, StatusCode::OK, "{stopped:?}");
    edge.status_where("stopped", 5_000, |status| status["phase"] == "stopped").await;
    assert_eq!(list(&edge, Method::GET, &access).await.code(), "STOPPED");
}

/// On another device there is no access token: the place shows what the turn was.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_over_is_shown_to_who_asks_for_that() {
    let edge = Edge::with(500, |event| event["session_ms"] = json!(SESSION_MS)).await;
    let (_, access) = edge.enter("ada").await;
    let place = token(&edge.join(&edge.account("ada").await).await);
    let open = claim(&edge, &place, json!({ "ended": true })).await;
    let end = now() + 4 * SESSION_MS;
    while hold(&edge, &access).await.code() != "ACCESS_EXPIRED" {
        assert!(now() < end, "the session ends");
        sleep_ms(500).await;
    }
    let refused = claim(&edge, &place, json!({})).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, "ACCESS_EXPIRED"), "{refused:?}");
    let shown = claim(&edge, &place, json!({ "ended": true })).await;
    assert_eq!((shown.status, &shown.body["expires_ms"]), (StatusCode::OK, &open.body["expires_ms"]), "{shown:?}");
    assert_eq!(hold(&edge, &token(&shown)).await.code(), "ACCESS_EXPIRED", "it opens nothing");
    assert_eq!(list(&edge, Method::POST, &token(&shown)).await.status, StatusCode::CREATED);
    // The twin: whose turn has not come yet has no session to show.
    let paused = edge.operator(Method::POST, "/pause", json!({ "reason": "test" })).await;
    assert_eq!(paused.status, StatusCode::OK, "{paused:?}");
    edge.status_where("paused", 8_000, |status| status["phase"] == "paused").await;
    let late = token(&edge.join(&edge.account("late").await).await);
    let none = claim(&edge, &late, json!({ "ended": true })).await;
    assert!(["NOT_NUMBERED", "NOT_YET", "PAUSED"].contains(&none.code()), "{none:?}");
}
