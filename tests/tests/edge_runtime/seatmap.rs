//! The seat map in bytes: whole, one section, what changed, nothing new; and what happens when a map is odd or parts are lost.

use domain::map::chart::{Document, version_of};
use domain::map::code::Rows;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::door::minted;
use crate::edge::{EVENT, Edge, MASTER_KEYS, event, now, sleep_ms};
use crate::fronts::{Fronts, edit};
use crate::origin::{counts, map};

/// The rows of [`map`].
fn layout() -> Vec<Rows> {
    vec![vec![2, 2], vec![4]]
}

/// A reader inside.
struct Reader<'a> {
    edge: &'a Edge,
    access: String,
}

/// Status, tag and bytes of an answer.
type Seen = (StatusCode, String, Vec<u8>);

impl<'a> Reader<'a> {
    async fn inside(edge: &'a Edge) -> Self {
        Self { edge, access: edge.enter("ada").await.1 }
    }

    async fn get(&self, query: &str, headers: &[(&str, &str)]) -> Seen {
        let url = format!("{}/v1/events/{EVENT}/seatmap{query}", self.edge.workerd.url());
        let mut request = reqwest::Client::new().get(url).header("X-Access-Token", &self.access);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.expect("an answer");
        let tag = answer.headers().get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
        (answer.status(), tag, answer.bytes().await.expect("a body").to_vec())
    }

