//! 3-D Secure, and processes that die over it; and a provider that is stuck while a fan is at the bank.

use anyhow::{Context as _, Result};
use checkout::Terms;
use domain::ids::OrderId;
use domain::items::{OrderState, SeatState};
use onsale::payments::Money;
use serde_json::json;

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::challenge::{CARD, answer, challenged};
use crate::crash::{Dies, killed_after, killed_checkout, warm};
use crate::orders::{pay, to_its_end};

/// The bank's page of an order that is being paid, once somebody carries it on.
async fn bank(bench: &Bench, id: OrderId, terms: &Terms) -> Result<String> {
    let order = bench.table.order(&id).await?.context("an order")?;
    let carried = bench.checkout.settle_answer(order, terms).await?;
    assert_eq!(carried.order.state, OrderState::Paying);
    carried.action.context("the bank's page")
}

/// Checkout dies on its way to the bank; the fan comes back soon and passes the challenge, or never.
#[tokio::test]
async fn wherever_checkout_dies_on_its_way_to_the_bank_the_fan_can_go_on() -> Result<()> {
    let bench = Bench::start(40, 12).await?;
    for waits in 0..40 {
        bench.pulse(0).await?;
        let mut whole = false;
        let ways = [(Dies::Before, false), (Dies::After, false), (Dies::Before, true), (Dies::After, true)];
        for (column, (dies, never)) in ways.into_iter().enumerate() {
            let fan = bench.fan(&format!("{waits} {dies:?} {never}"));
            let seat = format!("A-{}-{}", waits + 1, 3 * column + 1);
            whole = killed_checkout(&bench, &fan, waits, dies, &seat, CARD).await?.is_some();
            let Some(order) = bench.order(&fan, "o").await? else { continue };
            let terms = if never { bench.terms_later(11 * 60_000).await? } else { bench.terms().await? };
            if !never {
                answer(&bank(&bench, order.id, &terms).await?, true).await?;
            }
            let end = bench.checkout.advance(&order.id, &terms).await?.state;
            let right = if never { [OrderState::SeatsGone, OrderState::Abandoned] } else { [OrderState::Delivered; 2] };
            assert!(right.contains(&end), "killed {dies:?} wait {waits}, never {never}: {end}");
        }
        if whole {
            assert!(waits >= 6, "claim, read, create, store, read, confirm: {waits} waits");
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("checkout waits more often than the hall has rows")
}

/// The fan is back from the bank, and whoever looks dies.
#[tokio::test]
async fn wherever_the_look_after_the_bank_dies_the_order_is_sold_once() -> Result<()> {
    let bench = Bench::start(40, 12).await?;
    for waits in 0..40 {
        bench.pulse(0).await?;
        let mut whole = false;
        for (column, (dies, yes)) in
            [(Dies::Before, true), (Dies::After, true), (Dies::Before, false), (Dies::After, false)]
                .into_iter()
                .enumerate()
        {
            let fan = bench.fan(&format!("{waits} {dies:?} {yes}"));
            let (_, url) = challenged(&bench, &fan, &format!("A-{}-{}", waits + 1, 3 * column + 1), CARD).await?;
            answer(&url, yes).await?;
            let order = bench.order(&fan, "o").await?.context("an order")?;
            let terms = warm(&bench).await?;
            whole = killed_after(waits, dies, bench.checkout.advance(&order.id, &terms)).await.is_some();
            let right = if yes { OrderState::Delivered } else { OrderState::Declined };
            assert_eq!(to_its_end(&bench, &fan, "o").await?, right, "killed {dies:?} wait {waits}");
        }
        if whole {
            return balanced(&bench).await;
        }
    }
    anyhow::bail!("a look waits more often than the hall has rows")
}

/// Whether the order's seat is still kept for it.
async fn is_claimed(bench: &Bench, fan: &Fan) -> Result<bool> {
    let seat = bench.order(fan, "o").await?.context("an order")?.places.seats[0].clone();
    let seats = bench.table.seats(&bench.event, &seat.block).await?;
    Ok(seats.iter().any(|one| one.seat == seat.seat && one.state == SeatState::Claimed))
}

/// Until the claim's end seats are kept, whatever the provider does. After it, an order that never reached the provider ends at
/// once; any other waits for the provider's word, since money may be set aside, and ends as that word says.
#[tokio::test]
async fn a_stuck_provider_keeps_seats_until_the_claim_ends_and_money_is_known() -> Result<()> {
    for (stuck, while_out, end) in [
        ("before the intent", Some(OrderState::Abandoned), OrderState::Abandoned),
        ("at the bank", None, OrderState::SeatsGone),
        ("after the card said yes", None, OrderState::Delivered),
    ] {
        let bench = Bench::start(1, 4).await?;
        let fan = bench.fan("ada");
        let out = json!({"outage": true});
        match stuck {
            "before the intent" => {
                let hold = bench.hold(&fan, &["A-1-1"]).await?;
                bench.control(out).await?;
                bench.call_under("o", &fan, "POST", "orders", Some(&pay(&hold, "pm_card_visa"))).await?;
            }
            "at the bank" => {
                challenged(&bench, &fan, "A-1-1", CARD).await?;
                bench.control(out).await?;
            }
            _ => {
                let (_, url) = challenged(&bench, &fan, "A-1-1", CARD).await?;
                answer(&url, true).await?;
                bench.control(out).await?;
            }
        }
        let id = bench.order(&fan, "o").await?.context("an order")?.id;
        let nine = bench.terms_later(9 * 60_000).await?;
        assert!(bench.checkout.advance(&id, &nine).await.is_err(), "{stuck}: the provider is out");
        assert!(is_claimed(&bench, &fan).await?, "{stuck}: kept at nine minutes");
        let eleven = bench.terms_later(11 * 60_000).await?;
        let state = bench.checkout.advance(&id, &eleven).await.ok().map(|order| order.state);
        assert_eq!((state, is_claimed(&bench, &fan).await?), (while_out, while_out.is_none()), "{stuck}");
        bench.control(json!({"outage": false})).await?;
        assert_eq!(bench.checkout.advance(&id, &eleven).await?.state, end, "{stuck}");
        let captured = bench.payments.movements().iter().any(|movement| movement.kind == Money::Capture);
        assert_eq!(captured, end == OrderState::Delivered, "{stuck}");
        balanced(&bench).await?;
    }
    Ok(())
}
