//! An organiser's server is told of an order by the real functions: it fails first, and hears everything in order in the end.

use std::time::Duration;

use anyhow::Context as _;
use domain::ids::OrderId;
use domain::items::OutState;
use domain::keys::MasterKeys;
use domain::outbox::{Replay, SigningKeys};
use domain::plan_import::Webhook;
use domain::time::WallMs;
use serde_json::json;
use tests::scene::{now, wait};
use tests::{Receiver, Scene};

/// A stack whose event tells this receiver. Nothing was sold before, so no function knows the event yet.
async fn told(receiver: &Receiver) -> anyhow::Result<Scene> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    let mut event = scene.event.clone();
    event.definition.webhook = Some(Webhook { url: receiver.url().to_owned() });
    scene.stack.table().import(&event, |_, _| {}).await?;
    Ok(scene)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_first_hears_everything_in_order() -> anyhow::Result<()> {
    let receiver = Receiver::start().await?;
    receiver.answers(&[503]);
    let scene = told(&receiver).await?;
    let account = scene.accounts(&["ada"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    let (hold, _) = scene.api().hold(&access, "h", &json!({ "seats": ["H01-1-1"] })).await;
    let sold = scene.api().order(&access, "o", &hold?.hold, "pm_card_visa").await?;
    let (order, table): (OrderId, _) = (sold.order.parse()?, scene.stack.table());
    wait("a first try", Duration::from_secs(30), async || Ok(!receiver.calls().is_empty())).await?;
    wait("all messages", Duration::from_secs(30), async || Ok(table.messages(&order).await?.len() == 3)).await?;
    assert_eq!(receiver.calls().len(), 1, "later messages wait for the first");

    // What waits for a minute is wanted now.
    let first = table.messages(&order).await?.into_iter().next().context("a message")?;
    assert_eq!((first.state, first.tries, first.last.as_deref()), (OutState::Pending, 1, Some("503")));
    table.decide(Replay { message: first, now: now() }).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    wait("all three", Duration::from_secs(40), async || Ok(receiver.calls().len() == 4)).await?;
    let calls = receiver.calls();
    let kinds: Vec<String> = calls.iter().map(tests::Call::kind).collect();
    assert_eq!(kinds[1..], ["onsale.order.confirmed", "onsale.order.captured", "onsale.tickets.issued"]);
    assert_eq!((&calls[0].id, &calls[0].body), (&calls[1].id, &calls[1].body));
    let keys = SigningKeys::of(&MasterKeys::parse(scene.stack.master_keys())?, &"rehearsal".parse()?);
    for call in &calls {
        let at = WallMs(call.timestamp.parse::<i64>()? * 1_000);
        assert_eq!(call.signature, keys.sign(&call.id, at, &call.body));
    }
    scene.at_rest(Duration::from_secs(20)).await?;
    let states: Vec<OutState> = table.messages(&order).await?.into_iter().map(|message| message.state).collect();
    assert_eq!(states, [OutState::Acknowledged; 3]);
    Ok(())
}
