//! Limits: of an account over all its holds and orders, of a card over all its sales; in parallel, and given back.

use anyhow::Result;
use domain::items::OrderState;
use futures::future::try_join_all;
use serde_json::{Value, json};

use crate::bench::{Answer, Bench, Fan};
use crate::books::balanced;
use crate::orders::{pay, to_its_end};

fn code(answer: &Answer) -> &str {
    answer.1["code"].as_str().unwrap_or_default()
}

async fn standing(bench: &Bench, fan: &Fan, quantity: u32) -> Result<Answer> {
    let wish = json!({"pools": [{"pool": "floor", "quantity": quantity}]});
    bench.call(fan, "POST", "holds", Some(&wish)).await
}

/// Ten holds at once and ten orders at once of one account, whose limit is four: seats, standing places, and over orders.
#[tokio::test]
async fn an_account_does_not_pass_its_limit_by_asking_ten_times_at_once() -> Result<()> {
    let bench = Bench::start(4, 10).await?;
    let fan = bench.fan("ada");
    let first = bench.hold(&fan, &["A-1-1", "A-1-2", "A-1-3"]).await?;
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&pay(&first, "pm_card_visa"))).await?.0, 201);
    let asked = try_join_all((0..10).map(|_| standing(&bench, &fan, 2))).await?;
    for answer in &asked {
        assert_eq!((answer.0, code(answer)), (409, "LIMIT_EXCEEDED"), "three are bought");
        assert_eq!((&answer.1["limit"], &answer.1["committed"]), (&json!(4), &json!(3)), "the limit is named");
    }
    let asked = try_join_all((0..10).map(|_| standing(&bench, &fan, 1))).await?;
    let (won, lost): (Vec<&Answer>, Vec<&Answer>) = asked.iter().partition(|answer| answer.0 == 201);
    assert_eq!((won.len(), lost.iter().filter(|answer| code(answer) == "HOLD_EXISTS").count()), (1, 9), "{asked:?}");
    let hold = won[0].1["hold"].as_str().unwrap_or_default();
    let body = pay(hold, "pm_card_visa");
    let orders = try_join_all((0..10).map(|_| bench.call(&fan, "POST", "orders", Some(&body)))).await?;
    assert_eq!(orders.iter().filter(|answer| answer.0 == 201).count(), 1, "{orders:?}");
    assert_eq!(code(&standing(&bench, &fan, 1).await?), "LIMIT_EXCEEDED");
    let usage = bench.table.usage(&fan.account, &bench.event).await?.map(|usage| usage.committed);
    assert_eq!(usage, Some(4));
    Ok(())
}

/// Ten accounts with one card, whose limit is four, pay at once.
#[tokio::test]
async fn a_card_does_not_pass_its_limit_by_paying_ten_times_at_once() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fans: Vec<Fan> = (0..10).map(|n| bench.fan(&format!("fan {n}"))).collect();
    let mut holds = Vec::new();
    for fan in &fans {
        holds.push(standing(&bench, fan, 1).await?.1["hold"].as_str().unwrap_or_default().to_owned());
    }
    let body = |hold: &str| pay(hold, "pm_card_test_shared");
    let bodies: Vec<Value> = holds.iter().map(|hold| body(hold)).collect();
    let calls = fans.iter().zip(&bodies).map(|(fan, body)| bench.call_under("o", fan, "POST", "orders", Some(body)));
    let answers = try_join_all(calls).await?;
    let sold = answers.iter().filter(|answer| answer.0 == 201).count();
    let refused: Vec<&Answer> = answers.iter().filter(|answer| code(answer) == "CARD_LIMIT").collect();
    assert_eq!((sold, refused.len()), (4, 6), "{answers:?}");
    assert!(refused.iter().all(|answer| answer.0 == 402 && answer.1["limit"] == 4), "the limit is named");
    for (fan, answer) in fans.iter().zip(&answers) {
        let end = if answer.0 == 201 { OrderState::Delivered } else { OrderState::Declined };
        assert_eq!(to_its_end(&bench, fan, "o").await?, end);
    }
    balanced(&bench).await
}

/// What is given back may be bought again, by the account and with the card.
#[tokio::test]
async fn a_cancellation_gives_both_limits_back() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    for (round, key) in ["o1", "o2", "o3"].into_iter().enumerate() {
        let hold = bench.hold(&fan, &["A-1-1", "A-1-2", "A-1-3", "A-1-4"]).await?;
        let wish = pay(&hold, "pm_card_test_own");
        let (status, order) = bench.call_under(key, &fan, "POST", "orders", Some(&wish)).await?;
        assert_eq!(status, 201, "round {round}: {order}");
        assert_eq!(code(&standing(&bench, &fan, 1).await?), "LIMIT_EXCEEDED");
        let path = format!("orders/{}/cancellation", order["order"].as_str().unwrap_or_default());
        assert_eq!(bench.call(&fan, "POST", &path, None).await?.0, 202);
        assert_eq!(to_its_end(&bench, &fan, key).await?, OrderState::Cancelled);
    }
    let usage = bench.table.usage(&fan.account, &bench.event).await?.map(|usage| usage.committed);
    assert_eq!(usage, Some(0));
    balanced(&bench).await
}

/// B-92: an account that takes and gives back without end is slowed down, told for how long, and nobody else is.
#[tokio::test]
async fn holding_and_releasing_without_end_is_slowed_down_for_its_account_alone() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    for _ in 0..domain::usage::BURST {
        let hold = bench.hold(&ada, &["A-1-1"]).await?;
        assert_eq!(bench.call(&ada, "DELETE", &format!("holds/{hold}"), None).await?.0, 204);
    }
    let wish = json!({"seats": ["A-1-1"]});
    for _ in 0..3 {
        let slowed = bench.call(&ada, "POST", "holds", Some(&wish)).await?;
        assert_eq!((slowed.0, code(&slowed)), (429, "SLOW_DOWN"), "{slowed:?}");
        let wait = slowed.1["retry_after_ms"].as_i64().unwrap_or_default();
        assert!((1..=domain::usage::PACE_MS).contains(&wait), "{wait}");
    }
    bench.hold(&bo, &["A-1-1"]).await?;
    Ok(())
}
