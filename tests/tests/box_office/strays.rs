//! Money that moves at the provider without a step of ours: what is said of it, and what is left alone.

use anyhow::{Context as _, Result};
use capture_lambda::records::Failures;
use domain::audit::{Code, check};
use domain::items::OrderState;
use domain::webhook::Secrets;
use serde_json::json;

use crate::audit::Hall;
use crate::events::{SECRET, settle, tell};
use crate::orders::to_its_end;

/// A hall that hears the provider's events.
async fn hall() -> Result<Hall> {
    let mut hall = Hall::start().await?;
    hall.bench.app.webhook_secrets = Some(Secrets::parse(SECRET)?);
    Ok(hall)
}

/// B-22: an order was charged twice, and a person at the provider gives the second charge back. Nothing here goes back with it.
#[tokio::test]
async fn refunding_a_second_charge_leaves_the_order_as_it_is() -> Result<()> {
    let hall = hall().await?;
    let order = hall.sold.id.to_string();
    let before = hall.bench.table.order(&hall.sold.id).await?;
    let second = hall.charge(Some(order.clone()), true).await?;
    tell(&hall.bench, "evt_1", "charge.captured", &order).await?;
    assert_eq!(settle(&hall.bench, &["order", "inbox"]).await?, Failures::default());
    assert_eq!(hall.codes().await?, [Code::MoneyDiffers], "a person is told");
    hall.provider("refunds", &[("payment_intent", &second)]).await?;
    for (n, kind) in ["charge.refunded", "refund.created", "payment_intent.canceled"].into_iter().enumerate() {
        assert_eq!(tell(&hall.bench, &format!("evt_r{n}"), kind, &order).await?.0, 200);
    }
    assert_eq!(settle(&hall.bench, &["order", "inbox"]).await?, Failures::default());
    assert_eq!(hall.bench.table.order(&hall.sold.id).await?, before, "still sold, with its own money");
    assert_eq!(hall.codes().await?, [], "and the books balance: seats, tickets, ledger, provider");
    Ok(())
}

/// B-24: the provider has kept too much, or too little, of an order: listed with both amounts. The order is not stuck for that; its
/// fan can give it back, and then nothing of its own money is kept.
#[tokio::test]
async fn too_much_and_too_little_are_listed_and_stop_nothing() -> Result<()> {
    for too_much in [true, false] {
        let hall = hall().await?;
        let order = hall.sold.id.to_string();
        let own = hall.sold.intent.clone().context("an intent")?;
        if too_much {
            hall.charge(Some(order.clone()), true).await?;
        } else {
            hall.provider("refunds", &[("payment_intent", &own), ("amount", "500")]).await?;
        }
        let due = hall.sold.total_minor;
        let kept = if too_much { due + 500 } else { due - 500 };
        let found = check(&hall.books().await?);
        let note = format!("{due} EUR are due, the provider kept {kept}");
        let money = found.iter().find(|finding| finding.code == Code::MoneyDiffers).context("a finding")?;
        assert!(money.note.contains(&note), "{}", money.note);
        let ada = hall.bench.fan("ada");
        let answer = hall.bench.call(&ada, "POST", &format!("orders/{order}/cancellation"), Some(&json!({}))).await?;
        assert!(matches!(answer.0, 200 | 202), "{answer:?}");
        assert_eq!(to_its_end(&hall.bench, &ada, "o").await?, OrderState::Refunded);
        let books = hall.books().await?;
        let payment = books.payments.iter().find(|payment| payment.id == own).context("its payment")?;
        assert_eq!(payment.refunded_minor, Some(payment.received_minor), "all of its own money went back, once");
    }
    Ok(())
}
