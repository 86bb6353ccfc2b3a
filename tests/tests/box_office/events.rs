//! What the payment provider tells by itself: kept before it is acknowledged, acted on once, believed for nothing.

use anyhow::{Context as _, Result};
use capture_lambda::records::Failures;
use capture_lambda::settle::Settle;
use checkout::wall_now;
use domain::items::{InboxItem, Order, OrderState};
use domain::webhook::{Secrets, sign};
use lambda_http::{Body, Request, RequestExt as _, http};
use onsale::payments::Money;
use serde_json::{Value, json};

use crate::after_sale::batch;
use crate::bench::{Answer, Bench, Fan};
use crate::books::balanced;
use crate::challenge::{CARD, answer, challenged};
use crate::orders::{pay, to_its_end};

pub const SECRET: &str = "whsec_of_the_bench_0123456789";
const NEXT: &str = "whsec_of_tomorrow_0123456789";

/// A box office that takes events signed with these.
pub async fn bench_with(secrets: &str) -> Result<Bench> {
    let mut bench = Bench::start(40, 12).await?;
    bench.app.webhook_secrets = Some(Secrets::parse(secrets)?);
    Ok(bench)
}

/// An event about an order, as the provider writes it.
fn event(id: &str, kind: &str, order: &str, more: &Value) -> String {
    let mut object = json!({"id": "pi_000000000001", "object": "payment_intent", "metadata": {"order": order}});
    object.as_object_mut().into_iter().for_each(|fields| fields.extend(more.as_object().cloned().unwrap_or_default()));
    json!({"id": id, "object": "event", "type": kind, "data": {"object": object}}).to_string()
}

fn signed(secret: &str, body: &str, later_s: i64) -> String {
    sign(body.as_bytes(), &Secrets::parse(secret).expect("a secret"), wall_now().plus(later_s * 1_000))
}

/// An event as the edge hands it on.
async fn deliver(bench: &Bench, signature: &str, body: Vec<u8>) -> Result<Answer> {
    let request = http::Request::builder().method("POST").uri("https://origin.invalid/v1/provider/events");
    let request: Request = request.header("stripe-signature", signature).body(Body::Binary(body))?;
    let response = booking_lambda::handle(&bench.app, &request.with_raw_http_path("/v1/provider/events")).await;
    Ok((response.status().as_u16(), serde_json::from_slice(response.body())?))
}

pub async fn tell(bench: &Bench, id: &str, kind: &str, order: &str) -> Result<Answer> {
    let body = event(id, kind, order, &json!({}));
    deliver(bench, &signed(SECRET, &body, 0), body.into_bytes()).await
}

async fn inbox(bench: &Bench) -> Result<Vec<InboxItem>> {
    Ok(bench.table.scan().await?.iter().filter_map(|item| InboxItem::from_item(item).ok()).collect())
}

/// The function that reads the stream; `kinds` are the records that it is given.
pub async fn settle(bench: &Bench, kinds: &[&str]) -> Result<Failures> {
    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    Ok(settle.handle(&batch(bench, kinds).await?).await)
}

pub async fn state(bench: &Bench, fan: &Fan) -> Result<OrderState> {
    Ok(bench.order(fan, "o").await?.context("an order")?.state)
}

/// A fan who passed the challenge and never came back: authorized at the provider, and nobody here knows.
pub async fn left_at_the_bank(bench: &Bench, fan: &Fan, seat: &str) -> Result<String> {
    let (order, url) = challenged(bench, fan, seat, CARD).await?;
    answer(&url, true).await?;
    Ok(order["order"].as_str().context("an id")?.to_owned())
}

pub const AUTHORIZED: &str = "payment_intent.amount_capturable_updated";

/// The first half is the twin: without the event the stream leaves an order alone that is being paid.
#[tokio::test]
async fn an_event_alone_finishes_an_order_that_its_fan_left() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let order = left_at_the_bank(&bench, &fan, "A-1-1").await?;
    assert_eq!(settle(&bench, &["order", "inbox"]).await?, Failures::default());
    assert_eq!(state(&bench, &fan).await?, OrderState::Paying, "nobody was told");
    assert_eq!(tell(&bench, "evt_1", AUTHORIZED, &order).await?, (200, json!({"kept": true})));
    assert_eq!(state(&bench, &fan).await?, OrderState::Paying, "acknowledged, and nothing more");
    assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
    assert_eq!(state(&bench, &fan).await?, OrderState::Delivered);
    balanced(&bench).await
}

