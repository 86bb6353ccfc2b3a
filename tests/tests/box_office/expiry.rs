//! When a hold ends, and what its fan may do until then: to the millisecond, and never earlier than was told.

use anyhow::{Context as _, Result};
use domain::hold::HOLD_MS;
use domain::items::{HoldState, OrderState, SeatState, attr};
use domain::plan::{Item, Value};
use domain::seat::takeable;
use serde_json::json;

use crate::bench::Bench;
use crate::orders::{pay, to_its_end};

/// B-04, B-18: who leaves for the bank and never comes back keeps the seat until the very end of the hold, and not longer; the
/// condition says so, whatever the map shows and whoever sweeps.
#[tokio::test]
async fn a_seat_is_kept_until_the_end_and_can_be_had_right_after() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let now = bench.terms().await?.now();
    let id = bench.hold(&bench.fan("ada"), &["A-1-1"]).await?;
    let hold = bench.table.hold(&id.parse()?).await?.context("the hold")?;
    assert!(hold.until.since(now) >= HOLD_MS, "no less than was told");
    let seats = bench.table.seats(&bench.event, &"A".parse()?).await?;
    let seat = seats.into_iter().find(|seat| seat.state == SeatState::Held).context("a held seat")?.to_item();
    assert!(!takeable(hold.until).holds(Some(&seat)), "not at its last moment");
    assert!(takeable(hold.until.plus(1)).holds(Some(&seat)), "but right after");
    Ok(())
}

/// B-12: another card, and another, never shorten a hold, and never fall back to some usual time.
#[tokio::test]
async fn changing_the_card_never_shortens_a_hold() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let id = bench.hold(&fan, &["A-1-1"]).await?;
    let path = format!("holds/{id}");
    assert_eq!(bench.call(&fan, "POST", &format!("{path}/extension"), None).await?.0, 200);
    let mut until = bench.table.hold(&id.parse()?).await?.context("the hold")?.until;
    for card in ["pm_card_chargeDeclined", "pm_card_chargeDeclined", "pm_card_visa"] {
        let answer = bench.call(&fan, "POST", "orders", Some(&pay(&id, card))).await?;
        let hold = bench.table.hold(&id.parse()?).await?.context("the hold")?;
        match answer.0 {
            402 => assert_eq!((hold.state, hold.until), (HoldState::Live, until), "{card}"),
            _ => assert_eq!((answer.0, hold.state), (201, HoldState::Sold), "{card}: {}", answer.1),
        }
        until = hold.until;
    }
    Ok(())
}

/// B-27: a fan who has all that one may have goes back and chooses otherwise: own places are not in the way, and the old ones
/// are free at once.
#[tokio::test]
async fn who_has_the_most_may_choose_otherwise() -> Result<()> {
    let bench = Bench::start(2, 4).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let first = bench.hold(&ada, &["A-1-1", "A-1-2", "A-1-3", "A-1-4"]).await?;
    let refused = bench.call(&ada, "POST", "holds", Some(&json!({"seats": ["A-2-1", "A-2-2"]}))).await?;
    assert_eq!((&refused.1["code"], &refused.1["hold"]), (&json!("HOLD_EXISTS"), &json!(first)), "told which");
    let other = json!({"seats": ["A-1-3", "A-1-4", "A-2-1", "A-2-2"], "replaces": first});
    let (status, second) = bench.call(&ada, "POST", "holds", Some(&other)).await?;
    assert_eq!((status, second["seats"].as_array().map(Vec::len)), (201, Some(4)), "{second}");
    bench.hold(&bo, &["A-1-1", "A-1-2"]).await?;
    let path = format!("holds/{}", second["hold"].as_str().unwrap_or_default());
    assert_eq!(bench.call(&ada, "DELETE", &path, None).await?.0, 204);
    let again = json!({"seats": ["A-2-1", "A-2-2", "A-2-3", "A-2-4"]});
    assert_eq!(bench.call(&ada, "POST", "holds", Some(&again)).await?.0, 201, "nothing is left of the old ones");
    Ok(())
}

/// B-26: a seat comes back and ten want it, each asking twice at once: one gets it, nine are told, and the hall has as many places as ever.
/// Until then nobody gets it: that is the twin.
#[tokio::test]
async fn a_seat_that_comes_back_is_given_once() -> Result<()> {
    let bench = Bench::start(1, 1).await?;
    let ada = bench.fan("ada");
    let hold = bench.hold(&ada, &["A-1-1"]).await?;
    assert_eq!(bench.call_under("o", &ada, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    assert_eq!(to_its_end(&bench, &ada, "o").await?, OrderState::Delivered);
    assert_eq!(won(&bench).await?, (0, 20));
    let order = bench.order(&ada, "o").await?.context("an order")?.id;
    let back = bench.call(&ada, "POST", &format!("orders/{order}/cancellation"), None).await?;
    assert!(matches!(back.0, 200 | 202), "{back:?}");
    assert_eq!(to_its_end(&bench, &ada, "o").await?, OrderState::Refunded);
    assert_eq!(won(&bench).await?, (2, 18), "one fan, by both calls under one key");
    let seats = bench.table.seats(&bench.event, &"A".parse()?).await?;
    assert_eq!(seats.iter().map(|seat| seat.state).collect::<Vec<_>>(), [SeatState::Held]);
    Ok(())
}

/// Ten fans want the seat, each by two calls under one key; how many calls got it, and how many were told that it is taken.
async fn won(bench: &Bench) -> Result<(usize, usize)> {
    let wish = json!({"seats": ["A-1-1"]});
    let fans: Vec<_> = (0..20).map(|n| bench.fan(&format!("waiter {}", n / 2))).collect();
    let key = bench.key();
    let calls = fans.iter().map(|fan| bench.call_under(&key, fan, "POST", "holds", Some(&wish)));
    let answers = futures::future::try_join_all(calls).await?;
    let taken = answers.iter().filter(|answer| answer.1["code"] == "SEATS_TAKEN").count();
    Ok((answers.iter().filter(|answer| answer.0 == 201).count(), taken))
}

/// B-11: what is deleted some day is kept longer than any authorization lives; an order is never deleted, so whatever the provider
/// tells of it finds it.
#[tokio::test]
async fn an_order_outlives_what_the_provider_may_tell_of_it() -> Result<()> {
    const AUTHORIZATION_MS: i64 = 30 * 24 * 60 * 60 * 1000;
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    let definition = bench.table.definition(&bench.event).await?.context("a definition")?;
    let ends = |item: &Item| item.get(attr::TTL).and_then(Value::as_i64);
    let items = bench.table.scan().await?;
    let of = |kind: &str| items.iter().find(|item| item[attr::KIND] == Value::from(kind)).context("one of its kind");
    assert!(
        ends(of("hold")?).context("a hold is deleted some day")? * 1000 >= definition.ends_at_ms.0 + AUTHORIZATION_MS
    );
    assert_eq!((ends(of("order")?), ends(of("ledger")?)), (None, None), "what is known of money is kept");
    Ok(())
}
