//! The stadium's map as the edge serves it: its bytes, and how long a reader waits for them.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::map::chart::{Chart, Document, Part, Sheet, version_of};
use domain::map::code::Rows;
use domain::map::{Packed, pack};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::door::minted;
use crate::edge::{EVENT, Edge, MASTER_KEYS, now, sleep_ms};

#[path = "../../../domain/tests/seatmap/stadium.rs"]
mod plan;
#[path = "../../../domain/tests/seatmap/sales.rs"]
mod sales;

/// A version as large as that of a stadium whose seats changed three times each.
const VERSION: i64 = (3 * 39_350) << 16;

/// A map of the stadium, as a shop sends it.
fn sheet(sections: &[Rows], states: &[u8], version: i64) -> Value {
    let mut rest = states;
    let section = |(n, rows): (usize, &Rows)| {
        let (own, after) = rest.split_at(rows.iter().sum());
        rest = after;
        let state = |state: &u8| [Packed::Free, Packed::Held, Packed::Sold, Packed::Blocked][usize::from(*state)];
        let states = STANDARD.encode(pack(&own.iter().map(state).collect::<Vec<_>>()));
        (format!("S{n:03}"), json!({ "rows": rows, "states": states }))
    };
    let sections: serde_json::Map<String, Value> = sections.iter().enumerate().map(section).collect();
    json!({ "version": version, "sections": sections, "pools": { "floor": { "free": 1_940 } } })
}

async fn get(edge: &Edge, query: &str) -> (StatusCode, Vec<u8>) {
    let access = minted(MASTER_KEYS, EVENT, now() + 600_000);
    let url = format!("{}/v1/events/{EVENT}/seatmap{query}", edge.workerd.url());
    let answer = reqwest::Client::new().get(url).header("X-Access-Token", access).send().await.expect("an answer");
    (answer.status(), answer.bytes().await.expect("a body").to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stadium_is_served_in_the_bytes_that_were_measured() {
    let sections = plan::rows();
    let states = |clumped: bool, share: f64| match clumped {
        true => sales::clumped(&sections, share, 1),
        false => sales::independent(&sections, share, 1),
    };
    let cases = [(false, 0.02), (false, 0.5), (false, 0.95), (true, 0.02), (true, 0.5), (true, 0.95)];
    let edge = Edge::showing(sheet(&sections, &states(true, 0.0), VERSION), Value::Null).await;
    let mut version = VERSION;
    for (clumped, share) in cases {
        version += 1 << 16;
        let sent = sheet(&sections, &states(clumped, share), version);
        edge.origin.show(sent.clone(), Value::Null);
        let end = now() + 30_000;
        let since = version - (1 << 16);
        while get(&edge, &format!("?since={since}")).await.0 != StatusCode::OK {
            assert!(now() < end, "a new map in time");
            sleep_ms(100).await;
        }
        let started = Instant::now();
        let (status, bytes) = get(&edge, "").await;
        let took = started.elapsed();
        assert_eq!((status, version_of(&bytes)), (StatusCode::OK, Some(version.unsigned_abs())));
        let chart = Chart::after(None, Sheet::read(&sent).expect("a map"));
        assert_eq!(bytes, chart.write(&Part::Whole), "the very bytes of which domain's tests compare the length");
        println!("clumped {clumped}, {share} taken: {} bytes served, the first time in {took:.1?}", bytes.len());
    }
    let mut some = states(true, 0.95);
    let free: Vec<usize> = (0..some.len()).filter(|seat| some[*seat] == 0).step_by(40).take(40).collect();
    free.iter().for_each(|seat| some[*seat] = 1);
    edge.origin.show(sheet(&sections, &some, version + (1 << 16)), Value::Null);
    let end = now() + 30_000;
    let bytes = loop {
        let (status, bytes) = get(&edge, &format!("?since={version}")).await;
        if status == StatusCode::OK {
            break bytes;
        }
        assert!(now() < end, "a new map in time");
        sleep_ms(100).await;
    };
    let document = Document::read(&bytes, &sections).expect("a part of the map");
    println!("{} more seats in {} sections: {} bytes", free.len(), document.sections.len(), bytes.len());
    assert!(!document.whole && document.sections.len() <= free.len());
}