    async fn read(&self, query: &str) -> Document {
        let (status, _, bytes) = self.get(query, &[]).await;
        assert_eq!(status, StatusCode::OK, "{query}: {}", String::from_utf8_lossy(&bytes));
        Document::read(&bytes, &layout()).unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    /// Waits until the map has this version.
    async fn reads_version(&self, version: u64) {
        let end = now() + 30_000;
        loop {
            let (status, _, bytes) = self.get("", &[]).await;
            if status == StatusCode::OK && version_of(&bytes) == Some(version) {
                return;
            }
            assert!(now() < end, "version {version} in time; last: {status}");
            sleep_ms(100).await;
        }
    }

    /// Has the origin show another map, and waits for it.
    async fn shows(&self, version: i64, taken: u8) {
        self.edge.origin.show(map(version, taken), counts(version, taken));
        self.reads_version(version.unsigned_abs()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_gets_the_map_a_section_or_what_changed() {
    let edge = Edge::start(500).await;
    let reader = Reader::inside(&edge).await;
    let whole = reader.read("").await;
    assert_eq!((whole.version, whole.whole, &whole.pools, whole.states), (7, true, &vec![30], vec![0; 8]));
    reader.shows(9, 0b0001_0000).await;
    reader.shows(12, 0b0001_0010).await;
    let table: [(&str, bool, &[usize], &[u8]); 7] = [
        ("", true, &[0, 1], &[0, 2, 0, 0, 2, 0, 0, 0]),
        ("?since=9", false, &[0], &[0, 2, 0, 0]),
        ("?since=7", false, &[0, 1], &[0, 2, 0, 0, 2, 0, 0, 0]),
        ("?since=6", true, &[0, 1], &[0, 2, 0, 0, 2, 0, 0, 0]),
        ("?since=13", true, &[0, 1], &[0, 2, 0, 0, 2, 0, 0, 0]),
        ("?since=nine", true, &[0, 1], &[0, 2, 0, 0, 2, 0, 0, 0]),
        ("?section=W02&since=1", false, &[1], &[2, 0, 0, 0]),
    ];
    for (query, whole, sections, states) in table {
        let read = reader.read(query).await;
        assert_eq!(
            (read.version, read.whole, &*read.sections, &*read.states),
            (12, whole, sections, states),
            "{query}"
        );
    }
    for query in ["?since=12", "?section=W02&since=9", "?section=W01&since=12"] {
        let (status, tag, bytes) = reader.get(query, &[]).await;
        assert_eq!((status, tag.as_str(), bytes.len()), (StatusCode::NO_CONTENT, "", 0), "{query}");
    }
    for query in ["?section=W03", "?section=%20", "?section=W03&since=12"] {
        let (status, _, bytes) = reader.get(query, &[]).await;
        let problem: Value = serde_json::from_slice(&bytes).expect("a problem");
        assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("NOT_FOUND")), "{query}");
    }
    for query in ["", "?since=9", "?section=W01"] {
        let (_, tag, _) = reader.get(query, &[]).await;
        let (status, again, bytes) = reader.get(query, &[("If-None-Match", &tag)]).await;
        assert_eq!((status, again, bytes.len()), (StatusCode::NOT_MODIFIED, tag, 0), "{query}");
    }
}

/// A map that makes no sense is not taken, admission goes on, and the operator is told once.
#[tokio::test(flavor = "multi_thread")]
async fn an_odd_map_changes_nothing() {
    let edge = Edge::start(500).await;
    let reader = Reader::inside(&edge).await;
    let mut odd = map(9, 0b1111);
    odd["sections"]["W01"]["rows"] = json!([2, 9]);
    edge.origin.show(odd, counts(9, 0b1111));
    let log = async || edge.operator(Method::GET, "", Value::Null).await.body["log"].to_string();
    let end = now() + 20_000;
    while !log().await.contains("section W01: its states") {
        assert!(now() < end, "the log tells of it");
        sleep_ms(200).await;
    }
    let beat = edge.status().await["beat"].as_u64();
    edge.status_where("three beats", 5_000, |status| status["beat"].as_u64() > beat.map(|beat| beat + 3)).await;
    assert_eq!(log().await.matches("its states are not those").count(), 1);
    assert_eq!((edge.status().await["phase"].as_str(), reader.read("").await.version), (Some("open"), 7));
    edge.enter("bo").await;
    reader.shows(10, 0b1111).await;
    assert!(log().await.contains("the map makes sense again"));
    assert_eq!(reader.read("?since=7").await.sections, [0], "and what it said is unknown to nobody");
}

/// Shards that lost their storage missed versions; the Pacer's stamps tell what changed all the same. Without the Pacer's
/// storage nobody knows what changed before, so readers get the whole map.
#[tokio::test(flavor = "multi_thread")]
async fn readers_find_their_changes_whatever_was_lost() {
    let mut edge = Edge::start(500).await;
    Reader::inside(&edge).await.shows(9, 0b0001_0000).await;
    edge.origin.show(map(12, 0b0001_0001), counts(12, 0b0001_0001));
    edge.lose_shards().await;
    let reader = Reader::inside(&edge).await;
    reader.reads_version(12).await;
    assert_eq!((reader.read("?since=9").await.sections, reader.read("?since=7").await.sections), (vec![0], vec![0, 1]));
    let access = reader.access;
    edge.restart_after(|storage| storage.lose("onsale-pacer")).await;
    edge.origin.show(map(15, 0b0010_0001), counts(15, 0b0010_0001));
    let reader = Reader { edge: &edge, access };
    reader.reads_version(15).await;
    let read = reader.read("?since=12").await;
    assert_eq!((read.whole, read.states), (true, vec![2, 0, 0, 0, 0, 2, 0, 0]));
}

/// Twin of "nothing new costs next to nothing": an isolate whose long way is shut for those who say so.
#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_map_is_answered_the_short_way() {
    const SHORT: &str = "atHandOrFailed(request) ?? answer(";
    const ONLY: &str = "atHandOrFailed(request) ?? (request.headers.has(\"X-Short\") ? failed : answer)(";
    let fronts = Fronts::start(0, event(now() + 1_000), |bundle| {
        edit(bundle, "shim.mjs", |shim| {
            assert!(shim.contains(SHORT), "the shim has a short way");
            shim.replace(SHORT, ONLY)
        });
    });
    let fronts = fronts.await;
    let reader = Reader::inside(&fronts.edge).await;
    let (_, tag, _) = reader.get("", &[]).await;
    let short = ("X-Short", "1");
    let wanted = [
        ("?since=7", vec![short], 204),
        ("", vec![short, ("If-None-Match", tag.as_str())], 304),
        ("?section=W09", vec![short], 404),
        ("", vec![short], 500),
    ];
    for (query, headers, status) in wanted {
        let mut last = 0;
        // Once in half a second somebody has to go and look for a newer copy.
        for _ in 0..20 {
            reader.get("", &[]).await;
            last = reader.get(query, &headers).await.0.as_u16();
            if last == status {
                break;
            }
        }
        assert_eq!(last, status, "{query} {headers:?}");
    }
}

/// Without a map there are its counts, and whoever has them is told so. They have their own form, and are refused by it.
#[tokio::test(flavor = "multi_thread")]
async fn counts_are_there_when_the_map_is_not() {
    let mut odd = map(9, 0b1111);
    odd["sections"]["W01"]["states"] = json!("?");
    let edge = Edge::showing(odd, counts(9, 0b0001_1111)).await;
    let reader = Reader { edge: &edge, access: minted(MASTER_KEYS, EVENT, now() + 600_000) };
    let end = now() + 30_000;
    while reader.get("/counts", &[]).await.0 != StatusCode::OK {
        assert!(now() < end, "counts in time");
        sleep_ms(200).await;
    }
    let (status, tag, bytes) = reader.get("/counts", &[]).await;
    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), counts(9, 0b0001_1111), "{status}");
    assert_eq!(reader.get("/counts", &[("If-None-Match", &tag)]).await.0, StatusCode::NOT_MODIFIED);
    let (status, _, bytes) = reader.get("", &[]).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(String::from_utf8_lossy(&bytes).contains("MAP_UNAVAILABLE"));
    let outside = Reader { edge: &edge, access: "forged".into() };
    assert_eq!(outside.get("/counts", &[]).await.0, StatusCode::UNAUTHORIZED);
    edge.origin.show(map(11, 0), json!({ "version": 11, "sections": { "W01": 4 } }));
    reader.reads_version(11).await;
    let log = edge.operator(Method::GET, "", Value::Null).await.body["log"].to_string();
    assert!(log.contains("the counts of the map cannot be read"), "{log}");
    let (_, _, bytes) = reader.get("/counts", &[]).await;
    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), counts(9, 0b0001_1111), "the last good ones");
}
