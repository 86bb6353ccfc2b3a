//! Processes die at the worst moments; after a restart every order ends and every place is given once.

use std::time::Duration;

use domain::items::{OrderState, TicketState};
use domain::provider::Intent;
use onsale::audit::Books;
use onsale::fan::api::InLine;
use onsale::stack::Part;
use serde_json::{Value, json};
use tests::Scene;
use tests::scene::wait;

async fn control(scene: &Scene, faults: &Value) -> anyhow::Result<()> {
    let url = format!("{}/_control", scene.stack.payments_url());
    reqwest::Client::new().post(url).json(faults).send().await?.error_for_status()?;
    Ok(())
}

/// Waits until the provider has set money aside, or taken it, for at least `count` payments.
async fn provider_shows(scene: &Scene, what: &str, count: usize, taken: bool) -> anyhow::Result<()> {
    wait(what, Duration::from_secs(30), async || {
        let payments = scene.target.payments.list().await?.intents;
        let amount = |payment: &Intent| if taken { payment.received_minor } else { payment.authorized_minor };
        Ok(payments.iter().filter(|payment| amount(payment) > 0).count() >= count)
    })
    .await
}

/// A fan inside with a hold of one seat: access token and hold.
async fn holder(scene: &Scene, name: &str, seat: &str) -> anyhow::Result<(String, String)> {
    let account = scene.accounts(&[name]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    let hold = scene.api().hold(&access, "hold", &json!({ "seats": [seat] })).await.0?;
    Ok((access, hold.hold))
}

pub fn captured_once(books: &Books) {
    for order in books.orders.values().filter(|order| order.state == OrderState::Delivered) {
        let own = Some(order.id.to_string());
        let takes = books.payments.iter().filter(|p| p.order == own && p.received_minor > 0);
        assert_eq!(takes.map(|p| p.received_minor).collect::<Vec<_>>(), [order.total_minor], "one capture each");
        let valid = books.tickets.values().filter(|t| t.order == order.id && t.state == TicketState::Valid);
        assert_eq!(valid.count(), order.places.seats.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settle_dies_in_the_middle_of_a_batch() -> anyhow::Result<()> {
    let scene = Scene::open(40, Duration::ZERO).await?;
    control(&scene, &json!({ "delay_ms": { "capture": 3_000 } })).await?;
    for number in 1..=4 {
        let (access, hold) = holder(&scene, &format!("fan-{number}"), &format!("H01-1-{number}")).await?;
        assert_eq!(scene.api().order(&access, "order", &hold, "pm_card_visa").await?.state, "confirmed");
    }
    provider_shows(&scene, "a capture whose answer is still under way", 1, true).await?;
    scene.stack.kill(Part::Settle).await?;
    control(&scene, &json!({ "delay_ms": {} })).await?;
    scene.stack.start_part(Part::Settle).await?;
    let books = scene.at_rest(Duration::from_secs(60)).await?;
    assert_eq!(books.orders.values().filter(|order| order.state == OrderState::Delivered).count(), 4);
    captured_once(&books);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn booking_dies_between_authorize_and_sell() -> anyhow::Result<()> {
    let scene = Scene::open(40, Duration::ZERO).await?;
    let (access, hold) = holder(&scene, "fan", "H01-1-1").await?;
    control(&scene, &json!({ "delay_ms": { "confirm": 20_000 } })).await?;
    let api = scene.api().clone();
    let paying = tokio::spawn(async move { api.order(&access, "order", &hold, "pm_card_visa").await });
    provider_shows(&scene, "an authorization whose answer is still under way", 1, false).await?;
    scene.stack.kill(Part::Booking).await?;
    assert!(paying.await?.is_err(), "the fan is told to try again");
    control(&scene, &json!({ "delay_ms": {} })).await?;
    scene.stack.start_part(Part::Booking).await?;
    let books = scene.at_rest(Duration::from_secs(90)).await?;
    assert_eq!(books.orders.len(), 1);
    captured_once(&books);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pacer_dies_between_cut_and_close() -> anyhow::Result<()> {
    let scene = Scene::open(40, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    let mut entries = Vec::new();
    for round in 0..5 {
        let names: Vec<String> = (0..8).map(|n| format!("fan-{round}-{n}")).collect();
        let accounts = scene.api().rehearsal_accounts(scene.operator_key(), &names).await?;
        // An error here is the crash itself: the answer of the request that met it.
        let _ = scene.api().desk(scene.operator_key()).order("faults", &json!({ "panic": "after_cut" })).await;
        for account in &accounts {
            entries.push(joined(&scene, account).await?);
        }
        if round == 2 {
            scene.stack.kill(Part::Edge).await?;
            scene.stack.start_part(Part::Edge).await?;
        }
    }
    numbered_once_and_without_gap(&scene, &entries).await
}

/// Joins, however often a crash takes the answer away.
async fn joined(scene: &Scene, account: &str) -> anyhow::Result<InLine> {
    let mut entry = None;
    wait("an entry in the line", Duration::from_secs(30), async || {
        entry = scene.api().join(account).await.ok();
        Ok(entry.is_some())
    })
    .await?;
    Ok(entry.expect("waited for it"))
}

async fn numbered_once_and_without_gap(scene: &Scene, entries: &[InLine]) -> anyhow::Result<()> {
    let mut places = Vec::new();
    for entry in entries {
        let mut place = None;
        wait("a number", Duration::from_secs(40), async || {
            place = scene.api().line(&entry.token).await.ok().and_then(|entry| entry.place);
            Ok(place.is_some())
        })
        .await?;
        places.extend(place);
    }
    places.sort_unstable();
    assert_eq!(places, (1..=entries.len() as u64).collect::<Vec<_>>(), "each place once, no gap");
    Ok(())
}
