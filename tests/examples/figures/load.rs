//! Requests a second and processor time of a request, by clients that ask again as soon as they are answered.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use tokio::task::JoinSet;

use crate::cpu;

const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

/// What is asked, of which process, and what the answer is.
#[derive(Clone)]
pub struct Ask {
    /// Its name in the table.
    pub what: &'static str,
    /// The process that answers.
    pub pid: u32,
    /// Method.
    pub method: Method,
    /// Address.
    pub url: String,
    /// An access token, or none.
    pub access: String,
    /// The answer's status.
    pub status: StatusCode,
}

/// Each beside the first, in alternating rounds of one run; medians. What a process uses without any request, for its
/// heartbeat, is not counted.
pub async fn compare(asks: &[Ask]) -> anyhow::Result<()> {
    // The runtime compiles what is hot while it runs.
    let mut idle = BTreeMap::new();
    for ask in asks {
        round(ask, 0.0).await?;
        idle.insert(ask.pid, 0.0);
    }
    for (pid, ms_per_s) in &mut idle {
        *ms_per_s = idle_ms_per_s(*pid).await?;
    }
    let mut rounds = vec![(Vec::new(), Vec::new()); asks.len()];
    for _ in 0..ROUNDS {
        for (ask, (rates, costs)) in asks.iter().zip(&mut rounds) {
            let (rate, us) = round(ask, idle.get(&ask.pid).copied().unwrap_or_default()).await?;
            rates.push(rate);
            costs.push(us);
        }
    }
    let found: Vec<(f64, f64)> = rounds.into_iter().map(|(rates, costs)| (median(rates), median(costs))).collect();
    let (base_rate, base_us) = found.first().copied().unwrap_or((1.0, 1.0));
    for (ask, (rate, us)) in asks.iter().zip(&found) {
        println!(
            "| {}, requests/s · CPU µs a request · ratios | {rate:.0} · {us:.0} · {:.2} · {:.2} |",
            ask.what,
            rate / base_rate,
            us / base_us
        );
    }
    Ok(())
}

async fn idle_ms_per_s(pid: u32) -> anyhow::Result<f64> {
    let before = cpu::used_ms(pid)?;
    tokio::time::sleep(2 * ROUND).await;
    Ok((cpu::used_ms(pid)? - before) / (2 * ROUND).as_secs_f64())
}

/// Requests a second, and microseconds of processor time that the answering process used for one.
async fn round(ask: &Ask, idle_ms_per_s: f64) -> anyhow::Result<(f64, f64)> {
    let (client, started, mut clients) = (Client::new(), Instant::now(), JoinSet::new());
    let before = cpu::used_ms(ask.pid)?;
    for _ in 0..CONNECTIONS {
        clients.spawn(ask_until(client.clone(), ask.clone(), started + ROUND));
    }
    let mut answered = 0;
    while let Some(count) = clients.join_next().await {
        answered += count??;
    }
    let (seconds, used) = (started.elapsed().as_secs_f64(), cpu::used_ms(ask.pid)? - before);
    Ok((answered as f64 / seconds, (used - idle_ms_per_s * seconds) * 1_000.0 / answered as f64))
}

async fn ask_until(client: Client, ask: Ask, end: Instant) -> anyhow::Result<u64> {
    let mut answered = 0;
    while Instant::now() < end {
        let request = client.request(ask.method.clone(), &ask.url);
        let request = if ask.access.is_empty() { request } else { request.header("X-Access-Token", &ask.access) };
        let answer = request.send().await?;
        anyhow::ensure!(answer.status() == ask.status, "{}: {}", ask.what, answer.status());
        answer.bytes().await?;
        answered += 1;
    }
    Ok(answered)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
