//! Many want the same seats at once.

use std::time::Duration;

use domain::items::{Seat, SeatState};
use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{Origin, Scene};

const WANTED: [&str; 5] = ["H01-1-1", "H01-1-2", "H01-1-3", "H01-1-4", "H01-1-5"];

async fn ask(origin: &Origin, number: u64) -> anyhow::Result<(StatusCode, Value)> {
    let body = json!({ "seats": WANTED });
    let answer = origin.send(Method::POST, "/holds", &origin.access(number), &format!("key-{number}"), &body).await?;
    Ok((answer.status(), answer.json().await?))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_ask_for_the_same_five_seats() -> anyhow::Result<()> {
    let scene = Scene::open(40, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let origin = Origin::of(&scene)?;
    let answers = join_all((0..200).map(|number| ask(&origin, number))).await;
    let answers = answers.into_iter().collect::<anyhow::Result<Vec<_>>>()?;

    let winners: Vec<&Value> =
        answers.iter().filter(|(status, _)| *status == StatusCode::CREATED).map(|(_, b)| b).collect();
    assert_eq!(winners.len(), 1, "exactly one hold wins");
    for (status, body) in answers.iter().filter(|(status, _)| *status != StatusCode::CREATED) {
        assert_eq!((status.as_u16(), body["code"].as_str()), (409, Some("SEATS_TAKEN")), "{body}");
        let named: Vec<&str> = body["seats"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(!named.is_empty() && named.iter().all(|seat| WANTED.contains(seat)), "{body} names the seats");
    }
    let winner = winners[0]["hold"].as_str();
    let held: Vec<Seat> =
        scene.stack.table().scan().await?.iter().filter_map(|item| Seat::from_item(item).ok()).collect();
    let held: Vec<&Seat> = held.iter().filter(|seat| seat.state == SeatState::Held).collect();
    assert_eq!(held.len(), WANTED.len());
    assert!(held.iter().all(|seat| seat.hold.map(|hold| hold.to_string()).as_deref() == winner));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_gives_the_same_hold_and_another_body_is_refused() -> anyhow::Result<()> {
    let scene = Scene::open(40, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let origin = Origin::of(&scene)?;
    let (first, second) = (ask(&origin, 1).await?, ask(&origin, 1).await?);
    assert_eq!((first.0, second.0), (StatusCode::CREATED, StatusCode::CREATED), "{} {}", first.1, second.1);
    assert_eq!(first.1["hold"], second.1["hold"]);
    let other = json!({ "seats": ["H01-2-1"] });
    let answer = origin.send(Method::POST, "/holds", &origin.access(1), "key-1", &other).await?;
    let (status, body): (u16, Value) = (answer.status().as_u16(), answer.json().await?);
    assert_eq!((status, body["code"].as_str()), (422, Some("IDEMPOTENCY_MISMATCH")));
    Ok(())
}
