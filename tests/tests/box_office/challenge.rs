//! 3-D Secure: the bank wants to see the fan before it answers.

use anyhow::{Context as _, Result};
use domain::items::{HoldState, OrderState, SeatState};
use onsale::payments::Money;
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::orders::{pay, to_its_end};

pub const CARD: &str = "pm_card_threeDSecure2Required";

/// An order that waits for its fan at the bank: the answer and the bank's address.
pub async fn challenged(bench: &Bench, fan: &Fan, seat: &str, card: &str) -> Result<(Value, String)> {
    let hold = bench.hold(fan, &[seat]).await?;
    let (status, order) = bench.call_under("o", fan, "POST", "orders", Some(&pay(&hold, card))).await?;
    assert_eq!(
        (status, &order["state"], &order["action"]["type"]),
        (202, &json!("paying"), &json!("redirect")),
        "{order}"
    );
    let url = order["action"]["url"].as_str().context("an address")?.to_owned();
    Ok((order, url))
}

/// What the bank's page does; answers where it sends the browser.
pub async fn answer(url: &str, yes: bool) -> Result<String> {
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    assert!(http.get(url).send().await?.text().await?.contains("Yes, it is me"));
    let reply = http.post(url).form(&[("answer", if yes { "yes" } else { "no" })]).send().await?;
    assert_eq!(reply.status(), 303);
    Ok(reply.headers()["location"].to_str()?.to_owned())
}

fn path(order: &Value) -> String {
    format!("orders/{}", order["order"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_fan_who_passes_the_challenge_has_bought() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let (order, url) = challenged(&bench, &fan, "A-1-1", CARD).await?;
    let again = bench.call(&fan, "GET", &path(&order), None).await?.1;
    assert_eq!((&again["state"], &again["action"]), (&json!("paying"), &order["action"]), "a reload knows where to go");
    assert_eq!(bench.payments.movements(), []);
    let back = answer(&url, true).await?;
    let page = format!("https://tickets.example/e/bench/{}?payment_intent=pi_", path(&order));
    assert!(back.starts_with(&page) && back.ends_with("redirect_status=succeeded"), "{back}");
    let bought = bench.call(&fan, "GET", &path(&order), None).await?.1;
    assert_eq!(
        (&bought["state"], bought["tickets"].as_array().map(Vec::len)),
        (&json!("confirmed"), Some(1)),
        "{bought}"
    );
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    balanced(&bench).await
}

#[tokio::test]
async fn a_fan_who_fails_it_may_try_another_card() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, (card, yes, code)) in [
        (CARD, false, "payment_intent_authentication_failure"),
        ("pm_card_threeDSecureRequiredChargeDeclined", true, "generic_decline"),
    ]
    .into_iter()
    .enumerate()
    {
        let fan = bench.fan(&format!("fan {n}"));
        let (order, url) = challenged(&bench, &fan, &format!("A-1-{}", 2 * n + 1), card).await?;
        assert!(answer(&url, yes).await?.ends_with("redirect_status=failed"));
        let declined = bench.call(&fan, "GET", &path(&order), None).await?.1;
        assert_eq!((&declined["state"], &declined["decline_code"]), (&json!("declined"), &json!(code)), "{declined}");
        let hold = order["hold"].as_str().unwrap_or_default();
        assert_eq!(bench.call_under("o2", &fan, "POST", "orders", Some(&pay(hold, "pm_card_visa"))).await?.0, 201);
        assert_eq!(to_its_end(&bench, &fan, "o2").await?, OrderState::Delivered);
    }
    balanced(&bench).await
}

/// B-15: nine minutes at the bank cost nothing; after eleven the seats are lost and the authorization is ended. B-10: what the bank
/// says later changes nothing.
#[tokio::test]
async fn a_challenge_that_is_left_ends_with_the_claim() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    let (order, url) = challenged(&bench, &ada, "A-1-1", CARD).await?;
    let id = order["order"].as_str().context("an order")?.parse()?;
    let at = async |minutes: i64| {
        bench.checkout.advance(&id, &bench.terms_later(minutes * 60_000).await?).await.map_err(anyhow::Error::from)
    };
    let early = at(9).await?;
    let seat = early.places.seats[0].clone();
    let seats = bench.table.seats(&bench.event, &seat.block).await?;
    let state = seats.iter().find(|one| one.seat == seat.seat).map(|one| one.state);
    assert_eq!((early.state, state), (OrderState::Paying, Some(SeatState::Claimed)), "still held");
    assert_eq!(at(11).await?.state, OrderState::SeatsGone);
    let http = reqwest::Client::new();
    assert!(http.get(&url).send().await?.text().await?.contains("Nothing to confirm"));
    http.post(&url).form(&[("answer", "yes")]).send().await?;
    assert_eq!(bench.payments.movements(), [], "nothing was set aside");
    let hold = bench.table.hold(&early.hold).await?.map(|hold| hold.state);
    assert_eq!(hold, Some(HoldState::Released));
    bench.hold(&bo, &["A-1-1"]).await?;
    balanced(&bench).await
}

#[tokio::test]
async fn a_fan_may_give_the_challenge_up_for_another_card() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let (order, url) = challenged(&bench, &fan, "A-1-1", CARD).await?;
    let hold = order["hold"].as_str().unwrap_or_default();
    let other = pay(hold, "pm_card_visa");
    assert_eq!(bench.call(&fan, "POST", "orders", Some(&other)).await?.1["code"], "HOLD_BEING_PAID");
    let cancellation = format!("{}/cancellation", path(&order));
    let (status, given_up) = bench.call(&fan, "POST", &cancellation, None).await?;
    assert_eq!((status, &given_up["state"], &given_up["decline_code"]), (200, &json!("declined"), &json!("given_up")));
    let late = reqwest::Client::new().post(&url).form(&[("answer", "yes")]).send().await?;
    assert!(late.status().is_success() && bench.payments.movements().is_empty(), "the bank comes too late");
    assert_eq!(bench.call_under("o2", &fan, "POST", "orders", Some(&other)).await?.0, 201);
    assert_eq!(to_its_end(&bench, &fan, "o2").await?, OrderState::Delivered);
    let kinds: Vec<Money> = bench.payments.movements().iter().map(|movement| movement.kind).collect();
    assert_eq!(kinds, [Money::Authorize, Money::Capture]);
    balanced(&bench).await
}

/// B-43: the reply to the confirmation is lost and another tab comes; the attempt has one intent.
#[tokio::test]
async fn a_lost_reply_and_a_new_tab_are_one_authorization() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    bench.control(json!({"lose_reply": {"confirm": 6}})).await?;
    let wish = pay(&hold, "pm_card_visa");
    let (first, _) = bench.call_under("o", &fan, "POST", "orders", Some(&wish)).await?;
    assert!(matches!(first, 201 | 202), "{first}");
    let tab = bench.call(&fan, "POST", "orders", Some(&wish)).await?;
    assert_eq!(tab.1["code"], "HOLD_BEING_PAID", "another key is another wish");
    bench.control(json!({"lose_reply": {"confirm": 0}})).await?;
    let calls = (0..3).map(|_| bench.call_under("o", &fan, "POST", "orders", Some(&wish)));
    for (status, body) in futures::future::try_join_all(calls).await? {
        assert_eq!(status, 201, "{body}");
    }
    assert_eq!(to_its_end(&bench, &fan, "o").await?, OrderState::Delivered);
    assert_eq!(bench.payments.movements().iter().filter(|movement| movement.kind == Money::Authorize).count(), 1);
    balanced(&bench).await
}
