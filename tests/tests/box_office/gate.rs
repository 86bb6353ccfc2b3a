//! The gate's list and kit, with tickets as fans get them.

use anyhow::{Context as _, Result};
use capture_lambda::settle::Settle;
use checkout::wall_now;
use domain::gate::Verdict;
use domain::time::WallMs;
use onsale::gate::{Kit, list};
use serde_json::json;

use crate::after_sale::{batch, buys};
use crate::bench::{Bench, Fan};

/// The payload of the fan's one ticket.
async fn payload(bench: &Bench, fan: &Fan) -> Result<String> {
    let (status, orders) = bench.call(fan, "GET", "orders", None).await?;
    anyhow::ensure!(status == 200, "{orders}");
    let order = orders["orders"][0]["order"].as_str().context("an order")?.to_owned();
    let (_, order) = bench.call(fan, "GET", &format!("orders/{order}"), None).await?;
    Ok(order["tickets"][0]["payload"].as_str().context("a ticket")?.to_owned())
}

async fn kit(bench: &Bench, folder: &std::path::Path, issued: WallMs) -> Result<()> {
    let list = list(&bench.table, &bench.app.keys, &bench.event, issued).await?.context("an event")?;
    let seed = bench.app.keys.signing_key(domain::keys::KeyKind::Ticket, &bench.event);
    let key = domain::status::public_key(&seed);
    let announced = json!({"id": bench.event, "ticket_keys": [{"id": bench.app.keys.signing_id(), "key": key}]});
    Ok(Kit::write(folder, &announced.to_string(), &list, "{}")?)
}

#[tokio::test]
async fn a_ticket_that_was_given_back_stays_out_and_the_next_one_goes_in() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let first = payload(&bench, &ada).await?;
    let folder = tempfile::tempdir()?;
    let now = wall_now();

    kit(&bench, folder.path(), now).await?;
    assert_eq!(Kit::open(folder.path(), "north")?.scan(&first, now)?.said, Verdict::Admitted);
    assert_eq!(Kit::open(folder.path(), "north")?.scan(&first, now)?.said, Verdict::Already, "it is on the disk");

    give_back(&bench, &ada).await?;
    assert_eq!(buys(&bench, &bo, "A-1-1").await?, 201);
    let second = payload(&bench, &bo).await?;
    // The twin: a device with the old list cannot know, and lets both in.
    let other = tempfile::tempdir()?;
    std::fs::copy(folder.path().join("event.json"), other.path().join("event.json"))?;
    std::fs::copy(folder.path().join("gate.json"), other.path().join("gate.json"))?;
    let mut old = Kit::open(other.path(), "south")?;
    assert_eq!(old.scan(&first, now)?.said, Verdict::Admitted);
    assert_eq!(old.scan(&second, now)?.said, Verdict::Admitted);
    drop(old);

    kit(&bench, folder.path(), now.plus(1)).await?;
    let mut north = Kit::open(folder.path(), "north")?;
    assert_eq!(north.scan(&first, now)?.said, Verdict::Revoked);
    assert_eq!(north.scan(&second, now)?.said, Verdict::Admitted);
    drop(north);
    let report = Kit::meet(folder.path(), &[other.path().join("scans.jsonl")])?.report();
    assert_eq!((report.scans, report.tickets, report.doubles), (6, 2, 2), "two were let in at both gates");
    kit(&bench, folder.path(), now).await?;
    assert!(Kit::open(folder.path(), "north").is_err(), "an older list is not gone back to");
    Ok(())
}

async fn give_back(bench: &Bench, fan: &Fan) -> Result<()> {
    let (_, orders) = bench.call(fan, "GET", "orders", None).await?;
    let order = orders["orders"][0]["order"].as_str().context("an order")?.to_owned();
    let path = format!("orders/{order}/cancellation");
    assert_eq!(bench.call_under("back", fan, "POST", &path, None).await?.0, 202);
    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    settle.handle(&batch(bench, &["order"]).await?).await;
    Ok(())
}
