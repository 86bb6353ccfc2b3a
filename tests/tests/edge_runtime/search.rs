//! Search in the real runtime's D1: what is found, what is refused, and that fills may come twice, late and in any order.

use domain::keys::MasterKeys;
use domain::search::sign;
use domain::time::WallMs;
use reqwest::Method;
use serde_json::{Value, json};

use crate::edge::{Answer, EVENT, Edge, MASTER_KEYS, now};

const EVENTS: &str = "/v1/search/events";
const GENERATIONS: &str = "/v1/search/generations";

/// An event of the index, changed.
pub fn doc(id: &str, name: &str, change: impl FnOnce(&mut Value)) -> Value {
    let starts = now() + 30 * 86_400_000;
    let mut doc = json!({
        "id": id, "version": 1, "listed": true, "name": name, "venue": "Arena", "zone": "UTC",
        "starts_local": local(starts), "starts_at_ms": starts, "ends_at_ms": starts + 7_200_000, "opens_at_ms": now(),
        "currency": "EUR", "from_minor": 5000, "to_minor": 9000, "left": "plenty",
    });
    change(&mut doc);
    doc
}

/// A time on the clock of UTC.
pub fn local(ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(ms).expect("a time").to_zoned_datetime(jiff::tz::TimeZone::UTC);
    at.strftime("%Y-%m-%dT%H:%M").to_string()
}

/// Days from now.
fn on_day(days: i64) -> impl FnOnce(&mut Value) {
    move |doc| {
        let starts = now() + days * 86_400_000;
        doc["starts_local"] = local(starts).into();
        doc["starts_at_ms"] = starts.into();
        doc["ends_at_ms"] = (starts + 7_200_000).into();
    }
}

impl Edge {
    async fn signed(&self, path: &str, body: &Value) -> Answer {
        let keys = MasterKeys::parse(MASTER_KEYS).expect("keys");
        let header = sign(path, body.to_string().as_bytes(), &keys, WallMs(now()));
        let answer = self.try_call(Method::POST, path, &[("X-Onsale-Signature", &header)], body).await;
        answer.expect("the Worker answers")
    }

