//! Crashes: checkout is dropped at every point at which it waits, and whoever comes next brings every order to its end.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::{Context as _, Result};
use checkout::{Terms, wall_now};
use domain::ids::OrderId;
use domain::items::OrderState;
use domain::order::{Claim, StoreIntent};
use onsale::payments::Money;

use crate::bench::{Bench, Fan};
use crate::books::balanced;

/// Runs a future until it has waited `left` times, then gives it up, as a process that is killed there.
struct Until<'a, F> {
    future: Pin<&'a mut F>,
    left: usize,
}

impl<F: Future> Future for Until<'_, F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if self.left == 0 => Poll::Ready(None),
            Poll::Pending => {
                self.left -= 1;
                Poll::Pending
            }
        }
    }
}

/// When the process dies, as seen from the last request that it made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dies {
    /// Before the request left.
    Before,
    /// After it took effect, with the reply unread.
    After,
}

pub async fn killed_after<F: Future>(waits: usize, dies: Dies, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let output = Until { future: future.as_mut(), left: waits }.await;
    if output.is_none() && dies == Dies::After {
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    output
}

/// A kill breaks connections; with idle ones at hand, a run waits exactly once for each request that it makes, so that
/// counting waits meets every request.
pub async fn warm(bench: &Bench) -> Result<Terms> {
    let _ = bench.provider.retrieve("pi_none").await; // only its connection is wanted
    bench.terms().await
}

async fn claim(bench: &Bench, fan: &Fan, key: &str, seat: &str, method: &str) -> Result<Claim> {
    let hold = bench.hold(fan, &[seat]).await?.parse()?;
    let hold = bench.table.hold(&hold).await?.context("the hold")?;
    let terms = bench.terms().await?;
    Ok(Claim {
        hold,
        account: fan.account,
        order: OrderId::derive(&fan.account, key),
        method: method.to_owned(),
        limit: 4,
        now: terms.now(),
        created: wall_now(),
        fingerprint: "print".to_owned(),
        counted: true,
    })
}

/// Checkout killed after `waits`; `None` when it was killed.
pub async fn killed_checkout(
    bench: &Bench,
    fan: &Fan,
    waits: usize,
    dies: Dies,
    seat: &str,
    method: &str,
) -> Result<Option<()>> {
    let claim = claim(bench, fan, "o", seat, method).await?;
    let terms = warm(bench).await?;
    let paid = killed_after(waits, dies, bench.checkout.pay(claim, &terms)).await;
    Ok(paid.map(|outcome| outcome.map(drop)).transpose()?)
}

/// The end of an order that was left, if there is one.
async fn ended(bench: &Bench, fan: &Fan, terms: &Terms) -> Result<Option<OrderState>> {
    match bench.order(fan, "o").await? {
        Some(order) => Ok(Some(bench.checkout.advance(&order.id, terms).await?.state)),
        None => Ok(None),
    }
}

/// Kills checkout at every point at which it waits, before and after the request there took effect, until it is not
/// killed any more. At each point one order is found soon, and one after its deadline.
async fn every_point(method: &str, soon: &[OrderState], late: &[OrderState]) -> Result<Bench> {
    let bench = Bench::start(40, 12).await?;
    for waits in 0..40 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, (dies, later)) in
            [(Dies::Before, false), (Dies::After, false), (Dies::Before, true), (Dies::After, true)]
                .into_iter()
                .enumerate()
        {
            let fan = bench.fan(&format!("{waits} {dies:?} {later}"));
            let seat = format!("A-{}-{}", waits + 1, 3 * column + 1);
            whole = killed_checkout(&bench, &fan, waits, dies, &seat, method).await?.is_some();
            let terms = if later { bench.terms_later(11 * 60_000).await? } else { bench.terms().await? };
            if let Some(state) = ended(&bench, &fan, &terms).await? {
                let right = if later { late } else { soon };
                assert!(right.contains(&state), "killed {dies:?} wait {waits}, late {later}: {state}");
            }
        }
        if whole {
            assert!(waits >= 6, "claim, read, create, store, read, confirm: {waits} waits");
            return Ok(bench);
        }
    }
    anyhow::bail!("checkout waits more often than the hall has rows")
}

#[tokio::test]
async fn wherever_checkout_dies_every_order_ends_and_is_captured_once_or_voided() -> Result<()> {
    let late = [OrderState::Delivered, OrderState::Abandoned, OrderState::SeatsGone];
    let bench = every_point("pm_card_visa", &[OrderState::Delivered], &late).await?;
    balanced(&bench).await
}

#[tokio::test]
async fn wherever_checkout_dies_a_declined_card_moves_nothing() -> Result<()> {
    let late = [OrderState::Declined, OrderState::Abandoned, OrderState::SeatsGone];
    let bench = every_point("pm_card_chargeDeclined", &[OrderState::Declined], &late).await?;
    assert!(bench.payments.movements().iter().all(|movement| movement.kind == Money::Decline));
    balanced(&bench).await
}

#[tokio::test]
async fn wherever_settle_dies_an_order_is_captured_and_delivered_once() -> Result<()> {
    let bench = Bench::start(40, 12).await?;
    for waits in 0..40 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, dies) in [Dies::Before, Dies::After].into_iter().enumerate() {
            let fan = bench.fan(&format!("{waits} {dies:?}"));
            let seat = format!("A-{}-{}", waits + 1, 3 * column + 1);
            killed_checkout(&bench, &fan, usize::MAX, dies, &seat, "pm_card_visa").await?;
            let order = bench.order(&fan, "o").await?.context("an order")?;
            let terms = warm(&bench).await?;
            whole = killed_after(waits, dies, bench.checkout.advance(&order.id, &terms)).await.is_some();
            assert_eq!(ended(&bench, &fan, &terms).await?, Some(OrderState::Delivered), "killed {dies:?} wait {waits}");
        }
        if whole {
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("settle waits more often than the hall has rows")
}

/// The twin: a checkout that asks the card before the order knows the intent.
async fn hasty(bench: &Bench, claim: Claim) -> Result<()> {
    let id = claim.order;
    bench.table.decide(claim).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let order = bench.table.order(&id).await?.context("an order")?;
    let intent = bench.provider.create(&order, &order.method.parse()?).await?.id;
    bench.provider.confirm(&order, &intent).await?;
    let store = StoreIntent { order, intent, now: bench.terms().await?.now() };
    bench.table.decide(store).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    Ok(())
}

#[tokio::test]
async fn a_checkout_that_asks_the_card_before_storing_its_intent_leaves_money_behind() -> Result<()> {
    let bench = Bench::start(40, 12).await?;
    for waits in 0..20 {
        bench.pulse(0).await?;
        let fan = bench.fan(&format!("{waits}"));
        let claim = claim(&bench, &fan, "o", &format!("A-{}-1", waits + 1), "pm_card_visa").await?;
        warm(&bench).await?;
        killed_after(waits, Dies::After, hasty(&bench, claim)).await;
        ended(&bench, &fan, &bench.terms_later(11 * 60_000).await?).await?;
    }
    assert!(balanced(&bench).await.is_err(), "the tests above would not see an authorization that nobody ends");
    Ok(())
}
