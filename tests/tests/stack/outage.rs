//! Parts stop: admission stops, time stands, nobody loses anything.

use std::time::Duration;

use onsale::stack::Part;
use serde_json::json;
use tests::Scene;

/// Event time as a page computes it from the status file's triple.
fn event_now(clock: [i64; 3]) -> i64 {
    let [wall, event, run] = clock;
    event + (tests::scene::now().0 - wall).clamp(0, run)
}

/// The beat of the last pulse that the origin answered well; the correlation id ends in the beat.
fn last_good_pulse(scene: &Scene) -> u64 {
    let log = scene.stack.origin_log();
    let good = log.iter().rev().find(|request| request.path.ends_with("/pulse") && request.status == 200);
    let beat = good.and_then(|request| request.correlation_id.as_deref()?.rsplit('-').next()?.parse().ok());
    beat.expect("a pulse was answered before")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_booking_function_stops_and_nobody_loses_place_or_time() -> anyhow::Result<()> {
    let scene = Scene::open(60, Duration::ZERO).await?;
    let account = scene.accounts(&["inside"]).await?.remove(0);
    let access = scene.admitted(&account).await?;
    let held = scene.api().hold(&access, "k1", &json!({ "seats": ["H01-1-1"] })).await.0?;

    scene.stack.kill(Part::Booking).await?;
    let last_good = last_good_pulse(&scene);
    let paused = scene.status_until("a pause", async |status| status.phase == "paused").await?;
    assert!(paused.beat <= last_good + 3, "paused at beat {} after {last_good}: within three beats", paused.beat);

    let late = scene.accounts(&["outside"]).await?.remove(0);
    let waiting = scene.numbered(&late).await?;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let first = scene.api().status().await?;
    let stands = event_now(first.clock);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let second = scene.api().status().await?;
    assert_eq!(event_now(second.clock), stands, "event time stands");
    assert_eq!((second.admitted, second.phase.as_str()), (paused.admitted, "paused"), "nobody is admitted");

    scene.stack.start_part(Part::Booking).await?;
    let open = scene.status_until("the on-sale again", async |status| status.phase == "open").await?;
    assert!(event_now(open.clock) - stands < 4_000, "the outage burnt nobody's minutes");
    let kept = scene.api().line(&waiting.token).await?;
    assert_eq!(kept.place, waiting.place);
    scene.status_until("the late fan's turn", async |status| Some(status.admitted) >= waiting.place).await?;
    let order = scene.api().order(&access, "k2", &held.hold, "pm_card_visa").await?;
    assert_eq!(order.state, "confirmed", "the hold outlived the outage");
    scene.at_rest(Duration::from_secs(30)).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn stale_stock_stops_admission_until_the_projection_is_back() -> anyhow::Result<()> {
    let scene = Scene::open(60, Duration::ZERO).await?;
    scene.status_until("an open on-sale", async |status| status.phase == "open").await?;
    for part in [Part::Project, Part::Settle] {
        scene.stack.kill(part).await?;
    }
    let paused = scene.status_until("a pause", async |status| status.phase == "paused").await?;
    let account = scene.accounts(&["outside"]).await?.remove(0);
    let entry = scene.numbered(&account).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(scene.api().status().await?.admitted, paused.admitted, "nobody is admitted on stale stock");
    for part in [Part::Project, Part::Settle] {
        scene.stack.start_part(part).await?;
    }
    scene.status_until("the turn", async |status| Some(status.admitted) >= entry.place).await?;
    Ok(())
}
