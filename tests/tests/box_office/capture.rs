//! Captures that fail, and authorizations that lapse.

use anyhow::{Context as _, Result};
use domain::items::{Order, OrderState, attr, key};
use domain::order::CAPTURE_WITHIN_MS;
use domain::plan::{Cond, Plan, Update, Write};
use onsale::payments::Money;
use serde_json::json;

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::orders::{pay, to_its_end};

async fn sold(bench: &Bench, fan: &Fan) -> Result<Order> {
    let hold = bench.hold(fan, &["A-1-1"]).await?;
    assert_eq!(bench.call_under("o", fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    bench.order(fan, "o").await?.context("an order")
}

/// B-39: a card that refuses the capture is asked again, later and later; the fan keeps the seats meanwhile.
#[tokio::test]
async fn a_refused_capture_is_tried_again_and_may_succeed() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let order = sold(&bench, &fan).await?;
    bench.control(json!({"decline_capture": true})).await?;
    for tries in 1..=3 {
        assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Confirmed);
        let order = bench.order(&fan, "o").await?.context("an order")?;
        assert_eq!((order.tries, order.decline.as_deref()), (tries, Some("generic_decline")));
    }
    let buckets = 0..domain::items::BUCKETS;
    let listed = async |minutes: i64| {
        let before = bench.terms().await?.now().plus(minutes * 60_000);
        let all = buckets.clone().map(|bucket| bench.table.open_orders(&bench.event, bucket, before, 10));
        anyhow::Ok(futures::future::try_join_all(all).await?.concat().contains(&key::order(&order.id)))
    };
    assert_eq!((listed(3).await?, listed(5).await?), (false, true), "the janitor finds it when the pause is over");
    bench.control(json!({"decline_capture": false})).await?;
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    balanced(&bench).await
}

#[tokio::test]
async fn a_capture_that_is_refused_for_a_day_frees_the_seats_and_voids() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let order = sold(&bench, &fan).await?;
    bench.control(json!({"decline_capture": true})).await?;
    let long_ago = Update::new().set(attr::AT, order.created.0 - CAPTURE_WITHIN_MS);
    bench.table.commit(&Plan::new(vec![Write::update(key::order(&order.id), Cond::Exists, long_ago)])).await?;
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Released);
    bench.hold(&bench.fan("bo"), &["A-1-1"]).await?;
    balanced(&bench).await
}

/// B-37, B-38: seven days later the money is not set aside any more; the sale is undone and nothing is refunded.
#[tokio::test]
async fn an_authorization_that_lapsed_undoes_the_sale() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    sold(&bench, &fan).await?;
    bench.control(json!({"advance_ms": 7 * 24 * 60 * 60 * 1000_i64})).await?;
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Released);
    assert_eq!(bench.order(&fan, "o").await?.and_then(|order| order.decline).as_deref(), Some("authorization_ended"));
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Void]);
    bench.hold(&bench.fan("bo"), &["A-1-1"]).await?;
    balanced(&bench).await
}

/// Cancelling races the capture: whichever the provider sees first, the money ends with the fan and the seat is free, once.
#[tokio::test]
async fn cancelling_races_the_capture() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, delay_ms) in [0, 30, 90].into_iter().enumerate() {
        let fan = bench.fan(&format!("fan {n}"));
        let order = sold(&bench, &fan).await?;
        bench.control(json!({"delay_ms": {"capture": delay_ms}})).await?;
        let path = format!("orders/{}/cancellation", order.id);
        let terms = bench.terms().await?;
        let (captured, cancelled) =
            tokio::join!(bench.checkout.advance(&order.id, &terms), bench.call(&fan, "POST", &path, None));
        assert!(matches!(cancelled?.0, 200 | 202));
        captured?;
        let end = to_its_end(&bench, &fan, "o").await?;
        assert!(matches!(end, OrderState::Cancelled | OrderState::Refunded), "{end}");
    }
    bench.hold(&bench.fan("bo"), &["A-1-1"]).await?;
    balanced(&bench).await
}

/// A bank that never answers keeps nobody waiting for ever: the claim ends, and what the bank says afterwards is let go.
#[tokio::test]
async fn a_card_that_answers_after_the_deadline_pays_nothing() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    bench.control(json!({"slow_ms": 60_000})).await?;
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_slow"))).await?.0, 202);
    let order = bench.order(&fan, "o").await?.context("an order")?.id;
    let late = bench.terms_later(11 * 60_000).await?;
    assert_eq!(
        bench.checkout.advance(&order, &late).await?.state,
        OrderState::Voiding,
        "a card that is being asked cannot be called back"
    );
    bench.control(json!({"advance_ms": 120_000})).await?;
    assert_eq!(bench.checkout.advance(&order, &late).await?.state, OrderState::SeatsGone);
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Void]);
    balanced(&bench).await
}
