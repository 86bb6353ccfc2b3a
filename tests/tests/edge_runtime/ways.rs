//! The short way answers as the long way does, and survives a panic as the long way does.
//!
//! A second isolate of the same Worker has a shim without the short way.

use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{EVENT, Edge, event, now};
use crate::fronts::{Fronts, edit};

const SHORT: &str = "atHandOrFailed(request) ?? answer(";

const LONG: &str = "(name = \"shim.mjs\", esModule = embed \"long.mjs\")";

/// A Worker whose second isolate knows the long way only.
async fn both_ways() -> Fronts {
    let fronts = Fronts::start(1, event(now() + 1_000), |bundle| {
        let shim = std::fs::read_to_string(bundle.join("shim.mjs")).expect("a shim");
        assert!(shim.contains(SHORT), "the shim has a short way");
        std::fs::write(bundle.join("long.mjs"), shim.replace(SHORT, "answer(")).expect("written");
        edit(bundle, "config.capnp", |config| {
            let (main, front) = config.split_once("const front :").expect("a second Worker");
            let front = front.replacen("(name = \"shim.mjs\", esModule = embed \"shim.mjs\")", LONG, 1);
            format!("{main}const front :{front}")
        });
    });
    fronts.await
}

/// Method, path below the event, headers.
type Case<'a> = (Method, &'a str, &'a [(&'a str, &'a str)]);

/// An answer without what belongs to the one request: its date and its own correlation id.
#[derive(Debug, PartialEq)]
struct Said {
    status: StatusCode,
    headers: BTreeMap<String, String>,
    body: String,
}

async fn said(base: &str, method: &Method, path: &str, headers: &[(&str, &str)]) -> Said {
    let mut request = reqwest::Client::new().request(method.clone(), format!("{base}/v1/events/{EVENT}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.send().await.expect("an answer");
    let status = answer.status();
    let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let mut all: BTreeMap<_, _> = answer.headers().iter().map(|(name, v)| (name.to_string(), text(v))).collect();
    assert!(all.remove("date").is_some_and(|date| date.ends_with("GMT")), "{path}");
    let id = all.remove("x-correlation-id").unwrap_or_default();
    match headers.iter().find(|(name, _)| *name == "X-Correlation-Id") {
        Some((_, shown)) if shown.len() >= 8 => assert_eq!(id, *shown, "{path}"),
        // What caches may keep would tell others an id that is not theirs.
        _ if all.get("cache-control").is_some_and(|rule| rule.starts_with("public")) => assert_eq!(id, "", "{path}"),
        _ => assert_eq!(id.len(), 22, "{path}: {id}"),
    }
    Said { status, headers: all, body: answer.text().await.expect("a text") }
}

/// Both answers; where the beat changed between them they are asked for again.
async fn same(fronts: &Fronts, method: &Method, path: &str, headers: &[(&str, &str)]) -> Said {
    let (mut short, mut long) = (None, None);
    for _ in 0..20 {
        short = Some(said(&fronts.edge.workerd.url(), method, path, headers).await);
        long = Some(said(&fronts.urls[0], method, path, headers).await);
        if short == long {
            break;
        }
    }
    assert_eq!(short, long, "{method} {path} {headers:?}");
    short.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_tell_which_way_was_taken() {
    let fronts = both_ways().await;
    let (_, access) = fronts.edge.enter("ada").await;
    let good = ("X-Access-Token", access.as_str());
    let cookie = format!("a=b; onsale_access_{EVENT}={access}");
    let site = fronts.edge.workerd.url();
    let status = same(&fronts, &Method::GET, "/status.json", &[]).await;
    let map = same(&fronts, &Method::GET, "/seatmap", &[good]).await;
    assert!(status.headers.contains_key("etag") && map.headers.contains_key("etag"));
    let cases: &[Case<'_>] = &[
        (Method::HEAD, "/status.json", &[]),
        (Method::GET, "/status.json", &[("If-None-Match", "*")]),
        (Method::GET, "/status.json", &[("X-Correlation-Id", "given-by-the-caller")]),
        (Method::GET, "/status.json", &[("X-Correlation-Id", "odd")]),
        (Method::POST, "/status.json", &[]),
        (Method::GET, "/status.json?x=1", &[]),
        (Method::GET, "/seatmap?since=7", &[good]),
        (Method::GET, "/seatmap?since=6", &[good]),
        (Method::GET, "/seatmap?x=1&since=7", &[good]),
        (Method::GET, "/seatmap", &[good, ("If-None-Match", map.headers["etag"].as_str())]),
        (Method::GET, "/seatmap", &[("Cookie", &cookie)]),
        (Method::HEAD, "/seatmap", &[good]),
        (Method::GET, "/seatmap", &[]),
        (Method::GET, "/seatmap", &[("X-Access-Token", "forged")]),
        (Method::GET, "/seatmap", &[("X-Access-Token", ""), ("X-Correlation-Id", "given-by-the-caller")]),
        (Method::POST, "/seatmap", &[good]),
        (Method::POST, "/holds", &[]),
        (Method::POST, "/holds", &[("X-Access-Token", "forged")]),
        (Method::POST, "/holds", &[("Cookie", &cookie)]),
        (Method::POST, "/holds", &[("Cookie", &cookie), ("Origin", "https://elsewhere.example")]),
        (Method::GET, "/orders", &[good]),
        (Method::GET, "/orders/AAAAAAAAAAAAAAAAAAAAAA", &[("X-Access-Token", "forged")]),
        (Method::GET, "/nothing", &[good]),
        (Method::GET, "/line", &[]),
    ];
    for (method, path, headers) in cases {
        same(&fronts, method, path, headers).await;
    }
    // A site is its own address, so this one is asked alone.
    let own = said(&site, &Method::POST, "/holds", &[("Cookie", &cookie), ("Origin", &site)]).await;
    assert!(own.body.contains("SEATS_TAKEN"), "{own:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_the_short_way_costs_one_request() {
    let edge = Edge::start(60_000).await;
    edge.status_where("a status", 5_000, |status| status["beat"].is_u64()).await;
    let place = edge.join(&edge.account("ada").await).await.body;
    for round in 0..3 {
        let ordered = edge.operator(Method::POST, "/faults", json!({ "panic": "front" })).await;
        assert_eq!(ordered.status, StatusCode::OK, "{round}");
        let struck = edge.fan(Method::GET, "/status.json", &[], Value::Null).await;
        assert_eq!((struck.status.as_u16(), struck.code()), (500, "INTERNAL"), "{round}");
        assert!(!struck.correlation.is_empty(), "{round}");
        let next = edge.fan(Method::GET, "/status.json", &[], Value::Null).await;
        assert_eq!((next.status, next.body["v"].as_u64()), (StatusCode::OK, Some(1)), "{round}");
    }
    let again = edge.join(&edge.account("ada").await).await.body;
    assert_eq!(again["index"], place["index"], "the line's own objects work on");
}
