//! Nonsense at every route: each answer is a problem document with a documented code, none is a 500, and nothing changes.
//!
//! The routes are read from the router itself, so a new one is tried without being named here.

use domain::operate::Action;
use futures::future::join_all;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::edge::{EVENT, Edge, OPERATOR_KEY};

/// Where routes are written: file, function, and what their paths begin with.
const TABLES: [(&str, &str, &str); 3] = [
    ("edge-worker/src/router.rs", "async fn sessions(", "/v1/session"),
    ("edge-worker/src/router.rs", "async fn fan(", "/v1/events/demo"),
    ("edge-worker/src/routes/booking.rs", "pub fn rule(", "/v1/events/demo"),
];
/// Routes elsewhere, and paths that are none.
const MORE: [(Method, &str); 6] = [
    (Method::POST, "/v1/dev/sign-in"),
    (Method::GET, "/no/such/page"),
    (Method::POST, "/e/demo"),
    (Method::GET, "/v1/events/NOT%20AN%20EVENT/status.json"),
    (Method::GET, "/v1/events/unknown"),
    (Method::POST, "/v1/events/unknown/line"),
];

fn source(path: &str) -> String {
    let root = onsale::build::workspace();
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The routes of a function's `match`: method and path, with something odd for each part that has a name.
fn routes_of(text: &str, function: &str, base: &str) -> Vec<(Method, String)> {
    let body = text.split(function).nth(1).unwrap_or_else(|| panic!("{function} is gone"));
    let body = body.split("\n}\n").next().unwrap_or_default();
    let arms = body.lines().filter(|line| line.contains("Method::") && line.contains("=>"));
    arms.flat_map(|line| routes_of_arm(line, base)).collect()
}

fn routes_of_arm(line: &str, base: &str) -> Vec<(Method, String)> {
    let Some((methods, path)) = line.split_once("=>").and_then(|(arm, _)| arm.split_once('[')) else {
        return Vec::new();
    };
    let parts = path.split(']').next().unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty());
    let path = parts.fold(base.to_owned(), |path, part| match part.strip_prefix('"') {
        Some(word) => format!("{path}/{}", word.trim_end_matches('"')),
        None => format!("{path}/odd%20part"),
    });
    let word = |text: &str| text.chars().take_while(|c| c.is_alphabetic()).collect::<String>().to_uppercase();
    methods.split("Method::").skip(1).map(|text| (word(text).parse().expect("a method"), path.clone())).collect()
}

/// The operators' routes, from the table that the router asks.
fn operators() -> impl Iterator<Item = (Method, String)> {
    let path = |path: &str| format!("/v1/operator/events/demo{}", path.replace('*', "odd%20part"));
    Action::ALL.into_iter().map(move |action| {
        let (method, pattern, _) = action.route();
        (method.parse().expect("a method"), path(pattern))
    })
}

fn routes() -> Vec<(Method, String)> {
    let tables = TABLES.iter().flat_map(|(path, function, base)| routes_of(&source(path), function, base));
    tables.chain(operators()).chain(MORE.map(|(method, path)| (method, path.to_owned()))).collect()
}

#[test]
fn routes_are_read_from_the_router() {
    let all = routes();
    for (method, path) in [
        (Method::POST, "/v1/events/demo/line"),
        (Method::GET, "/v1/events/demo/draw/odd%20part"),
        (Method::DELETE, "/v1/events/demo/holds/odd%20part"),
        (Method::PUT, "/v1/operator/events/demo"),
        (Method::GET, "/v1/session/callback"),
    ] {
        assert!(all.contains(&(method, path.to_owned())), "{path} in {all:?}");
    }
    assert!(all.len() > 25, "{all:?}");
}

/// Bodies beyond this are refused unread.
const BODY_MAX: usize = 16_384;

fn bodies() -> Vec<Vec<u8>> {
    let long = "x".repeat(5_000);
    vec![
        Vec::new(),
        b"{\"a\":".to_vec(),
        vec![0xff, 0xfe, 0x00, 0x80],
        b"42".to_vec(),
        json!({ "proof": 7, "name": 7, "names": 7, "reason": 7, "per_minute": "x", "account": 7, "mail": 7, "panic": 7 }).to_string().into_bytes(),
        json!({ "proof": { "work": { "riddle": "x", "answer": [1] } }, "name": "", "mail": "@" }).to_string().into_bytes(),
        json!({ "proof": { "turnstile": long }, "name": long, "mail": long, "code": long }).to_string().into_bytes(),
        format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)).into_bytes(),
        vec![b' '; 20_000],
    ]
}

