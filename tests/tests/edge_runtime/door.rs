//! No booking call without a good access token reaches the origin.

use domain::ids::{AccountId, EventId, SessionId};
use domain::keys::MasterKeys;
use domain::time::EventMs;
use domain::token::{AccessToken, Token};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::edge::{EVENT, Edge, MASTER_KEYS, now};

const OTHER_KEYS: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// An access token of somebody.
pub fn minted(keys: &str, event: &str, expires_ms: i64) -> String {
    let keys = MasterKeys::parse(keys).expect("good keys");
    let event: EventId = event.parse().expect("a good id");
    let account = AccountId::derive("dev", "ada");
    let session = SessionId::from_bytes([1; 16]);
    AccessToken { account, session, place: 1, lane: 0, rev: 0, expires: EventMs(expires_ms) }.encode(&keys, &event)
}

fn routes() -> Vec<(Method, &'static str)> {
    vec![
        (Method::POST, "/holds"),
        (Method::GET, "/holds/AAAAAAAAAAAAAAAAAAAAAA"),
        (Method::DELETE, "/holds/AAAAAAAAAAAAAAAAAAAAAA"),
        (Method::POST, "/holds/AAAAAAAAAAAAAAAAAAAAAA/extension"),
        (Method::POST, "/orders"),
        (Method::GET, "/orders"),
        (Method::GET, "/orders/AAAAAAAAAAAAAAAAAAAAAA"),
        (Method::POST, "/orders/AAAAAAAAAAAAAAAAAAAAAA/cancellation"),
        (Method::GET, "/seatmap"),
        (Method::GET, "/seatmap/counts"),
        (Method::POST, "/pulse"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_tokens_never_reach_the_origin() {
    let edge = Edge::start(500).await;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let good = minted(MASTER_KEYS, EVENT, now() + 600_000);
    let place = edge.join(&edge.account("ada").await).await.body["token"].as_str().unwrap_or_default().to_owned();
    let bad = [
        ("foreign event", minted(MASTER_KEYS, "other", now() + 600_000)),
        ("long expired", minted(MASTER_KEYS, EVENT, now() - 3_600_000)),
        ("forged", minted(OTHER_KEYS, EVENT, now() + 600_000)),
        ("truncated", good[..good.len() - 4].to_owned()),
        ("with a tail", format!("{good}AAAA")),
        ("place token", place),
        ("empty", String::new()),
    ];
    for (method, path) in routes() {
        let none = edge.fan(method.clone(), path, &[], json!({})).await;
        assert!(none.status.is_client_error(), "{method} {path} without: {none:?}");
        for (what, token) in &bad {
            for header in ["X-Access-Token", "Cookie"] {
                let value = if header == "Cookie" { format!("onsale_access_{EVENT}={token}") } else { token.clone() };
                let answer = edge.fan(method.clone(), path, &[(header, &value)], json!({})).await;
                assert!(answer.status.is_client_error(), "{method} {path} {what} in {header}: {answer:?}");
            }
        }
    }
    assert!(edge.origin.bookings().is_empty(), "{:?}", edge.origin.bookings());
    let answer = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &good)], json!({})).await;
    assert_eq!(answer.code(), "SEATS_TAKEN", "the same call with a good token does reach it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_over_may_still_end_what_it_began() {
    let edge = Edge::start(500).await;
    edge.status_where("open", 8_000, |status| status["phase"] == "open").await;
    let over = minted(MASTER_KEYS, EVENT, now() - 60_000);
    for (method, path) in routes().into_iter().filter(|(_, path)| *path != "/pulse" && !path.starts_with("/seatmap")) {
        let answer = edge.fan(method.clone(), path, &[("X-Access-Token", &over)], json!({})).await;
        let want = if path == "/holds" { "ACCESS_EXPIRED" } else { "SEATS_TAKEN" };
        assert_eq!(answer.code(), want, "{method} {path}: the origin decides about holds and orders under way");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_requests_are_refused_before_they_are_read() {
    let edge = Edge::start(60_000).await;
    let good = minted(MASTER_KEYS, EVENT, now() + 600_000);
    edge.status_where("a status", 5_000, |status| status["beat"].is_u64()).await;
    let big = Value::String("x".repeat(20_000));
    let answer = edge.fan(Method::POST, "/holds", &[("X-Access-Token", &good)], big).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE"));
    assert!(undeclared_length(&edge, &good).await.starts_with("HTTP/1.1 411"));
    let cookie = format!("onsale_access_{EVENT}={good}");
    let cases: [&[(&str, &str)]; 2] =
        [&[("Cookie", &cookie)], &[("Cookie", &cookie), ("Origin", "https://elsewhere.example")]];
    for headers in cases {
        let answer = edge.fan(Method::POST, "/holds", headers, json!({})).await;
        assert_eq!(answer.code(), "FOREIGN_ORIGIN", "{headers:?}");
    }
    let own = edge.workerd.url();
    let answer = edge.fan(Method::POST, "/holds", &[("Cookie", &cookie), ("Origin", &own)], json!({})).await;
    assert_eq!(answer.code(), "SEATS_TAKEN");
    let unknown = edge.try_call(Method::GET, "/v1/events/unknown/status.json", &[], &Value::Null).await;
    assert_eq!(unknown.expect("an answer").status, StatusCode::NOT_FOUND);
    let operator = edge.try_call(Method::GET, "/v1/operator/events/demo", &[], &Value::Null).await;
    assert_eq!(operator.expect("an answer").code(), "OPERATOR_REQUIRED");
}

/// The answer to a body of undeclared length, of which only the first piece is sent.
async fn undeclared_length(edge: &Edge, access: &str) -> String {
    let url = edge.workerd.url();
    let host = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.expect("a connection");
    let head = format!(
        "POST /v1/events/{EVENT}/holds HTTP/1.1\r\nHost: {host}\r\nX-Access-Token: {access}\r\n\
         Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = vec![0; 64];
    let read = stream.read(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer[..read]).into_owned()
}
