//! Events of the payment provider, and processes that die over them.

use anyhow::Result;
use capture_lambda::records::Failures;
use capture_lambda::settle::Settle;
use domain::items::OrderState;

use crate::after_sale::batch;
use crate::books::balanced;
use crate::crash::{Dies, killed_after, warm};
use crate::events::{AUTHORIZED, SECRET, bench_with, left_at_the_bank, settle, state, tell};

/// The process dies while it keeps an event: it is not acknowledged, so it comes again, and the order ends.
#[tokio::test]
async fn wherever_the_receiver_dies_the_event_is_not_lost() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    for waits in 0..10 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, dies) in [Dies::Before, Dies::After].into_iter().enumerate() {
            let fan = bench.fan(&format!("{waits} {dies:?}"));
            let order = left_at_the_bank(&bench, &fan, &format!("A-{}-{}", waits + 1, 3 * column + 1)).await?;
            warm(&bench).await?;
            let id = format!("evt_{waits}{column}");
            let acknowledged = killed_after(waits, dies, tell(&bench, &id, AUTHORIZED, &order)).await;
            whole = acknowledged.is_some();
            if !whole {
                tell(&bench, &id, AUTHORIZED, &order).await?;
            }
            assert_eq!(settle(&bench, &["inbox"]).await?, Failures::default());
            assert_eq!(state(&bench, &fan).await?, OrderState::Delivered, "killed {dies:?} wait {waits}");
        }
        if whole {
            assert!(waits >= 1, "keeping an event is one request at least");
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("the receiver waits more often than the hall has rows")
}

/// The twin: a receiver that acknowledges first and dies before it has kept anything.
#[tokio::test]
async fn an_event_that_is_acknowledged_before_it_is_kept_is_lost() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    let fan = bench.fan("ada");
    let order = left_at_the_bank(&bench, &fan, "A-1-1").await?;
    warm(&bench).await?;
    killed_after(0, Dies::Before, tell(&bench, "evt_1", AUTHORIZED, &order)).await; // and nobody sends it again
    assert_eq!(settle(&bench, &["order", "inbox"]).await?, Failures::default());
    assert_eq!(state(&bench, &fan).await?, OrderState::Paying, "the tests above would not see a lost event");
    Ok(())
}

/// Settle dies at every point at which it waits while it acts on an event; the record comes again.
#[tokio::test]
async fn wherever_settle_dies_an_event_is_acted_on_once() -> Result<()> {
    let bench = bench_with(SECRET).await?;
    for waits in 0..40 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, dies) in [Dies::Before, Dies::After].into_iter().enumerate() {
            let fan = bench.fan(&format!("{waits} {dies:?}"));
            let order = left_at_the_bank(&bench, &fan, &format!("A-{}-{}", waits + 1, 3 * column + 1)).await?;
            tell(&bench, &format!("evt_{waits}{column}"), AUTHORIZED, &order).await?;
            let mut records = batch(&bench, &["inbox"]).await?;
            records.records.retain(|record| record.text("pk") == Some(&format!("ORDER#{order}")));
            let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
            warm(&bench).await?;
            whole = killed_after(waits, dies, settle.handle(&records)).await.is_some();
            assert_eq!(settle.handle(&records).await, Failures::default());
            assert_eq!(state(&bench, &fan).await?, OrderState::Delivered, "killed {dies:?} wait {waits}");
        }
        if whole {
            assert!(waits >= 6, "read, clock, ask, sell, capture, mark, deliver: {waits} waits");
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("settle waits more often than the hall has rows")
}
