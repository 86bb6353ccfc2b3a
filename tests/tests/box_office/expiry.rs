//! When a hold ends, and what its fan may do until then: to the millisecond, and never earlier than was told.

use anyhow::{Context as _, Result};
use domain::hold::HOLD_MS;
use domain::items::{HoldState, SeatState};
use domain::seat::takeable;
use serde_json::json;

use crate::bench::Bench;
use crate::orders::pay;

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
