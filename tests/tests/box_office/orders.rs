//! Orders: paying, declining, slow and lost replies, giving back.

use std::time::Duration;

use anyhow::{Context as _, Result};
use domain::items::{HoldState, OrderState};
use onsale::payments::Money;
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;

pub fn pay(hold: &str, method: &str) -> Value {
    json!({"hold": hold, "paymentMethod": method})
}

/// Carries an order to its end, as the stream and the janitor would.
pub async fn to_its_end(bench: &Bench, fan: &Fan, key: &str) -> Result<OrderState> {
    let order = bench.order(fan, key).await?.context("an order")?;
    Ok(bench.checkout.advance(&order.id, &bench.terms().await?).await?.state)
}

#[tokio::test]
async fn a_hold_is_paid_captured_and_delivered_with_tickets() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let wish = json!({"seats": ["A-1-1", "A-1-2"], "pools": [{"pool": "floor", "quantity": 1}]});
    let hold = bench.call(&fan, "POST", "holds", Some(&wish)).await?.1["hold"].as_str().unwrap_or_default().to_owned();
    let (status, order) = bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?;
    assert_eq!(
        (status, &order["state"], &order["total_minor"]),
        (201, &json!("confirmed"), &json!(2 * 10_450 + 4_000)),
        "{order}"
    );
    assert_eq!(order["tickets"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.1["order"],
        order["order"]
    );
    let other = bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_amex"))).await?;
    assert_eq!(other.1["code"], "IDEMPOTENCY_MISMATCH");
    assert_eq!(
        bench.call(&fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.1["code"],
        "HOLD_BEING_PAID"
    );
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered, "twice is once");
    let path = format!("orders/{}", order["order"].as_str().unwrap_or_default());
    let shown = bench.call(&fan, "GET", &path, None).await?.1;
    assert!(shown["tickets"][0]["qr_svg"].as_str().is_some_and(|svg| svg.contains("<svg")), "{shown}");
    let seed = bench.app.keys.signing_key(domain::keys::KeyKind::Ticket, &bench.event);
    for (ticket, seat) in shown["tickets"].as_array().context("tickets")?.iter().zip(["A-1-1", "A-1-2", "floor/1"]) {
        let payload = ticket["payload"].as_str().unwrap_or_default();
        let content = domain::ticket::TicketContent::verify(payload, |_| Some(domain::ticket::public_key(&seed)))?;
        assert_eq!((&*content.seat, content.revision), (seat, 1), "as the gate reads it, offline");
    }
    assert_eq!(bench.call(&bench.fan("bo"), "GET", &path, None).await?.0, 404, "somebody else's");
    assert_eq!(bench.call(&fan, "GET", "orders", None).await?.1["orders"].as_array().map(Vec::len), Some(1));
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Capture]);
    balanced(&bench).await
}

