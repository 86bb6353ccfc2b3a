//! Requests a second of a route, by clients that ask again as soon as they are answered.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

/// The status file beside a static text of the same worker; medians of alternating rounds.
pub async fn status_against_text(edge: &str, event: &str) -> anyhow::Result<()> {
    let (text_url, status_url) = (format!("{edge}/v1/ping"), format!("{edge}/v1/events/{event}/status.json"));
    let (mut text, mut status) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        text.push(per_second(&text_url).await?);
        status.push(per_second(&status_url).await?);
    }
    let (text, status) = (median(text), median(status));
    println!("| static text, requests/s, {CONNECTIONS} connections | {text:.0} |");
    println!("| status file, requests/s, the same run | {status:.0} |");
    println!("| status file ÷ static text | {:.2} |", status / text);
    Ok(())
}

async fn per_second(url: &str) -> anyhow::Result<f64> {
    let client = reqwest::Client::new();
    let (started, mut clients) = (Instant::now(), JoinSet::new());
    for _ in 0..CONNECTIONS {
        clients.spawn(ask_until(client.clone(), url.to_owned(), started + ROUND));
    }
    let mut answered = 0;
    while let Some(count) = clients.join_next().await {
        answered += count??;
    }
    Ok(answered as f64 / started.elapsed().as_secs_f64())
}

async fn ask_until(client: reqwest::Client, url: String, end: Instant) -> anyhow::Result<u64> {
    let mut answered = 0;
    while Instant::now() < end {
        client.get(&url).send().await?.error_for_status()?.bytes().await?;
        answered += 1;
    }
    Ok(answered)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
