//! The payment provider tells by itself what happened: the only way to learn of it here, since the fan has left and no janitor runs.

use std::time::Duration;

use anyhow::Context;
use domain::items::{InboxItem, OrderState};
use onsale::stack::Part;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::scene::wait;
use tests::{Origin, Scene};

async fn control(scene: &Scene, switches: &Value) -> anyhow::Result<()> {
    let url = format!("{}/_control", scene.stack.payments_url());
    reqwest::Client::new().post(url).json(switches).send().await?.error_for_status()?;
    Ok(())
}

/// What the simulator says of its events of one kind: how often each was sent, and whether it was taken.
async fn sent(scene: &Scene, kind: &str) -> anyhow::Result<Vec<(u64, bool)>> {
    let all: Value = reqwest::get(format!("{}/_events", scene.stack.payments_url())).await?.json().await?;
    let of_kind = all.as_array().into_iter().flatten().filter(|event| event["kind"] == kind);
    Ok(of_kind.map(|event| (event["tries"].as_u64().unwrap_or(0), event["taken"] == true)).collect())
}

async fn state(scene: &Scene) -> anyhow::Result<OrderState> {
    Ok(scene.books().await?.orders.values().next().context("an order")?.state)
}

/// A fan is sent to the bank; answers the bank's page.
async fn sent_to_the_bank(scene: &Scene) -> anyhow::Result<String> {
    let origin = Origin::of(scene)?;
    let access = origin.access(1);
    let held = origin.send(Method::POST, "/holds", &access, "h", &json!({"seats": ["H01-1-1"]})).await?;
    let held: Value = held.error_for_status()?.json().await?;
    let wish = json!({"hold": held["hold"], "paymentMethod": "pm_card_threeDSecure2Required"});
    let order = origin.send(Method::POST, "/orders", &access, "o", &wish).await?;
    assert_eq!(order.status(), StatusCode::ACCEPTED);
    let order: Value = order.json().await?;
    Ok(order["action"]["url"].as_str().context("the bank's page")?.to_owned())
}

const AUTHORIZED: &str = "payment_intent.amount_capturable_updated";

/// While events are kept back nothing moves: that is the twin. Then the box office is down, so the first deliveries fail.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_finishes_an_order_though_the_box_office_was_down_at_first() -> anyhow::Result<()> {
    let scene = Scene::with(20, Duration::ZERO, |options| options.janitor_every = Duration::from_secs(3_600)).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    control(&scene, &json!({"hold_events": true})).await?;
    let bank = sent_to_the_bank(&scene).await?;
    reqwest::Client::new().post(bank).form(&[("answer", "yes")]).send().await?;
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(state(&scene).await?, OrderState::Paying, "authorized, and nobody knows");

    scene.stack.kill(Part::Booking).await?;
    control(&scene, &json!({"hold_events": false, "event_copies": 2})).await?;
    wait("deliveries that fail", Duration::from_secs(30), async || {
        Ok(sent(&scene, AUTHORIZED).await?.iter().any(|(tries, taken)| *tries >= 2 && !taken))
    })
    .await?;
    scene.stack.start_part(Part::Booking).await?;
    let books = scene.at_rest(Duration::from_secs(60)).await?;
    assert_eq!(books.orders.values().map(|order| order.state).collect::<Vec<_>>(), [OrderState::Delivered]);
    wait("copies of the event", Duration::from_secs(30), async || {
        let items = scene.stack.table().scan().await?;
        let kept = items.iter().filter_map(|item| InboxItem::from_item(item).ok());
        Ok(kept.filter(|item| item.kind == AUTHORIZED).map(|item| item.times).eq([3]))
    })
    .await?;
    let captures = books.payments.iter().filter(|payment| payment.received_minor > 0).count();
    assert_eq!(captures, 1, "once, however often it was told");
    Ok(())
}