#[tokio::test]
async fn a_declined_card_leaves_the_hold_and_another_may_be_tried() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    let (status, problem) = bench
        .call_under("o1", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_chargeDeclinedInsufficientFunds")))
        .await?;
    assert_eq!(
        (status, &problem["code"], &problem["decline_code"]),
        (402, &json!("PAYMENT_DECLINED"), &json!("insufficient_funds"))
    );
    let again = bench
        .call_under("o1", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_chargeDeclinedInsufficientFunds")))
        .await?;
    assert_eq!(again, (status, problem), "the same request again");
    assert_eq!(bench.call(&fan, "GET", &format!("holds/{hold}"), None).await?.1["state"], "live");
    assert_eq!(
        bench.call(&fan, "POST", "orders", Some(&pay(&hold, "pm_unknown"))).await?.1["code"],
        "PAYMENT_DECLINED"
    );
    assert_eq!(bench.call_under("o2", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    assert_eq!(to_its_end(&bench, &fan, "o2").await?, OrderState::Delivered);
    balanced(&bench).await
}

/// Whatever field a card's number is put into, nothing is written and nothing asked of the provider.
#[tokio::test]
async fn card_numbers_are_refused_in_every_field() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    let before = bench.table.scan().await?.len();
    let number = "4242 4242 4242 4242";
    let order = "orders/AAAAAAAAAAAAAAAAAAAAAA/cancellation".to_owned();
    let calls = [
        ("POST", "orders".to_owned(), pay(&hold, number)),
        ("POST", "orders".to_owned(), pay(&hold, "pm_4242424242424242")),
        ("POST", "orders".to_owned(), pay("4242-4242-4242-4242", "pm_card_visa")),
        ("POST", "orders?card=4242424242424242".to_owned(), pay(&hold, "pm_card_visa")),
        ("POST", "holds".to_owned(), json!({"seats": ["4242424242424242"]})),
        ("POST", "holds".to_owned(), json!({"seats": ["A-1-2"], "note": number})),
        ("POST", "holds".to_owned(), json!({"pools": [{"pool": "floor", "quantity": 4242424242424242_u64}]})),
        ("DELETE", format!("holds/{hold}"), json!({"seats": [number]})),
        ("POST", format!("holds/{hold}/extension"), json!({"why": number})),
        ("POST", order, json!({"seats": [number]})),
    ];
    for (method, path, body) in calls {
        let (status, problem) = bench.call(&fan, method, &path, Some(&body)).await?;
        assert_eq!((status, &problem["code"]), (422, &json!("CARD_NUMBER_REFUSED")), "{method} {path} {body}");
    }
    let under =
        bench.call_under(&number.replace(' ', ""), &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?;
    assert_eq!(under.1["code"], "CARD_NUMBER_REFUSED", "as an idempotency key");
    let other = bench.call(&fan, "POST", "orders", Some(&pay(&hold, "visa"))).await?;
    assert_eq!(other.1["code"], "PAYMENT_METHOD_UNKNOWN");
    assert_eq!((bench.table.scan().await?.len(), bench.payments.movements().len()), (before, 0));
    Ok(())
}

#[tokio::test]
async fn lost_replies_cost_nothing_and_charge_once() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, operation) in ["create", "confirm", "capture"].into_iter().enumerate() {
        let (fan, key) = (bench.fan(operation), format!("o{n}"));
        let hold = bench.hold(&fan, &[&format!("A-1-{}", n + 1)]).await?;
        bench.control(json!({"lose_reply": {operation: 1}})).await?;
        assert_eq!(
            bench.call_under(&key, &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0,
            201,
            "{operation}"
        );
        assert_eq!(to_its_end(&bench, &fan, &key).await?, OrderState::Delivered, "{operation}");
    }
    assert_eq!(bench.payments.movements().len(), 6);
    balanced(&bench).await
}

#[tokio::test]
async fn server_errors_that_are_replayed_are_asked_again_under_another_key() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, operation) in ["create", "confirm", "capture"].into_iter().enumerate() {
        let (fan, key) = (bench.fan(operation), format!("o{n}"));
        let hold = bench.hold(&fan, &[&format!("A-1-{}", n + 1)]).await?;
        bench.control(json!({"server_error": {operation: 1}})).await?;
        assert_eq!(
            bench.call_under(&key, &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0,
            201,
            "{operation}"
        );
        assert_eq!(to_its_end(&bench, &fan, &key).await?, OrderState::Delivered, "{operation}");
    }
    balanced(&bench).await
}

#[tokio::test]
async fn seats_that_are_gone_are_told_before_any_money() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    assert_eq!(bench.block_held("A-1-1").await?, 200);
    let (status, problem) = bench.call(&fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?;
    assert_eq!((status, &problem["code"], &problem["seats"]), (409, &json!("SEATS_GONE"), &json!(["A-1-1"])));
    assert_eq!(bench.payments.movements(), []);
    Ok(())
}

#[tokio::test]
async fn seats_lost_while_paying_are_voided_not_charged() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1", "A-1-2"]).await?;
    bench.control(json!({"slow_ms": 700})).await?;
    let wish = pay(&hold, "pm_card_slow");
    let order = bench.call_under("o", &fan, "POST", "orders", Some(&wish));
    let block = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        bench.block_held("A-1-2").await
    };
    let (answer, blocked) = tokio::join!(order, block);
    assert_eq!(blocked?, 200);
    let (status, problem) = answer?;
    assert_eq!((status, &problem["code"]), (409, &json!("SEATS_GONE")), "{problem}");
    assert_eq!(problem["seats"], json!(["A-1-2"]), "the buyer is told which");
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Void]);
    Ok(())
}

