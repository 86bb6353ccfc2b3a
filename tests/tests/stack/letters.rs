//! A record that no retry could deliver is kept, and delivered when what stood in its way is repaired.

use std::time::Duration;

use clap::Parser;
use domain::items::OrderState;
use onsale::cli::{self, Cli};
use onsale::stack::Part;
use serde_json::json;
use tests::Scene;
use tests::scene::wait;

async fn letters(scene: &Scene, what: &str) -> anyhow::Result<()> {
    let state = format!("--state={}", scene.stack.state().display());
    cli::run(Cli::try_parse_from(["onsale", &state, "dead-letters", what])?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_up_is_delivered_after_the_repair() -> anyhow::Result<()> {
    let scene = Scene::open(20, Duration::ZERO).await?;
    scene.stack.ready(Some("rehearsal")).write(&scene.stack.state().join("ready.json"))?;
    let account = scene.accounts(&["ada"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    scene.stack.kill(Part::Settle).await?;
    let hold = scene.api().hold(&access, "hold", &json!({ "seats": ["H01-1-1"] })).await.0?;
    let sold = scene.api().order(&access, "order", &hold.hold, "pm_card_visa").await?;
    // Neither the provider nor the janitor, who would carry the order on.
    for part in [Part::Janitor, Part::Payments] {
        scene.stack.kill(part).await?;
    }
    scene.stack.start_part(Part::Settle).await?;
    let folder = scene.stack.state().join("dead-letters");
    let kept = || std::fs::read_dir(&folder).map(Iterator::count).unwrap_or(0);
    wait("a dead letter", Duration::from_secs(120), async || Ok(kept() > 0)).await?;
    let letter = onsale::letters::all(&folder)?.remove(0)?;
    assert_eq!((letter.function(), letter.keys()), ("settle", vec![format!("ORDER#{} ORDER", sold.order)]));

    letters(&scene, "list").await?;
    assert!(letters(&scene, "redrive").await.is_err(), "nothing is repaired yet");
    assert_eq!(kept(), 1);
    scene.stack.start_part(Part::Payments).await?;
    let state = async || anyhow::Ok(scene.stack.table().order(&sold.order.parse()?).await?.map(|order| order.state));
    assert_eq!(state().await?, Some(OrderState::Confirmed));
    letters(&scene, "redrive").await?;
    assert_eq!((kept(), state().await?), (0, Some(OrderState::Delivered)));
    scene.stack.start_part(Part::Janitor).await?;
    scene.at_rest(Duration::from_secs(30)).await?;
    Ok(())
}
