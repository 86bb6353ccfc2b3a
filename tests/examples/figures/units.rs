//! What an order writes: transactions and write units of each stage, as the table itself tells, beside the arithmetic. It fails where
//! they are a tenth apart.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, ensure};
use domain::items::OrderState;
use domain::sizing::units::{Stage, units};
use futures::future::try_join_all;
use onsale::dynamo::Embedded;
use onsale::rehearse::report::percentile;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::bench::{Bench, Fan};
use crate::meter::{Meter, Write};

/// Buyers of the same seats.
const BUYERS: usize = 10;
/// Orders of two seats whose holds and checkouts are timed, at each number of callers.
const TIMED: usize = 160;

/// Measures on the embedded emulator: AWS's DynamoDB Local does not count transactions by the item.
pub async fn measure() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let own = Embedded::start(TcpListener::bind("127.0.0.1:0").await?, &folder.path().join("behind"))?;
    let (meter, url) = Meter::start(&own.url()).await?;
    let bench = Bench::over(60, 20, 8, &url).await?;
    println!(
        "| an order of | transactions | write units: hold, claim, intent, sale, capture, delivery | in all | arithmetic | indexes |\n|---|---|---|---|---|---|"
    );
    for (row, seats) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
        one_order(&bench, &meter, row, seats).await?;
    }
    losers(&bench, &meter).await?;
    times(&bench).await
}

fn seats(row: usize, from: usize, count: usize) -> Value {
    json!((from..from + count).map(|n| format!("A-{row}-{n}")).collect::<Vec<_>>())
}

async fn hold(bench: &Bench, fan: &Fan, seats: &Value) -> anyhow::Result<Option<String>> {
    let (status, body) = bench.call(fan, "POST", "holds", Some(&json!({ "seats": seats }))).await?;
    ensure!(status == 201 || body["code"] == "SEATS_TAKEN", "{status} {body}");
    Ok(body["hold"].as_str().map(str::to_owned))
}

async fn pay(bench: &Bench, fan: &Fan, hold: &str) -> anyhow::Result<()> {
    let body = json!({ "hold": hold, "paymentMethod": "pm_card_visa" });
    let (status, told) = bench.call_under("o", fan, "POST", "orders", Some(&body)).await?;
    ensure!(status == 201, "{status} {told}");
    Ok(())
}

async fn one_order(bench: &Bench, meter: &Meter, row: usize, count: usize) -> anyhow::Result<()> {
    let fan = bench.fan(&format!("fan of {count}"));
    meter.taken();
    let held = hold(bench, &fan, &seats(row, 1, count)).await?.context("free seats")?;
    let mut writes = meter.taken();
    pay(bench, &fan, &held).await?;
    writes.extend(meter.taken());
    let order = bench.order(&fan, "o").await?.context("an order")?;
    let done = bench.checkout.advance(&order.id, &bench.terms().await?).await?;
    ensure!(done.state == OrderState::Delivered, "{}", done.state);
    writes.extend(meter.taken());
    ensure!(writes.iter().all(|write| !write.refused), "{writes:?}");
    let told: Vec<String> = writes.iter().map(|write| format!("{}", write.table)).collect();
    let expect: f64 = Stage::ALL.iter().map(|stage| units(*stage, count as u32)).sum();
    let (table, indexes) = sums(&writes);
    ensure!((table - expect).abs() <= expect / 10.0, "{table} units, by arithmetic {expect}");
    println!(
        "| {count} | {} | {} | {table} | {expect} ({:+.0} %) | {indexes} |",
        writes.iter().filter(|write| write.transaction).count(),
        told.join(", "),
        100.0 * (table - expect) / expect
    );
    Ok(())
}

fn sums(writes: &[Write]) -> (f64, f64) {
    (writes.iter().map(|write| write.table).sum(), writes.iter().map(|write| write.indexes).sum())
}

/// Ten want the same two seats at once: one gets them. What refused transactions consume is not told, so it is counted by DynamoDB's
/// rule: as if they had written.
async fn losers(bench: &Bench, meter: &Meter) -> anyhow::Result<()> {
    meter.taken();
    let fans: Vec<Fan> = (0..BUYERS).map(|n| bench.fan(&format!("buyer {n}"))).collect();
    let wanted = seats(5, 1, 2);
    let all = try_join_all(fans.iter().map(|fan| hold(bench, fan, &wanted))).await?;
    ensure!(all.iter().flatten().count() == 1, "one has the seats");
    let (lost, won): (Vec<Write>, Vec<Write>) = meter.taken().into_iter().partition(|write| write.refused);
    let counted: usize = lost.iter().map(|write| 2 * write.items).sum();
    println!(
        "\n{BUYERS} buyers of the same two seats: {} transactions won with {} units, {} lost with {counted} units by DynamoDB's rule",
        won.len(),
        sums(&won).0,
        lost.len()
    );
    Ok(())
}

/// A hold of two seats and its payment until it is sold, by the function's own handler in this process.
async fn times(bench: &Bench) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    for callers in [1, 16] {
        let all = try_join_all((0..callers).map(|_| caller(bench, &next, TIMED / callers))).await?;
        let (holds, checkouts): (Vec<f64>, Vec<f64>) = all.into_iter().flatten().unzip();
        for (what, mut ms) in [("hold", holds), ("checkout", checkouts)] {
            ms.sort_by(f64::total_cmp);
            let (p50, p99) = (percentile(&ms, 0.5), percentile(&ms, 0.99));
            println!("{what} of 2 seats, {callers} callers, in process, p50 / p99: {p50:.1} / {p99:.1} ms");
        }
    }
    Ok(())
}

async fn caller(bench: &Bench, next: &AtomicUsize, orders: usize) -> anyhow::Result<Vec<(f64, f64)>> {
    let mut ms = Vec::new();
    for _ in 0..orders {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let (fan, wanted) = (bench.fan(&format!("timed {n}")), seats(6 + n / 10, 1 + n % 10 * 2, 2));
        let begun = Instant::now();
        let held = hold(bench, &fan, &wanted).await?.context("free seats")?;
        let after = Instant::now();
        pay(bench, &fan, &held).await?;
        ms.push(((after - begun).as_secs_f64() * 1e3, after.elapsed().as_secs_f64() * 1e3));
    }
    Ok(ms)
}
