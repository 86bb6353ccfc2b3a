//! The waiting list on the whole stack: a cancelled order's seats go to the first in the line, and on to the next when the first
//! does nothing.

use std::time::Duration;

use anyhow::{Context as _, Result};
use domain::ids::HoldId;
use domain::items::{attr, key};
use domain::plan::{Cond, Plan, Update, Write};
use domain::waiting::OFFER_MS;
use reqwest::Method;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};
use tests::Scene;
use tests::scene::wait;

const SOON: Duration = Duration::from_secs(40);

/// A fan whose turn has come.
struct Fan {
    place: u64,
    access: String,
}

async fn fan(scene: &Scene, account: &str) -> Result<Fan> {
    let access = scene.admitted(account).await?;
    let place = scene.numbered(account).await?.place.context("a number")?;
    Ok(Fan { place, access })
}

async fn list(scene: &Scene, fan: &Fan, method: Method) -> Result<(u16, Option<String>, Value)> {
    let ask = scene.api().raw(method.clone(), "/waiting").header("x-access-token", &fan.access);
    let ask = if method == Method::POST { ask.json(&json!({ "quantity": 2 })) } else { ask };
    let answer = ask.send().await?;
    let cookie = answer.headers().get(SET_COOKIE).map(|value| value.to_str().map(str::to_owned)).transpose()?;
    Ok((answer.status().as_u16(), cookie, answer.json().await.unwrap_or_default()))
}

/// The list as a fan sees it once its state is this.
async fn until(scene: &Scene, fan: &Fan, state: &str) -> Result<(Option<String>, Value)> {
    let mut seen = (None, Value::Null);
    let waited = wait(state, SOON, async || {
        let (_, cookie, body) = list(scene, fan, Method::GET).await?;
        seen = (cookie, body);
        Ok(seen.1["state"] == state)
    });
    waited.await.with_context(|| format!("{seen:?}"))?;
    Ok(seen)
}

/// The offer's twenty minutes are over.
async fn passes(scene: &Scene, offer: &Value) -> Result<()> {
    let hold: HoldId = offer["hold"].as_str().context("a hold")?.parse()?;
    let over = offer["until_ms"].as_i64().context("a time")? - OFFER_MS - 1_000;
    let update = Update::new().set(attr::UNTIL, over).set(attr::OPEN_AT, over);
    let plan = Plan::new(vec![Write::update(key::hold(&hold), Cond::Exists, update)]);
    scene.stack.table().commit(&plan).await.map_err(|error| anyhow::anyhow!("{error:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_orders_seats_go_to_the_first_in_line_and_on_to_the_next() -> Result<()> {
    let scene = Scene::selling(2, Duration::ZERO, |_| {}, |event| event.limits.waiting_list = true).await?;
    let accounts = scene.accounts(&["ada", "bo", "cyd"]).await?;
    let mut fans = Vec::new();
    for account in &accounts {
        fans.push(fan(&scene, account).await?);
    }
    let ada = fans.remove(0);
    fans.sort_by_key(|fan| fan.place);
    let (first, second) = (&fans[0], &fans[1]);
    let (hold, _) = scene.api().hold(&ada.access, "h", &json!({ "seats": ["H01-1-1", "H01-1-2"] })).await;
    let sold = scene.api().order(&ada.access, "o", &hold?.hold, "pm_card_visa").await?;
    // The one behind comes first.
    for fan in [second, first] {
        wait("a place on the list", SOON, async || Ok(list(&scene, fan, Method::POST).await?.0 == 201)).await?;
    }
    let (_, none, waits) = list(&scene, second, Method::GET).await?;
    assert_eq!((none, &waits["state"], &waits["ahead"]), (None, &json!("waiting"), &json!(1)), "{waits}");

    wait("a captured order", SOON, async || {
        Ok(["captured", "delivered"].contains(&scene.api().order_state(&ada.access, &sold.order).await?.state.as_str()))
    })
    .await?;
    let path = format!("/orders/{}/cancellation", sold.order);
    let back = scene.api().raw(Method::POST, &path).header("x-access-token", &ada.access);
    let back = back.header("idempotency-key", "back").send().await?;
    assert_eq!(back.status().as_u16(), 202, "{}", back.text().await?);
    let (cookie, offer) = until(&scene, first, "offered").await?;
    assert!(cookie.is_some_and(|cookie| cookie.starts_with("onsale_access_rehearsal=")), "{offer}");
    assert_eq!(list(&scene, second, Method::GET).await?.2["state"], "waiting", "one offer, however many pulses");

    passes(&scene, &offer).await?;
    let (_, next) = until(&scene, second, "offered").await?;
    assert_eq!(list(&scene, first, Method::GET).await?.2["state"], "lapsed");
    let token = next["access_token"].as_str().context("a token")?;
    let hold = next["hold"].as_str().context("a hold")?;
    let bought = scene.api().order(token, "w", hold, "pm_card_visa").await?;
    assert_eq!(bought.seats.len(), 2);
    assert_eq!(list(&scene, second, Method::GET).await?.2["state"], "taken");
    scene.at_rest(SOON).await?;
    Ok(())
}
