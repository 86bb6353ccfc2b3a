//! Buyers who change their minds: nothing that they let go stays counted against them or against the stock.

use anyhow::{Context as _, Result};
use domain::items::{OrderState, SeatState};
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::challenge::CARD;
use crate::orders::{pay, to_its_end};

/// Free seats of the hall, and free places of the floor.
async fn free(bench: &Bench) -> Result<(usize, u32)> {
    let seats = bench.table.seats(&bench.event, &"A".parse()?).await?;
    let shares = bench.table.shares(&bench.event, &"floor".parse()?).await?;
    let seats = seats.iter().filter(|seat| seat.state == SeatState::Free).count();
    Ok((seats, shares.iter().map(|share| share.free).sum()))
}

/// As many places as an account may have: three seats and one on the floor.
fn all_of_it(row: usize) -> Value {
    let seats: Vec<String> = (1..=3).map(|n| format!("A-{row}-{n}")).collect();
    json!({"seats": seats, "pools": [{"pool": "floor", "quantity": 1}]})
}

async fn hold(bench: &Bench, fan: &Fan, wish: &Value) -> Result<String> {
    let (status, body) = bench.call(fan, "POST", "holds", Some(wish)).await?;
    assert_eq!(status, 201, "{body}");
    Ok(body["hold"].as_str().context("a hold")?.to_owned())
}

/// B-27: at the limit, and at the bank, a buyer goes back and takes other seats. B-36: what stands in the way meanwhile is named.
#[tokio::test]
async fn a_buyer_at_the_limit_goes_back_from_the_bank_and_chooses_again() -> Result<()> {
    let bench = Bench::start(2, 3).await?;
    let fan = bench.fan("ada");
    let whole = free(&bench).await?;
    let first = hold(&bench, &fan, &all_of_it(1)).await?;
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&first, CARD))).await?.0, 202);
    let refused = bench.call(&fan, "POST", "holds", Some(&all_of_it(2))).await?.1;
    assert_eq!(
        (&refused["code"], &refused["limit"], &refused["committed"]),
        (&json!("LIMIT_EXCEEDED"), &json!(4), &json!(4)),
        "{refused}"
    );
    let order = bench.order(&fan, "o").await?.context("an order")?;
    let path = format!("orders/{}/cancellation", order.id);
    assert_eq!(bench.call(&fan, "POST", &path, None).await?.1["state"], "declined");
    let mut other = all_of_it(2);
    other["replaces"] = json!(first);
    let second = hold(&bench, &fan, &other).await?;
    assert_eq!(free(&bench).await?, (whole.0 - 3, whole.1 - 1), "what was let go is free");
    assert_eq!(bench.call_under("o2", &fan, "POST", "orders", Some(&pay(&second, "pm_card_visa"))).await?.0, 201);
    assert_eq!(to_its_end(&bench, &fan, "o2").await?, OrderState::Delivered);
    balanced(&bench).await
}

/// B-25: what an order had is for sale again when it is given back, and its buyer may buy as much again.
#[tokio::test]
async fn an_order_that_is_given_back_frees_all_it_had_again_and_again() -> Result<()> {
    let bench = Bench::start(1, 3).await?;
    let fan = bench.fan("ada");
    let whole = free(&bench).await?;
    for round in 0..3 {
        let key = format!("o{round}");
        let held = hold(&bench, &fan, &all_of_it(1)).await?;
        let order = bench.call_under(&key, &fan, "POST", "orders", Some(&pay(&held, "pm_card_test_x"))).await?;
        assert_eq!(order.0, 201, "round {round}: {}", order.1);
        assert_eq!(to_its_end(&bench, &fan, &key).await?, OrderState::Delivered);
        assert_eq!(free(&bench).await?, (0, whole.1 - 1));
        let path = format!("orders/{}/cancellation", order.1["order"].as_str().unwrap_or_default());
        assert_eq!(bench.call(&fan, "POST", &path, None).await?.0, 202);
        assert_eq!(to_its_end(&bench, &fan, &key).await?, OrderState::Refunded);
        assert_eq!(free(&bench).await?, whole, "round {round}");
    }
    balanced(&bench).await
}