fn headers(account: &str) -> Vec<HeaderMap> {
    let tokens = [
        "x-account-token",
        "x-place-token",
        "x-access-token",
        "x-arrival-stamp",
        "idempotency-key",
        "x-correlation-id",
    ];
    let all = |value: &[u8]| tokens.into_iter().map(|name| pair(name, value)).collect();
    let junk = "A".repeat(146);
    let cookie = format!("onsale_account={junk}; onsale_place_{EVENT}={junk}; onsale_access_{EVENT}=%00; ;;==");
    vec![
        HeaderMap::new(),
        all(junk.as_bytes()),
        all("ä =;,\"".as_bytes()),
        [pair("x-account-token", account.as_bytes()), pair("cf-connecting-ip", b"no address")].into_iter().collect(),
        [pair("cookie", cookie.as_bytes()), pair("origin", b"null")].into_iter().collect(),
        [pair("authorization", b"Bearer x"), pair("x-account-token", account.as_bytes())].into_iter().collect(),
    ]
}

fn pair(name: &'static str, value: &[u8]) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from_bytes(value).expect("a header's value"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_nonsense_with_a_problem_document() {
    let checks = json!({ "challenge": "work", "account_per_minute": 10_000 });
    let edge = Edge::with(600_000, |event| event["checks"] = checks).await;
    let account = edge.account("ada").await;
    let documented = source("docs/formats.md");
    edge.status_where("a first beat", 8_000, |status| status["phase"] == "prequeue").await;
    let before = edge.operator(Method::GET, "", Value::Null).await.body;
    let all = headers(&account);
    let mut wrong = throw(&edge, &documented, &all, &bodies()).await;
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    let reads = [Method::GET, Method::HEAD];
    for (method, path) in routes().into_iter().filter(|(method, _)| !reads.contains(method)) {
        let answer = endless(&edge, &method, &path, &account).await;
        let refused = answer.starts_with("HTTP/1.1 4") && answer.contains("application/problem+json");
        assert!(refused, "{method} {path} with a body that does not end: {answer}");
    }
    let after = edge.operator(Method::GET, "", Value::Null).await.body;
    for fact in ["name", "phase", "rate", "reason", "opens_at_ms"] {
        assert_eq!(before[fact], after[fact], "{fact}");
    }
    assert_eq!(edge.entries().await, 0, "nobody got a place");
    // With the operator's key some of it is an order; what cannot be read is none.
    let key = format!("Bearer {OPERATOR_KEY}");
    let operator: HeaderMap = [pair("authorization", key.as_bytes())].into_iter().collect();
    wrong = throw(&edge, &documented, &[operator], &[b"{".to_vec(), b"[7]".to_vec(), vec![b' '; 600_000]]).await;
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every body with all headers at every route; what is wrong with the answers.
async fn throw(edge: &Edge, documented: &str, headers: &[HeaderMap], bodies: &[Vec<u8>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (method, path) in routes() {
        let calls = bodies.iter().flat_map(|body| headers.iter().map(move |headers| (body, headers)));
        let answers = calls.map(|(body, headers)| one(edge, documented, &method, &path, headers, body));
        wrong.extend(join_all(answers).await.into_iter().flatten());
    }
    wrong
}

async fn one(
    edge: &Edge,
    documented: &str,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Option<String> {
    let url = format!("{}{path}", edge.workerd.url());
    let send = || edge.http.request(method.clone(), &url).headers(headers.clone()).body(body.to_vec()).send();
    let answer = match send().await {
        // What is refused unread is answered, and the connection closed, while it is still being written: then the answer may not be seen.
        Err(_) if body.len() > BODY_MAX => send().await,
        sent => sent,
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Some(format!("{method} {path}: {error:?}")),
    };
    let status = answer.status();
    if status.is_success() || status.is_redirection() {
        return None;
    }
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
    let text = answer.text().await.unwrap_or_default();
    if *method == Method::HEAD {
        return (kind != "application/problem+json" || !text.is_empty()).then(|| format!("HEAD {path}: {kind} {text}"));
    }
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    let code = document["code"].as_str().unwrap_or_default();
    let good = kind == "application/problem+json"
        && documented.contains(&format!("`{code}`"))
        && document["status"] == status.as_u16()
        && document["title"].is_string()
        && status != StatusCode::INTERNAL_SERVER_ERROR;
    let shown = body.get(..40).unwrap_or(body);
    (!good).then(|| format!("{method} {path} {headers:?} {}: {status} {kind} {text}", String::from_utf8_lossy(shown)))
}

/// The head of the answer to a body of undeclared length, of which only the first piece is sent.
async fn endless(edge: &Edge, method: &Method, path: &str, account: &str) -> String {
    let url = edge.workerd.url();
    let host = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.expect("a connection");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Account-Token: {account}\r\n\
         Transfer-Encoding: chunked\r\n\r\n4000\r\n{}\r\n",
        " ".repeat(0x4000)
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = vec![0; 2_000];
    let read = tokio::time::timeout(std::time::Duration::from_secs(20), stream.read(&mut answer)).await;
    let read = read.expect("an answer before the body ends").expect("an answer");
    String::from_utf8_lossy(&answer[..read]).into_owned()
}
