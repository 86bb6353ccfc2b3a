//! Giving back, and processes that die over it: each amount goes back once.

use anyhow::{Context as _, Result};
use domain::items::{Order, OrderState};
use onsale::payments::Money;
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::crash::{Dies, killed_after, warm};
use crate::orders::{pay, to_its_end};

/// What a fan does with an order, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// One of its two seats back, after the capture.
    Part,
    /// All of it, before the capture.
    WholeBefore,
    /// All of it, after the capture.
    WholeAfter,
}

/// Two seats of a row, bought.
async fn bought(bench: &Bench, fan: &Fan, row: usize, wish: Wish) -> Result<Order> {
    let hold = bench.hold(fan, &[&format!("A-{row}-1"), &format!("A-{row}-2")]).await?;
    assert_eq!(bench.call_under("o", fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    if wish != Wish::WholeBefore {
        assert_eq!(to_its_end(bench, fan, "o").await?, OrderState::Delivered);
    }
    bench.order(fan, "o").await?.context("an order")
}

fn body(row: usize, wish: Wish) -> Value {
    if wish == Wish::Part { json!({"seats": [format!("A-{row}-1")]}) } else { json!({}) }
}

async fn ask(bench: &Bench, fan: &Fan, order: &Order, body: &Value) -> Result<(u16, Value)> {
    bench.call(fan, "POST", &format!("orders/{}/cancellation", order.id), Some(body)).await
}

/// What moved for an order since it was authorized.
fn moved(bench: &Bench, order: &Order) -> Vec<(Money, i64)> {
    let id = order.id.to_string();
    let own = bench.payments.movements().into_iter().filter(|movement| movement.order.as_ref() == Some(&id));
    own.skip(1).map(|movement| (movement.kind, movement.amount)).collect()
}

const SEAT: i64 = 10_450;

/// How each wish ends: the order's state, and what moved.
fn end(wish: Wish) -> (OrderState, Vec<(Money, i64)>) {
    let taken = (Money::Capture, 2 * SEAT);
    match wish {
        Wish::Part => (OrderState::Delivered, vec![taken, (Money::Refund, SEAT)]),
        Wish::WholeBefore => (OrderState::Cancelled, vec![(Money::Void, 2 * SEAT)]),
        Wish::WholeAfter => (OrderState::Refunded, vec![taken, (Money::Refund, 2 * SEAT)]),
    }
}

/// Which of the two calls of a wish dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// The fan's, which stores the wish.
    Ask,
    /// The one that carries it out.
    CarryOut,
}

/// A wish of which one call dies after `waits`; whether the call came to its end after all.
async fn one(bench: &Bench, wish: Wish, call: Call, waits: usize, dies: Dies, row: usize) -> Result<bool> {
    let fan = bench.fan(&format!("{wish:?} {call:?} {row}"));
    let order = bought(bench, &fan, row, wish).await?;
    let body = body(row, wish);
    let terms = warm(bench).await?;
    let whole = match call {
        Call::Ask => {
            let whole = killed_after(waits, dies, ask(bench, &fan, &order, &body)).await.is_some();
            ask(bench, &fan, &order, &body).await?;
            whole
        }
        Call::CarryOut => {
            assert_eq!(ask(bench, &fan, &order, &body).await?.0, 202);
            killed_after(waits, dies, bench.checkout.advance(&order.id, &terms)).await.is_some()
        }
    };
    if dies == Dies::After {
        // The provider forgets its keys in a day; what it kept still tells.
        bench.control(json!({"advance_ms": 25 * 60 * 60 * 1000_i64})).await?;
    }
    let state = to_its_end(bench, &fan, "o").await?;
    assert_eq!((state, moved(bench, &order)), end(wish), "{wish:?}, {call:?} killed {dies:?} wait {waits}");
    Ok(whole)
}

async fn every_point(wish: Wish) -> Result<()> {
    for call in [Call::Ask, Call::CarryOut] {
        let bench = Bench::start(60, 2).await?;
        let mut whole = false;
        for waits in 0..30 {
            bench.pulse(0).await?;
            whole = one(&bench, wish, call, waits, Dies::Before, 2 * waits + 1).await?;
            whole &= one(&bench, wish, call, waits, Dies::After, 2 * waits + 2).await?;
            if whole {
                assert!(waits >= 3, "{call:?}: {waits} waits");
                break;
            }
        }
        assert!(whole, "{call:?} waits more often than the hall has rows");
        balanced(&bench).await?;
    }
    Ok(())
}

#[tokio::test]
async fn wherever_a_process_dies_one_seat_goes_back_once() -> Result<()> {
    every_point(Wish::Part).await
}

#[tokio::test]
async fn wherever_a_process_dies_an_order_that_was_not_captured_goes_back_once() -> Result<()> {
    every_point(Wish::WholeBefore).await
}

#[tokio::test]
async fn wherever_a_process_dies_a_captured_order_goes_back_once() -> Result<()> {
    every_point(Wish::WholeAfter).await
}

/// The capture dies anywhere, and just then the fan gives the order back.
#[tokio::test]
async fn wherever_the_capture_dies_the_fan_can_give_the_order_back() -> Result<()> {
    let bench = Bench::start(60, 2).await?;
    for waits in 0..30 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, dies) in [Dies::Before, Dies::After].into_iter().enumerate() {
            let row = 2 * waits + column + 1;
            let fan = bench.fan(&format!("{row}"));
            let order = bought(&bench, &fan, row, Wish::WholeBefore).await?;
            let terms = warm(&bench).await?;
            whole = killed_after(waits, dies, bench.checkout.advance(&order.id, &terms)).await.is_some();
            assert!(matches!(ask(&bench, &fan, &order, &json!({})).await?.0, 200 | 202));
            let ended = (to_its_end(&bench, &fan, "o").await?, moved(&bench, &order));
            let right = [end(Wish::WholeBefore), end(Wish::WholeAfter)];
            assert!(right.contains(&ended), "killed {dies:?} wait {waits}: {ended:?}");
        }
        if whole {
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("a capture waits more often than the hall has rows")
}

/// The twin: somebody who refunds without asking what the provider kept, a day after the reply was lost.
#[tokio::test]
async fn a_refund_by_its_key_alone_is_made_twice_after_a_day() -> Result<()> {
    let bench = Bench::start(1, 2).await?;
    let fan = bench.fan("ada");
    let order = bought(&bench, &fan, 1, Wish::Part).await?;
    assert_eq!(ask(&bench, &fan, &order, &body(1, Wish::Part)).await?.0, 202);
    let reducing = bench.order(&fan, "o").await?.context("an order")?;
    let intent = reducing.intent.clone().context("an intent")?;
    bench.provider.refund_part(&reducing, &intent).await?;
    bench.provider.refund_part(&reducing, &intent).await?;
    assert_eq!(moved(&bench, &order).len(), 2, "within the day the key keeps it at one");
    bench.control(json!({"advance_ms": 25 * 60 * 60 * 1000_i64})).await?;
    bench.provider.refund_part(&reducing, &intent).await?;
    assert_eq!(moved(&bench, &order).len(), 3, "the tests above would see a refund that is made twice");
    Ok(())
}