    /// Writes events into the index.
    pub async fn filled(&self, docs: Value) {
        let answer = self.signed(EVENTS, &docs).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// Asks the index itself: no copy of an earlier answer is told.
    pub async fn ask(&self, query: &str) -> Answer {
        self.ask_with(query, &[("X-Test-No-Copy", "1")]).await
    }

    /// Asks as fans do, with these headers.
    pub async fn ask_with(&self, query: &str, headers: &[(&str, &str)]) -> Answer {
        let path = format!("/v1/events?{query}");
        self.try_call(Method::GET, &path, headers, &Value::Null).await.expect("the Worker answers")
    }

    /// The events that a query finds, in order.
    pub async fn found(&self, query: &str) -> Vec<String> {
        let answer = self.ask(query).await;
        let events = answer.body["events"].as_array().unwrap_or_else(|| panic!("{query}: {answer:?}"));
        events.iter().map(|event| event["id"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_found_by_words_place_day_price_and_what_is_left() {
    let edge = Edge::start(600_000).await;
    assert_eq!(edge.found("q=anything").await, [""; 0], "an empty database is a good one");
    let at = |latitude: f64, longitude: f64| {
        move |doc: &mut Value| {
            doc["point"] = json!({ "latitude": latitude, "longitude": longitude });
        }
    };
    edge.filled(json!([
        doc("muller", "Café Müller – Łódź tanzt", at(53.55, 9.99)),
        doc("tokyo", "東京ナイト・ジャズ", at(35.68, 139.76)),
        doc("oum", "أُمّ كُلثوم: ليلة", on_day(40)),
        doc("fiji", "Island night", at(-17.7, 179.99)),
        doc("gone", "Café gone", |doc| doc["left"] = "none".into()),
        doc("dear", "Gala", |doc| doc["from_minor"] = 8000.into()),
        doc("yen", "Gala in yen", |doc| doc["currency"] = "JPY".into()),
        doc("over", "Café over", on_day(-1)),
        doc("practice", "Café practice", |doc| doc["listed"] = false.into()),
    ]))
    .await;
    let day = |days: i64| local(now() + days * 86_400_000)[..10].to_owned();
    let (first, last) = (day(39), day(41));
    let cases: [(&str, &[&str]); 21] = [
        ("q=cafe", &["gone", "muller"]),
        ("q=CAF%C3%89%20mul", &["muller"]),
        ("q=lodz", &["muller"]),
        ("q=afe", &[]),
        ("q=%E4%BA%AC", &["tokyo"]),
        ("q=%E3%81%98%E3%82%83%E3%81%9A", &["tokyo"]),
        ("q=%E4%BA%AC%E6%9D%B1", &[]),
        ("q=%D8%A7%D9%85%20%D9%83%D9%84%D8%AB", &["oum"]),
        ("q=arena&near=53.6,10.0&within_km=20", &["muller"]),
        ("near=53.6,10.0&within_km=1", &[]),
        ("near=-17.7,-179.99&within_km=5", &["fiji"]),
        ("q=gala", &["dear", "yen"]),
        ("q=gala&currency=EUR", &["dear"]),
        ("q=gala&currency=EUR&price_max=7999", &[]),
        ("q=gala&currency=EUR&price_max=8000", &["dear"]),
        ("q=cafe&available=1", &["muller"]),
        (&format!("from={first}&to={last}"), &["oum"]),
        (&format!("from={last}"), &[]),
        ("q=cafe%22%20OR%20%22gala", &[]),
        ("q=practice", &[]),
        ("q=over", &[]),
    ];
    for (query, want) in cases {
        let mut found = edge.found(query).await;
        found.sort();
        assert_eq!(found, want, "{query}");
    }
    let near = edge.ask("near=53.6,10.0&within_km=20").await.body;
    let km = near["events"][0]["distance_km"].as_f64().expect("a distance");
    assert!((5.0..6.5).contains(&km), "{km}");
    assert!(near["events"][0]["version"].is_null() && near["events"][0]["name"] == "Café Müller – Łódź tanzt");
    for bad in ["q=%3F%21", "near=here", "from=soon", "price_max=5", "limit=0"] {
        let answer = edge.ask(bad).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (400, "QUERY_INVALID"), "{bad}");
        assert_eq!(
            answer.body["parameter"],
            bad.split('=').next().unwrap_or_default().replace("price_max", "currency")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_events_come_first_page_by_page() {
    let edge = Edge::start(600_000).await;
    // Three at the same minute, told in the wrong order, in two batches.
    let docs: Vec<Value> = (0..9).map(|n| doc(&format!("e{n}"), "Same", on_day(20 - n / 3))).collect();
    edge.filled(json!(docs[..4])).await;
    edge.filled(json!(docs[4..])).await;
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page = edge.ask(&format!("q=same&limit=2{after}")).await.body;
        let events = page["events"].as_array().expect("events").clone();
        found.extend(events.iter().map(|event| event["starts_local"].as_str().expect("a time").to_owned()));
        if page["next"].is_null() {
            break;
        }
        assert_eq!(events.len(), 2);
        after = format!("&after={}", page["next"]);
    }
    assert_eq!(found.len(), 9, "each once: {found:?}");
    assert!(found.is_sorted(), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn fills_that_come_twice_and_late_change_nothing() {
    let edge = Edge::start(600_000).await;
    let version = |version: i64, name: &str| doc("a", name, |doc| doc["version"] = version.into());
    for docs in [json!([version(2, "Second")]), json!([version(2, "Second")]), json!([version(1, "First")])] {
        edge.filled(docs).await;
        assert_eq!((edge.found("q=second").await.len(), edge.found("q=first").await.len()), (1, 0));
    }
    edge.filled(json!([version(3, "Third"), doc("b", "Third, too", |_| ())])).await;
    assert_eq!(
        (edge.found("q=second").await.len(), edge.found("q=third").await.len()),
        (0, 2),
        "no old words are left"
    );
    edge.filled(json!([doc("a", "Third", |doc| {
        doc["version"] = 4.into();
        doc["listed"] = false.into();
    })]))
    .await;
    edge.filled(json!([version(3, "Third")])).await;
    assert_eq!(edge.found("q=third").await, ["b"], "taken off the list, and not put back by an older word");
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_and_senseless_fills_write_nothing() {
    let edge = Edge::start(600_000).await;
    let good = json!([doc("a", "Good", |_| ())]);
    let keys = MasterKeys::parse(MASTER_KEYS).expect("keys");
    let text = good.to_string();
    let old = sign(EVENTS, text.as_bytes(), &keys, WallMs(now() - 302_000));
    let elsewhere = sign(GENERATIONS, text.as_bytes(), &keys, WallMs(now()));
    for header in ["", "t=1,k=1,v1=00", &old, &elsewhere] {
        let answer = edge.try_call(Method::POST, EVENTS, &[("X-Onsale-Signature", header)], &good).await;
        let answer = answer.expect("the Worker answers");
        assert_eq!((answer.status.as_u16(), answer.code()), (400, "SIGNATURE_INVALID"), "{header}");
    }
    let pair = |bad: Value| json!([doc("a", "Good", |_| ()), bad]);
    let senseless = [
        (json!([]), (422, "SEARCH_REFUSED")),
        (pair(doc("a", "Twice", |_| ())), (422, "SEARCH_REFUSED")),
        (
            pair(doc("b", "Where", |doc| doc["point"] = json!({ "latitude": 91.0, "longitude": 0.0 }))),
            (422, "SEARCH_REFUSED"),
        ),
        (pair(doc("b", "When", |doc| doc["starts_local"] = "soon".into())), (422, "SEARCH_REFUSED")),
        (pair(doc("b", "More", |doc| doc["more"] = 1.into())), (400, "BAD_REQUEST")),
        (pair(json!("b")), (400, "BAD_REQUEST")),
        (json!({ "id": "a" }), (400, "BAD_REQUEST")),
    ];
    for (docs, (status, code)) in senseless {
        let answer = edge.signed(EVENTS, &docs).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (status, code), "{docs}");
    }
    assert_eq!(edge.found("q=good").await, [""; 0], "nothing of any of them was written");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_is_filled_anew_while_it_is_searched() {
    let edge = Edge::start(600_000).await;
    edge.filled(json!([doc("a", "Night", |_| ()), doc("stale", "Night that nobody knows of any more", |_| ())])).await;
    let begin = async || edge.signed(GENERATIONS, &json!({})).await;
    let switch = async |number: &Value| edge.signed(&format!("{GENERATIONS}/{number}"), &json!({})).await;
    let given_up = begin().await.body["generation"].clone();
    let number = begin().await.body["generation"].clone();
    assert_ne!(given_up, number);
    edge.filled(json!([doc("a", "Night", |_| ())])).await;
    // What comes from the stream meanwhile is found at once and stays found.
    edge.filled(json!([doc("new", "Night, just announced", |_| ())])).await;
    assert_eq!(edge.found("q=night").await.len(), 3, "searched all the while");
    assert_eq!(switch(&given_up).await.code(), "SEARCH_OVERTAKEN");
    assert_eq!(switch(&number).await.status, 200);
    assert_eq!(switch(&number).await.code(), "SEARCH_OVERTAKEN", "once");
    assert_eq!(begin().await.code(), "SEARCH_SETTLING", "isolates may still search the tables of before");
    // Until this isolate hears of the switch.
    crate::edge::sleep_ms(5_500).await;
    let mut found = edge.found("q=night").await;
    found.sort();
    assert_eq!(found, ["a", "new"]);
    edge.filled(json!([doc("later", "Night", |_| ())])).await;
    assert_eq!(edge.found("q=night").await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_events_page_says_what_it_is_to_machines_and_no_stranger_writes_markup() {
    let edge = Edge::with(600_000, |event| {
        event["name"] = "Night & <b>day</b>".into();
        event["description"] = "</script><script>alert(1)</script>".into();
        event["starts_at_ms"] = 1_812_823_200_000_i64.into();
        event["starts_local"] = "2027-06-12T20:00:00+02:00".into();
    })
    .await;
    let url = format!("{}/e/{EVENT}", edge.workerd.url());
    let answer = edge.http.get(&url).send().await.expect("a page");
    let tag = answer.headers()["etag"].to_str().expect("a tag").to_owned();
    let page = answer.text().await.expect("text");
    assert!(page.contains("<title>Night &amp; &lt;b&gt;day&lt;/b&gt; · Arena · Onsale</title>"), "{page}");
    assert!(page.contains(&format!("<link rel=\"canonical\" href=\"{url}\">")), "{page}");
    let description = "content=\"&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; Night &amp; &lt;b&gt;day&lt;/b&gt;: Arena, 2027-06-12.\"";
    for name in ["name=\"description\"", "property=\"og:description\""] {
        assert!(page.contains(&format!("<meta {name} {description}>")), "{page}");
    }
    assert!(!page.contains("<script>alert"), "{page}");
    let event =
        page.split("<script type=\"application/ld+json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let event: Value = serde_json::from_str(event.expect("an element")).expect("JSON");
    assert_eq!((&event["@type"], &event["startDate"]), (&json!("Event"), &json!("2027-06-12T20:00:00+02:00")));
    assert_eq!((&event["name"], &event["offers"]["lowPrice"]), (&json!("Night & <b>day</b>"), &json!("55.00")));
    let again = edge.http.get(&url).header("If-None-Match", &tag).send().await.expect("an answer");
    assert_eq!(again.status(), 304);
    let unknown = edge.http.get(format!("{}/e/nothing", edge.workerd.url())).send().await.expect("a page");
    let unknown = unknown.text().await.expect("text");
    assert!(unknown.contains("<title>Onsale</title>") && !unknown.contains("ld+json"), "the page tells by itself");
}