/// B-50, B-54, B-55: the same event again and again, all at once, beside the fan's own polling and a record that comes twice.
#[tokio::test]
async fn an_event_that_comes_again_counts_up_and_does_nothing_twice() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let order = left_at_the_bank(&bench, &fan, "A-1-1").await?;
    for answer in futures::future::try_join_all((0..5).map(|_| tell(&bench, "evt_1", AUTHORIZED, &order))).await? {
        assert_eq!(answer.0, 200, "{answer:?}");
    }
    let path = format!("orders/{order}");
    let (first, second, polled) =
        tokio::join!(settle(&bench, &["inbox"]), settle(&bench, &["inbox"]), bench.call(&fan, "GET", &path, None));
    assert_eq!((first?, second?, polled?.0), (Failures::default(), Failures::default(), 200));
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    tell(&bench, "evt_1", AUTHORIZED, &order).await?;
    assert_eq!(settle(&bench, &["order", "inbox"]).await?, Failures::default());
    let kept = inbox(&bench).await?;
    assert_eq!(kept.iter().map(|item| (&*item.event, item.times)).collect::<Vec<_>>(), [("evt_1", 6)]);
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Capture]);
    balanced(&bench).await
}

/// Whatever an event claims, and in whatever order events come, the provider is asked how things stand.
#[tokio::test]
async fn no_event_is_believed() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let (order, url) = challenged(&bench, &fan, "A-1-1", CARD).await?;
    let order = order["order"].as_str().context("an id")?;
    let lies = json!({"amount": 1, "amount_received": 1, "status": "succeeded", "currency": "usd"});
    for (n, kind) in ["payment_intent.succeeded", "charge.refunded", "payment_intent.canceled", "charge.no_such_kind"]
        .iter()
        .enumerate()
    {
        let body = event(&format!("evt_{n}"), kind, order, &lies);
        assert_eq!(deliver(&bench, &signed(SECRET, &body, 0), body.into_bytes()).await?.0, 200);
    }
    assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
    assert_eq!(state(&bench, &fan).await?, OrderState::Paying, "the bank has not been answered");
    answer(&url, true).await?;
    assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
    let order = bench.order(&fan, "o").await?.context("an order")?;
    assert_eq!((order.state, order.total_minor), (OrderState::Delivered, 10_450));
    balanced(&bench).await
}

/// B-10, B-11, B-38: events of long ago, and of an authorization that lapsed under a sold order.
#[tokio::test]
async fn late_events_find_what_there_is() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let (order, _) = challenged(&bench, &ada, "A-1-1", CARD).await?;
    let gone = order["order"].as_str().context("an id")?;
    let late = bench.terms_later(11 * 60_000).await?;
    assert_eq!(bench.checkout.advance(&gone.parse()?, &late).await?.state, OrderState::SeatsGone);
    let hold = bench.hold(&bo, &["A-1-4"]).await?;
    assert_eq!(bench.call_under("o", &bo, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    let sold = bench.order(&bo, "o").await?.context("an order")?.id.to_string();
    bench.control(json!({"advance_ms": 7 * 24 * 60 * 60 * 1000_i64})).await?;
    tell(&bench, "evt_1", AUTHORIZED, gone).await?;
    tell(&bench, "evt_2", "charge.expired", &sold).await?;
    assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
    assert_eq!((state(&bench, &ada).await?, state(&bench, &bo).await?), (OrderState::SeatsGone, OrderState::Released));
    balanced(&bench).await
}

/// A refused capture is told as an event; if that brought on the next try, there would be no end to it.
#[tokio::test]
async fn a_refused_capture_is_not_tried_again_because_it_was_refused() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?.0, 201);
    let order = bench.order(&fan, "o").await?.context("an order")?;
    bench.control(json!({"decline_capture": true})).await?;
    tell(&bench, "evt_1", "charge.failed", &order.id.to_string()).await?;
    for _ in 0..3 {
        assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
        assert_eq!(settle(&bench, &["order"]).await?, Failures::default());
        let order: Order = bench.order(&fan, "o").await?.context("an order")?;
        assert_eq!((order.state, order.tries), (OrderState::Confirmed, 1));
    }
    // The twin: whoever carries it on without asking whether it was put off has the next refusal, and its event, each time.
    for tries in 2..5 {
        bench.checkout.advance(&order.id, &bench.terms().await?).await?;
        let order: Order = bench.order(&fan, "o").await?.context("an order")?;
        assert_eq!((order.state, order.tries), (OrderState::Confirmed, tries));
    }
    Ok(())
}

