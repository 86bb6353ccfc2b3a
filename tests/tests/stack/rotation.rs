//! Master keys change in the middle of an on-sale: nobody is dropped, and no draw changes.

use std::time::Duration;

use domain::draw::{DrawFile, file_hash};
use domain::ids::EventId;
use domain::keys::{KeyKind, MasterKeys};
use domain::status::Status;
use onsale::fan::api::{OrderView, StatusView};
use reqwest::Method;
use serde_json::{Value, json};
use tests::Scene;

const NEW: &str = "2:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8";

async fn text(scene: &Scene, path: &str) -> anyhow::Result<String> {
    Ok(scene.api().raw(Method::GET, path).send().await?.error_for_status()?.text().await?)
}

async fn detail(scene: &Scene) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(&text(scene, "").await?)?)
}

/// Ids of the published keys of a kind, and the keys.
fn published(detail: &Value, kind: &str) -> Vec<(u64, String)> {
    let one = |key: &Value| (key["id"].as_u64().expect("an id"), key["key"].as_str().expect("a key").to_owned());
    detail[kind].as_array().expect("a list").iter().map(one).collect()
}

/// Buys a seat with an access token; the order has its ticket.
async fn buys(scene: &Scene, access: &str, seat: &str) -> anyhow::Result<OrderView> {
    let held = scene.api().hold(access, seat, &json!({ "seats": [seat] })).await.0?;
    pays(scene, access, &held.hold).await
}

async fn pays(scene: &Scene, access: &str, hold: &str) -> anyhow::Result<OrderView> {
    let order = scene.api().order(access, &format!("order-{hold}"), hold, "pm_card_visa").await?;
    assert_eq!((order.state.as_str(), order.tickets.len()), ("confirmed", 1), "{order:?}");
    Ok(order)
}

/// The status verifies with one of the published keys; its id.
async fn signer(scene: &Scene) -> anyhow::Result<Option<u64>> {
    let (keys, file) = (published(&detail(scene).await?, "status_keys"), text(scene, "/status.json").await?);
    Ok(keys.into_iter().find(|(_, key)| Status::verify(file.as_bytes(), key).is_ok()).map(|(id, _)| id))
}

/// Waits for the second beat from now: the first status after a restart is one of before.
async fn beats_on(scene: &Scene) -> anyhow::Result<()> {
    let last = scene.status_until("a status", async |_| true).await?.beat;
    let open = async |status: &StatusView| status.phase == "open" && status.beat > last + 1;
    scene.status_until("the on-sale again", open).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_rotated_in_the_middle_of_an_on_sale() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let state = folder.path().to_path_buf();
    let scene = Scene::with(40, Duration::ZERO, |options| options.state = Some(state)).await?;
    let old = scene.stack.master_keys().to_owned();
    let accounts = scene.accounts(&["ada", "bo"]).await?;
    let waiting = scene.numbered(&accounts[0]).await?;
    let inside = scene.admitted(&accounts[1]).await?;
    let held = scene.api().hold(&inside, "k", &json!({ "seats": ["H01-1-1"] })).await.0?;
    let (before, drawn) = (detail(&scene).await?, text(&scene, "/draw/0.json").await?);
    assert_eq!(signer(&scene).await?, Some(1));

    let scene = scene.with_keys(&format!("{NEW},{old}")).await?;
    beats_on(&scene).await?;
    assert_eq!(signer(&scene).await?, Some(2), "the new key signs, and is published");
    let after = detail(&scene).await?;
    assert_eq!(published(&after, "status_keys")[1..], published(&before, "status_keys"), "the old one still is, too");
    assert_eq!(after["commitment"], before["commitment"], "what was committed to stays");
    assert_eq!(text(&scene, "/draw/0.json").await?, drawn, "the draw that was published stays");
    let status: Value = serde_json::from_str(&text(&scene, "/status.json").await?)?;
    assert_eq!(status["draw"], file_hash(drawn.as_bytes()));

    // Tokens of the old key: an account, a place, a session with its hold.
    let again = scene.api().join(&accounts[0]).await?;
    assert_eq!((again.shard, again.epoch, again.index), (waiting.shard, waiting.epoch, waiting.index));
    let access = scene.api().admission(&waiting.token).await?;
    buys(&scene, &access, "H01-1-2").await?;
    pays(&scene, &inside, &held.hold).await?;
    // Somebody new comes, and is drawn by the secret that was committed to.
    let fresh = scene.accounts(&["cyd"]).await?.remove(0);
    let place = scene.numbered(&fresh).await?;
    let order = buys(&scene, &scene.admitted(&fresh).await?, "H01-1-3").await?;
    assert_eq!(order.tickets.len(), 1);
    let event: EventId = scene.event.definition.id.clone();
    let secret = MasterKeys::parse(&old)?.signing_key(KeyKind::DrawSecret, &event);
    let file = text(&scene, &format!("/draw/{}.json", place.cohort.expect("a cohort"))).await?;
    assert_eq!(DrawFile::parse(file.as_bytes())?.verify(&secret), Ok(()));
    scene.at_rest(Duration::from_secs(30)).await?;

    // The old key goes. What the new one signed lives on; what the old one signed is asked for again.
    let scene = scene.with_keys(NEW).await?;
    beats_on(&scene).await?;
    assert_eq!(scene.api().line(&place.token).await?.place, place.place);
    let refused = scene.api().join(&accounts[0]).await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("ACCOUNT_REQUIRED"), "{refused}");
    let renewed = scene.accounts(&["ada"]).await?.remove(0);
    let kept = scene.api().join(&renewed).await?;
    assert_eq!(
        (kept.shard, kept.index, kept.place),
        (waiting.shard, waiting.index, waiting.place),
        "the shard knows ada"
    );
    assert_eq!(detail(&scene).await?["commitment"], Value::Null, "the event's own key is missing");
    assert_eq!(scene.api().raw(Method::GET, "/draw/0.json").send().await?.status(), 503);
    Ok(())
}
