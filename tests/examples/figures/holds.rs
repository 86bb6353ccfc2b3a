//! How long a hold of two seats takes, asked of the booking function by several callers at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use futures::future::join_all;
use onsale::rehearse::report::percentile;
use reqwest::Method;
use serde_json::json;
use tests::Origin;

/// Holds measured at each number of callers.
const HOLDS: u64 = 320;

/// One line for each number of callers. Every hold is of two free seats by an account of its own.
pub async fn at_callers(origin: &Origin, callers: &[u64]) -> anyhow::Result<()> {
    let next = AtomicU64::new(0);
    for &count in callers {
        let all = join_all((0..count).map(|_| caller(origin, &next, HOLDS / count))).await;
        let mut ms: Vec<f64> = all.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
        ms.sort_by(f64::total_cmp);
        let (p50, p99) = (percentile(&ms, 0.50), percentile(&ms, 0.99));
        println!("| hold of 2 seats, {count} callers, embedded emulator, p50 / p99 | {p50:.1} / {p99:.1} ms |");
    }
    Ok(())
}

async fn caller(origin: &Origin, next: &AtomicU64, holds: u64) -> anyhow::Result<Vec<f64>> {
    let mut ms = Vec::new();
    for _ in 0..holds {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let body = json!({ "seats": pair(number) });
        let started = Instant::now();
        let answer = origin.send(Method::POST, "/holds", &origin.access(number), &format!("k{number}"), &body).await?;
        let status = answer.status();
        anyhow::ensure!(status == 201, "{status}: {}", answer.text().await?);
        ms.push(started.elapsed().as_secs_f64() * 1_000.0);
    }
    Ok(ms)
}

/// The `number`-th pair of neighbours of the rehearsal hall: rows of 20, sections of 20 rows.
fn pair(number: u64) -> [String; 2] {
    let (section, row, seat) = (number / 200 + 1, number / 10 % 20 + 1, number % 10 * 2 + 1);
    [seat, seat + 1].map(|seat| format!("H{section:02}-{row}-{seat}"))
}
