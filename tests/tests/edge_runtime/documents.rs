//! What is the same for many is named by its content: whoever has it is told so, and gets it no second time.

use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::Value;

use crate::edge::{EVENT, Edge};

/// Status, headers and body of a read.
async fn read(edge: &Edge, method: Method, path: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, String) {
    let url = format!("{}/v1/events/{EVENT}{path}", edge.workerd.url());
    let mut request = reqwest::Client::new().request(method, url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.send().await.expect("an answer");
    (answer.status(), answer.headers().clone(), answer.text().await.expect("a text"))
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_document_gets_it_no_second_time() {
    let edge = Edge::start(1_000).await;
    let (_, access) = edge.enter("ada").await;
    let paths = ["/status.json", "", "/draw/0.json", "/layout?v=v1", "/layout?v=old", "/seatmap", "/seatmap?since=1"];
    for path in paths {
        let shown = ("X-Access-Token", access.as_str());
        let (status, headers, text) = read(&edge, Method::GET, path, &[shown]).await;
        let tag = header(&headers, "etag");
        assert!(status == StatusCode::OK && tag.starts_with('"') && tag.len() == 24, "{path}: {status} {headers:?}");
        let kind = if path.starts_with("/seatmap") { "application/octet-stream" } else { "application/json" };
        let is_json = serde_json::from_str::<Value>(&text).is_ok_and(|body| body.is_object());
        assert!(is_json || kind != "application/json" && text.starts_with("SM"), "{path}: {text}");

        let weak = format!("\"other\", W/{tag}");
        let (status, again, rest) = read(&edge, Method::GET, path, &[shown, ("If-None-Match", &weak)]).await;
        if path != "/status.json" {
            assert_eq!((status, rest.as_str()), (StatusCode::NOT_MODIFIED, ""), "{path}");
        }
        for name in ["cache-control", "x-content-type-options"] {
            assert_eq!(header(&again, name), header(&headers, name), "{path} {name}");
        }
        assert!(!header(&again, "etag").is_empty() && !header(&again, "date").is_empty(), "{path}: {again:?}");
        let public = header(&again, "cache-control").starts_with("public");
        assert_eq!(
            header(&again, "x-correlation-id").is_empty(),
            public,
            "{path}: a cache must not repeat a call's id"
        );

        let (status, head, body) = read(&edge, Method::HEAD, path, &[shown]).await;
        assert_eq!((status, body.as_str()), (StatusCode::OK, ""), "{path}");
        assert_eq!(header(&head, "content-type"), kind, "{path}");
        let (_, _, text) = read(&edge, Method::GET, path, &[shown, ("If-None-Match", "\"other\"")]).await;
        assert!(!text.is_empty(), "{path}: another document's tag changes nothing");
    }
    let (status, ..) = read(&edge, Method::GET, "/seatmap", &[("If-None-Match", "*")]).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "the token comes first");
}

/// The status changes each second, so its tag is tried until it is asked for twice within one beat.
#[tokio::test(flavor = "multi_thread")]
async fn the_status_is_not_sent_twice_within_a_beat() {
    let edge = Edge::start(60_000).await;
    edge.status_where("a status", 5_000, |status| status["beat"].is_u64()).await;
    for _ in 0..50 {
        let (_, headers, _) = read(&edge, Method::GET, "/status.json", &[]).await;
        let tag = header(&headers, "etag").to_owned();
        let (status, again, text) = read(&edge, Method::GET, "/status.json", &[("If-None-Match", &tag)]).await;
        if status == StatusCode::NOT_MODIFIED {
            assert_eq!((header(&again, "etag"), text.as_str()), (tag.as_str(), ""));
            return;
        }
    }
    panic!("never twice the same status");
}
