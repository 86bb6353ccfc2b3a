//! Some seats of an order go back.

use anyhow::{Context as _, Result};
use domain::items::{CardUse, Order, OrderState, Usage, key};
use onsale::payments::Money;
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::orders::{pay, to_its_end};

async fn bought(bench: &Bench, fan: &Fan) -> Result<Order> {
    let wish = json!({"seats": ["A-1-1", "A-1-2", "A-1-3"], "pools": [{"pool": "floor", "quantity": 1}]});
    let hold = bench.call(fan, "POST", "holds", Some(&wish)).await?.1["hold"].as_str().unwrap_or_default().to_owned();
    assert_eq!(bench.call_under("o", fan, "POST", "orders", Some(&pay(&hold, "pm_card_test_x"))).await?.0, 201);
    bench.order(fan, "o").await?.context("an order")
}

async fn give_back(bench: &Bench, fan: &Fan, seats: &[&str]) -> Result<(u16, Value)> {
    let order = bench.order(fan, "o").await?.context("an order")?;
    bench.call(fan, "POST", &format!("orders/{}/cancellation", order.id), Some(&json!({"seats": seats}))).await
}

/// Captured less refunded, as the provider has it.
fn kept(bench: &Bench) -> i64 {
    let sign = |kind| match kind {
        Money::Capture => 1,
        Money::Refund => -1,
        Money::Authorize | Money::Decline | Money::Void => 0,
    };
    bench.payments.movements().iter().map(|movement| sign(movement.kind) * movement.amount).sum()
}

/// Places that account and card have of the event, and what the order costs.
async fn counts(bench: &Bench, fan: &Fan) -> Result<(u32, u32, i64)> {
    let usage = bench.table.get(&key::usage(&fan.account, &bench.event)).await?.context("a usage")?;
    let card = bench.table.get(&key::card("fp_x", &bench.event)).await?.context("a card")?;
    let order = bench.order(fan, "o").await?.context("an order")?;
    Ok((Usage::from_item(&usage)?.committed, CardUse::from_item(&card)?.bought, order.total_minor))
}

/// B-81: ten press at once, and again later: one refund of exactly the seats' value; what is kept is the value of the valid
/// tickets, and account and card may buy again.
#[tokio::test]
async fn seats_go_back_once_though_ten_press_at_once() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    bought(&bench, &fan).await?;
    let answers = futures::future::try_join_all((0..10).map(|_| give_back(&bench, &fan, &["A-1-1", "A-1-2"]))).await?;
    for (status, body) in answers {
        assert!(matches!(status, 200 | 202) || body["code"] == "NOT_CANCELLABLE", "{status} {body}");
    }
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    assert_eq!(give_back(&bench, &fan, &["A-1-2"]).await?.0, 200, "gone already");
    assert_eq!(bench.payments.movements().iter().filter(|movement| movement.kind == Money::Refund).count(), 1);
    assert_eq!((kept(&bench), counts(&bench, &fan).await?), (14_450, (2, 2, 14_450)));
    let shown = bench
        .call(&fan, "GET", &format!("orders/{}", bench.order(&fan, "o").await?.context("an order")?.id), None)
        .await?
        .1;
    assert_eq!(
        (shown["tickets"].as_array().map(Vec::len), &shown["given_back"]),
        (Some(2), &json!(["A-1-1", "A-1-2"]))
    );
    assert_eq!(bench.payments.movements().len(), 3);
    bench.hold(&bench.fan("bo"), &["A-1-1", "A-1-2"]).await?;

    assert_eq!(give_back(&bench, &fan, &["A-1-1", "A-1-3"]).await?.1["code"], "SEAT_UNKNOWN");
    assert_eq!(give_back(&bench, &fan, &[]).await?.0, 202, "the rest");
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Refunded);
    assert_eq!((kept(&bench), counts(&bench, &fan).await?.0), (0, 0));
    Ok(())
}

/// The refund's reply is lost, and the provider has long forgotten its key when somebody comes by: it is not made twice.
#[tokio::test]
async fn a_part_whose_refund_was_never_heard_of_is_not_refunded_again() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    bought(&bench, &fan).await?;
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    assert_eq!(give_back(&bench, &fan, &["A-1-3"]).await?.0, 202);
    let reducing = bench.order(&fan, "o").await?.context("an order")?;
    bench.provider.refund_part(&reducing, reducing.intent.as_deref().context("an intent")?).await?;
    bench.control(json!({"advance_ms": 25 * 60 * 60 * 1000_i64})).await?;
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    assert_eq!((kept(&bench), counts(&bench, &fan).await?.2), (24_900, 24_900));
    balanced_parts(&bench).await
}

/// An order that was captured and given back in parts is in order for its seats; its movements are counted by `kept`.
async fn balanced_parts(bench: &Bench) -> Result<()> {
    assert_eq!(bench.payments.movements().iter().filter(|movement| movement.kind == Money::Refund).count(), 1);
    balanced(bench).await
}

#[tokio::test]
async fn a_final_sale_is_not_taken_back() -> Result<()> {
    let bench = Bench::with(1, 10, "final_sale = true").await?;
    let fan = bench.fan("ada");
    bought(&bench, &fan).await?;
    for seats in [&["A-1-1"][..], &[]] {
        assert_eq!(give_back(&bench, &fan, seats).await?.1["code"], "CANCELLATION_CLOSED");
    }
    let id = bench.order(&fan, "o").await?.context("an order")?.id;
    assert_eq!(bench.call(&fan, "GET", &format!("orders/{id}"), None).await?.1["may_cancel"], json!(false));
    Ok(())
}