#[tokio::test]
async fn a_slow_card_is_told_to_come_back_and_ends() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    bench.control(json!({"slow_ms": 3_000})).await?;
    let (status, order) = bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_slow"))).await?;
    assert_eq!((status, &order["state"]), (202, &json!("paying")));
    let release = bench.call(&fan, "DELETE", &format!("holds/{hold}"), None).await?;
    assert_eq!(release.1["code"], "HOLD_BEING_PAID");
    tokio::time::sleep(Duration::from_millis(3_000)).await;
    let path = format!("orders/{}", order["order"].as_str().unwrap_or_default());
    assert_eq!(bench.call(&fan, "GET", &path, None).await?.1["state"], "confirmed", "asking again carries it on");
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_slow"))).await?.0, 201);
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    balanced(&bench).await
}

#[tokio::test]
async fn an_outage_leaves_the_order_for_later_and_the_deadline_ends_it() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let holds = [bench.hold(&ada, &["A-1-1"]).await?, bench.hold(&bo, &["A-1-2"]).await?];
    bench.control(json!({"outage": true})).await?;
    for (fan, hold) in [(&ada, &holds[0]), (&bo, &holds[1])] {
        assert_eq!(bench.call_under("o", fan, "POST", "orders", Some(&pay(hold, "pm_card_visa"))).await?.0, 202);
    }
    bench.control(json!({"outage": false})).await?;
    assert_eq!(to_its_end(&bench, &ada, "o").await?, OrderState::Delivered);
    let late = bench.terms_later(11 * 60_000).await?;
    let order = bench.order(&bo, "o").await?.context("an order")?;
    assert_eq!(bench.checkout.advance(&order.id, &late).await?.state, OrderState::Abandoned);
    assert_eq!(bench.table.hold(&holds[1].parse()?).await?.map(|hold| hold.state), Some(HoldState::Released));
    balanced(&bench).await
}

#[tokio::test]
async fn an_order_is_given_back_once_before_or_after_capture() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, (captured_first, end)) in
        [(false, OrderState::Cancelled), (true, OrderState::Refunded)].into_iter().enumerate()
    {
        let (fan, key) = (bench.fan(&format!("fan {n}")), format!("o{n}"));
        let hold = bench.hold(&fan, &["A-1-1"]).await?;
        let order = bench.call_under(&key, &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.1;
        if captured_first {
            assert_eq!(to_its_end(&bench, &fan, &key).await?, OrderState::Delivered);
        }
        let path = format!("orders/{}/cancellation", order["order"].as_str().unwrap_or_default());
        let calls = (0..5).map(|_| bench.call(&fan, "POST", &path, None));
        for (status, body) in futures::future::try_join_all(calls).await? {
            assert_eq!(status, 202, "{body}");
        }
        assert_eq!(to_its_end(&bench, &fan, &key).await?, end);
    }
    balanced(&bench).await
}

#[tokio::test]
async fn one_card_buys_no_more_than_its_share() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let first = bench.hold(&ada, &["A-1-1", "A-1-2", "A-1-3"]).await?;
    let second = bench.hold(&bo, &["A-1-5", "A-1-6"]).await?;
    assert_eq!(bench.call_under("o", &ada, "POST", "orders", Some(&pay(&first, "pm_card_test_x"))).await?.0, 201);
    let (status, problem) = bench.call(&bo, "POST", "orders", Some(&pay(&second, "pm_card_test_x"))).await?;
    assert_eq!((status, &problem["code"]), (402, &json!("CARD_LIMIT")), "{problem}");
    assert_eq!(bench.call_under("o", &bo, "POST", "orders", Some(&pay(&second, "pm_card_test_y"))).await?.0, 201);
    for fan in [&ada, &bo] {
        assert_eq!(to_its_end(&bench, fan, "o").await?, OrderState::Delivered);
    }
    balanced(&bench).await
}