#[tokio::test]
async fn what_is_not_the_providers_or_not_about_us_leaves_nothing() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let order = left_at_the_bank(&bench, &fan, "A-1-1").await?;
    let body = event("evt_1", AUTHORIZED, &order, &json!({}));
    let stranger = event("evt_1", AUTHORIZED, "AAAAAAAAAAAAAAAAAAAAAA", &json!({}));
    let unknown = event("evt_1", "customer.created", &order, &json!({}));
    let long = body.replace("evt_1\"", &format!("evt_1\",\"pad\":\"{}\"", "x".repeat(70_000)));
    let now = |body: &str| signed(SECRET, body, 0);
    let before = bench.table.scan().await?;
    let calls = [
        ("forged", signed(NEXT, &body, 0), body.clone(), 400, "SIGNATURE_INVALID"),
        ("no header", String::new(), body.clone(), 400, "SIGNATURE_INVALID"),
        ("for another body", now(&stranger), body.clone(), 400, "SIGNATURE_INVALID"),
        ("truncated", now(&body), body[..body.len() - 2].to_owned(), 400, "SIGNATURE_INVALID"),
        ("a copy", signed(SECRET, &body, -301), body.clone(), 400, "SIGNATURE_INVALID"),
        ("of tomorrow", signed(SECRET, &body, 310), body.clone(), 400, "SIGNATURE_INVALID"),
        ("too long", now(&long), long.clone(), 400, "BAD_REQUEST"),
        ("no event", now("[]"), "[]".to_owned(), 400, "BAD_REQUEST"),
        ("an unknown kind", now(&unknown), unknown.clone(), 200, ""),
        ("an unknown order", now(&stranger), stranger.clone(), 200, ""),
    ];
    for (what, signature, body, status, code) in calls {
        let (got, answer) = deliver(&bench, &signature, body.into_bytes()).await?;
        assert_eq!((got, answer["code"].as_str().unwrap_or_default()), (status, code), "{what}: {answer}");
        assert_ne!(answer["kept"], json!(true), "{what}");
    }
    assert_eq!(bench.table.scan().await?, before, "nothing was written");
    assert_eq!(deliver(&bench, &now(&body), body.clone().into_bytes()).await?.1, json!({"kept": true}), "the twin");
    let silent = Bench::start(1, 1).await?;
    assert_eq!(deliver(&silent, &now(&body), body.into_bytes()).await?.0, 404, "no secret, no route");
    Ok(())
}

/// While a secret is replaced, events are signed by both, and we know both.
#[tokio::test]
async fn secrets_are_rotated_without_losing_an_event() -> Result<()> {
    let body = event("evt_1", AUTHORIZED, "AAAAAAAAAAAAAAAAAAAAAA", &json!({}));
    let both = format!("{NEXT},{SECRET}");
    let table = [
        (SECRET, SECRET, 200),
        (SECRET, &both, 200),
        (&both, &both, 200),
        (&both, NEXT, 200),
        (NEXT, NEXT, 200),
        (NEXT, SECRET, 400),
    ];
    for (ours, theirs, status) in table {
        let bench = bench_with(ours).await?;
        let answer = deliver(&bench, &signed(theirs, &body, 0), body.clone().into_bytes()).await?;
        assert_eq!(answer.0, status, "{ours} {theirs}");
    }
    Ok(())
}
