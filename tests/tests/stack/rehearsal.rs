//! A whole evening: more fans than seats.

use std::time::Duration;

use onsale::rehearse::{Script, rehearse};
use tests::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn three_hundred_fans_buy_out_a_hundred_seats() -> anyhow::Result<()> {
    let scene = Scene::open(100, Duration::from_secs(6)).await?;
    let report = rehearse(&scene.target, &Script::brisk(300, 1)).await?;
    let shown = serde_json::to_string_pretty(&report)?;
    println!("{shown}");
    assert_eq!((report.fans, report.seats, report.sold), (300, 100, 100), "sold out: {shown}");
    assert_eq!((report.double_sold, report.places_duplicated, report.places_lost), (0, 0, 0), "{shown}");
    assert_eq!(report.captured, report.orders_confirmed, "{shown}");
    assert_eq!(report.findings, [], "nothing is left over");
    assert!(report.invariants_ok);
    tokio::time::timeout(Duration::from_secs(30), scene.stack.drained()).await?;
    Ok(())
}
