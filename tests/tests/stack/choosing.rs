//! A hundred who ask for the best seats at once, on the real functions: how often each has to try.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Origin, Scene};

const ASKERS: u64 = 100;
/// As large as the stadium that an on-sale is sized by is long before it is sold out; a section of the hall has 400 seats.
const SEATS: u32 = 20_000;

/// A hold, and how often it was tried; a call that was told to come again counts like a lost race.
async fn ask(origin: &Origin, number: u64) -> anyhow::Result<(Value, u64)> {
    let mut again = 0;
    let body = json!({ "bestAvailable": { "quantity": 2 } });
    loop {
        let key = format!("key-{number}");
        let answer = origin.send(Method::POST, "/holds", &origin.access(number), &key, &body).await?;
        let (status, body): (u16, Value) = (answer.status().as_u16(), answer.json().await?);
        match (status, body["code"].as_str()) {
            (201, _) => {
                let attempts = body["attempts"].as_u64().unwrap_or_default();
                anyhow::ensure!(attempts > 0, "a hold tells how often it was tried: {body}");
                return Ok((body, again + attempts));
            }
            (_, Some("BUSY" | "UNAVAILABLE")) => again += 1,
            _ => anyhow::bail!("{status} {body}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_at_once_try_one_and_a_half_times_at_most() -> anyhow::Result<()> {
    let scene = Scene::open(SEATS, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let origin = Origin::of(&scene)?;
    let started = std::time::Instant::now();
    let holds = join_all((0..ASKERS).map(|number| ask(&origin, number))).await;
    let took = started.elapsed();
    let holds = holds.into_iter().collect::<anyhow::Result<Vec<_>>>()?;

    let (holds, attempts): (Vec<Value>, Vec<u64>) = holds.into_iter().unzip();
    let (sum, most) = (attempts.iter().sum::<u64>(), attempts.iter().max());
    println!("{ASKERS} askers at once: {sum} attempts, at most {most:?} of one, in {took:?}");
    assert!(sum * 2 <= ASKERS * 3, "{sum} attempts of {ASKERS}");
    let seats = holds.iter().flat_map(|hold| hold["seats"].as_array().cloned().unwrap_or_default());
    let seats: BTreeSet<String> = seats.map(|seat| seat["seat"].to_string()).collect();
    assert_eq!(seats.len() as u64, 2 * ASKERS, "everybody has seats of their own");
    assert!(holds.iter().all(|hold| hold["together"] == true));
    Ok(())
}
