//! Many who search at once, and machines that read the list: the index is asked as often as one fan would, an address that does
//! not stop waits, nonsense is answered safely, and search engines find every listed event.

use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::edge::{EVENT, Edge, now};
use crate::search::doc;

/// How long an answer is told again.
const COPY: Duration = Duration::from_secs(5);
/// Searches that one address may make at once, of which there is no copy.
const AT_ONCE: usize = 300;

fn count(answer: &crate::edge::Answer) -> usize {
    answer.body["events"].as_array().unwrap_or_else(|| panic!("events: {answer:?}")).len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rush_on_one_search_does_not_reach_the_index() {
    let edge = Edge::start(600_000).await;
    // Busy machines may take longer than a copy lasts; then the words are others and it begins anew.
    for attempt in 0..10 {
        let word = format!("rush{attempt}");
        edge.filled(json!([doc(&format!("{word}a"), &word, |_| ())])).await;
        let started = Instant::now();
        assert_eq!(count(&edge.ask_with(&format!("q={word}"), &[]).await), 1);
        edge.filled(json!([doc(&format!("{word}b"), &word, |_| ())])).await;
        let asks = (0..100).map(|n| match n % 3 {
            0 => format!("q={word}"),
            1 => format!("utm_source={n}&q=R{}!&limit=20", &word[1..]),
            _ => format!("available=&q=%20{word}"),
        });
        let asks: Vec<String> = asks.collect();
        let counts: Vec<usize> =
            join_all(asks.iter().map(|ask| edge.ask_with(ask, &[]))).await.iter().map(count).collect();
        if started.elapsed() >= COPY {
            continue;
        }
        assert_eq!(counts, [1; 100], "a copy, however the search is written");
        assert_eq!(edge.found(&format!("q={word}")).await.len(), 2, "without copies the index is asked");
        tokio::time::sleep(COPY + Duration::from_millis(500)).await;
        assert_eq!(count(&edge.ask_with(&format!("q={word}"), &[]).await), 2, "and soon everybody knows");
        return;
    }
    panic!("this machine is too slow to tell");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_searches_without_end_waits_and_its_neighbours_do_not() {
    let edge = Edge::start(600_000).await;
    edge.filled(json!([doc("a", "Night", |_| ())])).await;
    let from = |address: &'static str| [("CF-Connecting-IP", address)];
    assert_eq!(edge.ask_with("q=night", &from("192.0.2.1")).await.status, 200);
    let (mut refused, mut asked) = (None, 0);
    while refused.is_none() && asked < 4 * AT_ONCE {
        let asks: Vec<String> = (0..50).map(|n| format!("q=x{}", asked + n)).collect();
        let elsewhere: Vec<String> = asks.iter().map(|ask| format!("{ask}&limit=7")).collect();
        let (one, none) = (from("192.0.2.1"), []);
        let flood = join_all(asks.iter().map(|ask| edge.ask_with(ask, &one))).await;
        // The same searches from nowhere: without an address there is no limit.
        let free = join_all(elsewhere.iter().map(|ask| edge.ask_with(ask, &none))).await;
        assert!(free.iter().all(|answer| answer.status == 200));
        asked += asks.len();
        refused = flood.into_iter().find(|answer| answer.status != StatusCode::OK);
    }
    let refused = refused.unwrap_or_else(|| panic!("nobody stopped {asked} searches"));
    assert_eq!((refused.status.as_u16(), refused.code()), (429, "SEARCH_TOO_FAST"), "{refused:?}");
    assert!(refused.retry_after_s.is_some_and(|s| (1..=60).contains(&s)), "{refused:?}");
    assert!(asked >= AT_ONCE, "after {asked}");
    assert_eq!(edge.ask_with("q=night%20", &from("192.0.2.2")).await.status, 200, "another address");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(edge.ask_with("q=after", &from("192.0.2.1")).await.status, 200, "slowed, not thrown out");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_typed_is_refused_or_answered_safely() {
    let edge = Edge::start(600_000).await;
    edge.filled(json!([doc("a", "Night", |_| ())])).await;
    let long = "x".repeat(10_000);
    let refused = [long.as_str(), "🎸🎸🎸", "\"\"", "*", "\0", "' -- ;", "%", "^()", "\u{202e}", "a b c d e f g h i"];
    for text in refused {
        let answer = edge.ask(&format!("q={}", encoded(text))).await;
        let told = (answer.status.as_u16(), answer.code(), answer.body["parameter"].as_str());
        assert_eq!(told, (400, "QUERY_INVALID", Some("q")), "{text:?}");
    }
    let odd = [
        "night OR x",
        "night NOT x",
        "NEAR(night x, 5)",
        "text:night",
        "tags:open",
        "{tags}:open",
        "night\" OR \"a",
        "-x",
        "x'); DROP TABLE event_0; --",
        "x\0y",
        "night🎸x",
        "\u{feff}x",
        "g0x1",
        "open1",
    ];
    for text in odd {
        let answer = edge.ask(&format!("q={}", encoded(text))).await;
        assert_eq!((answer.status.as_u16(), count(&answer)), (200, 0), "{text:?}");
    }
    for found in ["night*", "\"night\"", "^night", "🎸night", "N\u{ad}ight", "night\0", "NIGHT'"] {
        assert_eq!(count(&edge.ask(&format!("q={}", encoded(found))).await), 1, "{found:?}");
    }
    for bad in ["q=%FF%FE", "after=9007199254740993", "near=1e400,0", "limit=99999999999999999999", "from=%00"] {
        let answer = edge.ask(bad).await;
        assert!([200, 400].contains(&answer.status.as_u16()), "{bad}: {answer:?}");
        assert!(answer.status == 200 || answer.code() == "QUERY_INVALID", "{bad}: {answer:?}");
    }
    assert_eq!(edge.found("q=night").await, ["a"], "and everything is still there");
}

fn encoded(text: &str) -> String {
    let one =
        |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn search_engines_find_every_listed_event_and_nothing_else() {
    let edge = Edge::start(600_000).await;
    let read = async |path: &str| {
        let answer = edge.http.get(format!("{}{path}", edge.workerd.url())).send().await.expect("an answer");
        let header = |name: &str| answer.headers()[name].to_str().expect("a text").to_owned();
        assert_eq!(header("cache-control"), "public, max-age=3600", "{path}");
        let told = (answer.status(), header("content-type"), header("etag"));
        (told, answer.text().await.expect("a text"))
    };
    let changed = 1_803_891_600_000_i64;
    edge.filled(json!([
        doc("seen", "Night", |doc| doc["changed_at_ms"] = changed.into()),
        doc("hidden", "Practice", |doc| doc["listed"] = false.into()),
        doc("over", "Night", |doc| {
            let starts = now() - 86_400_000;
            doc["starts_local"] = crate::search::local(starts).into();
            doc["starts_at_ms"] = starts.into();
            doc["ends_at_ms"] = (starts + 1).into();
        }),
    ]))
    .await;
    let origin = edge.workerd.url();
    let (told, robots) = read("/robots.txt").await;
    assert_eq!((told.0.as_u16(), told.1.as_str()), (200, "text/plain; charset=utf-8"));
    assert!(
        robots.contains(&format!("Sitemap: {origin}/sitemap.xml\n")) && robots.contains("Disallow: /operator/\n"),
        "{robots}"
    );
    let (told, index) = read("/sitemap.xml").await;
    assert_eq!((told.0.as_u16(), told.1.as_str()), (200, "application/xml"));
    let parts: Vec<&str> = index.split("<loc>").skip(1).filter_map(|rest| rest.split("</loc>").next()).collect();
    assert_eq!((parts.len(), parts[0]), (2, format!("{origin}/sitemap/pages.xml").as_str()), "{index}");
    let part = parts[1].strip_prefix(origin.as_str()).expect("an address of this site");
    let (told, urls) = read(part).await;
    let entry = format!("<url><loc>{origin}/e/seen</loc><lastmod>2027-03-01T09:00:00Z</lastmod></url>");
    assert!(urls.contains(&entry) && urls.matches("<url>").count() == 1, "{urls}");
    let again = edge.http.get(format!("{origin}{part}")).header("If-None-Match", told.2).send().await;
    assert_eq!(again.expect("an answer").status(), 304);
    assert!(read("/sitemap/pages.xml").await.1.contains(&format!("<loc>{origin}/</loc>")));
    for none in ["/sitemap/2027-01-9.xml", "/sitemap/x", "/sitemap/..%2fsitemap.xml"] {
        let answer = edge.try_call(Method::GET, none, &[], &Value::Null).await.expect("an answer");
        assert_eq!((answer.status.as_u16(), answer.code()), (404, "NOT_FOUND"), "{none}");
    }
    let post = edge.try_call(Method::POST, "/sitemap.xml", &[], &Value::Null).await.expect("an answer");
    assert_eq!(post.code(), "METHOD_NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_events_detail_is_kept_for_a_minute_and_known_by_its_tag() {
    let edge = Edge::start(600_000).await;
    let url = format!("{}/v1/events/{EVENT}", edge.workerd.url());
    let answer = edge.http.get(&url).send().await.expect("an answer");
    assert_eq!(answer.headers()["cache-control"], "public, max-age=60");
    let tag = answer.headers()["etag"].clone();
    let asked = async |tag: &[u8]| edge.http.get(&url).header("If-None-Match", tag).send().await.expect("an answer");
    let again = asked(tag.as_bytes()).await;
    assert_eq!((again.status().as_u16(), &again.headers()["etag"]), (304, &tag));
    assert_eq!(again.headers()["cache-control"], "public, max-age=60");
    assert!(again.bytes().await.expect("a body").is_empty());
    edge.change(now() + 600_000, |_| ()).await;
    let changed = asked(tag.as_bytes()).await;
    assert_eq!(changed.status(), 200, "another event has another tag");
    assert_ne!(changed.headers()["etag"], tag);
}
