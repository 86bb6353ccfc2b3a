//! A crowd costs the shards and the origin next to nothing, however many isolates serve it.

use std::path::Path;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tokio::time::Instant;

use crate::edge::{event, now, sleep_ms};
use crate::fronts::{Fronts, edit};

const FRONTS: usize = 6;
/// Shard calls a second that all isolates of a data centre may make together: a status (four while a beat is late), two
/// maps, and now and then the event, each perhaps twice, since the cache promises no order.
const READS_PER_SECOND: f64 = 13.0;

/// An open event before these isolates, and an access token.
async fn open(change: impl FnOnce(&Path)) -> (Fronts, String) {
    let mut wide = event(now() + 2_000);
    wide["shards"] = 16.into();
    let fronts = Fronts::start(FRONTS, wide, change).await;
    let (_, access) = fronts.edge.enter("ada").await;
    (fronts, access)
}

/// How often the origin was asked for the layout when every isolate had needed it, one after the other.
async fn layouts_fetched(fronts: &Fronts) -> usize {
    for front in 0..FRONTS {
        let (status, text) = fronts.get(front, "/layout", "").await;
        assert!(status == StatusCode::OK && text.contains("v1"), "{front}: {status} {text}");
    }
    fronts.edge.origin.bookings().iter().filter(|seen| seen.what.ends_with("/layout")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_isolates_ask_about_as_often_as_one() {
    let (fronts, access) = open(|_| {}).await;
    assert_eq!(layouts_fetched(&fronts).await, 1, "one isolate asks the origin, the others find its copy");
    let before: u64 = settled(&fronts).await.iter().sum();
    let started = Instant::now();
    let asked = crowd(&fronts, &access, Duration::from_secs(6)).await;
    let reads: u64 = settled(&fronts).await.iter().sum::<u64>() - before;
    let seconds = started.elapsed().as_secs_f64();
    println!("{asked} requests to {FRONTS} isolates in {seconds:.1} s caused {reads} calls to the shards");
    assert!(reads as f64 <= READS_PER_SECOND * seconds, "{reads} calls in {seconds:.1} s");
    assert!(asked > 2 * reads, "{asked} requests, {reads} calls");
}

fn uncached(config: String) -> String {
    config.replace("cacheApiOutbound = \"cache\",", "")
}

/// The twin: without the data centre's cache every isolate asks for itself, and isolates spread over the shards.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_cache_every_isolate_asks() {
    let (fronts, access) = open(|bundle| edit(bundle, "config.capnp", uncached)).await;
    assert_eq!(layouts_fetched(&fronts).await, FRONTS);
    crowd(&fronts, &access, Duration::from_secs(2)).await;
    let asked = settled(&fronts).await.iter().filter(|reads| **reads > 1).count();
    assert!(asked > 1, "{FRONTS} isolates read from different shards: {:?}", fronts.reads().await);
}

/// The counts once they include all that was asked before: two beats later.
async fn settled(fronts: &Fronts) -> Vec<u64> {
    let beat = fronts.edge.status().await["beat"].as_u64().expect("a beat");
    fronts.edge.status_where("two beats", 8_000, |status| status["beat"].as_u64() > Some(beat + 2)).await;
    fronts.reads().await
}

/// Every isolate is asked for status, map and event, again and again; answers how many requests were answered.
async fn crowd(fronts: &Fronts, access: &str, long: Duration) -> u64 {
    let end = Instant::now() + long;
    let fans = (0..4 * FRONTS).map(|fan| async move {
        let mut answered = 0;
        while Instant::now() < end {
            for path in ["/status.json", "/seatmap", ""] {
                let (status, text) = fronts.get(fan % FRONTS, path, access).await;
                assert_eq!(status, StatusCode::OK, "{path}: {text}");
                answered += 1;
            }
        }
        answered
    });
    futures::future::join_all(fans).await.into_iter().sum()
}

/// No beat fails, and no shard is left behind. How long ten beats take is printed: ten seconds on a machine with nothing
/// else to do.
#[tokio::test(flavor = "multi_thread")]
async fn one_fan_out_reaches_64_shards() {
    let mut wide = event(now() + 2_000);
    wide["shards"] = 64.into();
    let fronts = Fronts::start(0, wide, |_| {}).await;
    let live = async || fronts.edge.operator(Method::GET, "", Value::Null).await.body;
    fronts.edge.status_where("open", 20_000, |status| status["phase"] == "open").await;
    let (first, started) = (live().await["beat"].as_u64().expect("a beat"), Instant::now());
    while live().await["beat"].as_u64() < Some(first + 10) {
        assert!(started.elapsed() < Duration::from_secs(90), "ten beats in time: {}", live().await);
        sleep_ms(200).await;
    }
    let view = live().await;
    println!("ten beats with 64 shards took {:.1} s", started.elapsed().as_secs_f64());
    assert_eq!(view["failed_beats"], 0, "{view}");
    assert_eq!(view["shards"].as_object().map(serde_json::Map::len), Some(64));
    assert!(view["shards"].as_object().is_some_and(|shards| shards.values().all(|shard| shard["map"] == 7)), "{view}");
}
