//! What is stored of a person: all of it is handed out, and it is erased as far as nothing needs it any more.

use anyhow::{Context as _, Result};
use domain::erasure::{NOBODY, StillNeeded};
use domain::ids::OrderId;
use domain::items::OrderState;
use domain::time::WallMs;
use onsale::account::{erase, export};
use serde_json::json;

use crate::bench::{Bench, Fan};
use crate::books::balanced;
use crate::orders::{pay, to_its_end};

const MAIL: &str = "ada@fans.example";

/// Two fans bought with one card; the first left a mail address.
async fn sold() -> Result<(Bench, Fan, Fan, WallMs)> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    for (fan, seat, mail) in [(&ada, "A-1-1", Some(MAIL)), (&bo, "A-1-3", None)] {
        let hold = bench.hold(fan, &[seat]).await?;
        let mut wish = pay(&hold, "pm_card_test_x");
        wish["mail"] = json!(mail);
        assert_eq!(bench.call_under("o", fan, "POST", "orders", Some(&wish)).await?.0, 201);
        assert_eq!(to_its_end(&bench, fan, "o").await?, OrderState::Delivered);
    }
    let ends = bench.table.definition(&bench.event).await?.context("a definition")?.ends_at_ms;
    Ok((bench, ada, bo, ends))
}

fn order_of(fan: &Fan) -> OrderId {
    OrderId::derive(&fan.account, "o")
}

#[tokio::test]
async fn a_person_gets_all_that_is_stored() -> Result<()> {
    let (bench, ada, ..) = sold().await?;
    let all = export(&bench.table, &ada.account).await?;
    let kinds: Vec<&str> =
        all["items"].as_array().context("items")?.iter().filter_map(|item| item["k"].as_str()).collect();
    for kind in ["usage", "order", "hold", "card", "contact", "ledger", "delivery"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert!(all.to_string().contains(MAIL));
    assert_eq!(export(&bench.table, &bench.fan("nobody").account).await?["items"], json!([]));
    Ok(())
}

#[tokio::test]
async fn after_the_event_nothing_tells_of_the_person_and_the_books_balance() -> Result<()> {
    let (bench, ada, bo, ends) = sold().await?;
    let before = export(&bench.table, &ada.account).await?;
    let early = erase(&bench.table, &ada.account, ends.plus(-1)).await?;
    assert_eq!((early.orders.len(), early.kept), (0, vec![StillNeeded::Until(order_of(&ada), ends)]));
    assert_eq!(early.counts.len(), 1, "the limit is still counted");
    assert_eq!(export(&bench.table, &ada.account).await?, before, "nothing is half erased");

    let erased = erase(&bench.table, &ada.account, ends).await?;
    assert_eq!((erased.orders, erased.kept.len(), erased.counts.len()), (vec![order_of(&ada)], 0, 0));
    let left = format!("{:?}", bench.table.scan().await?);
    assert!(!left.contains(&ada.account.to_string()) && !left.contains(MAIL), "{left}");
    let order = bench.table.order(&order_of(&ada)).await?.context("the order stays")?;
    assert_eq!((order.account, order.card, order.state), (NOBODY, None, OrderState::Delivered));
    balanced(&bench).await?;
    assert!(erase(&bench.table, &ada.account, ends).await?.orders.is_empty(), "twice is once");

    assert_eq!(erase(&bench.table, &bo.account, ends).await?.orders, [order_of(&bo)]);
    let left = format!("{:?}", bench.table.scan().await?);
    assert!(!left.contains("CARD#"), "the last one takes the card's count along");
    balanced(&bench).await
}

#[tokio::test]
async fn what_is_under_way_is_not_erased() -> Result<()> {
    let (bench, ada, bo, ends) = sold().await?;
    let cy = bench.fan("cy");
    let hold = bench.hold(&cy, &["A-1-5"]).await?;
    let wish = pay(&hold, "pm_card_threeDSecure2Required");
    assert_eq!(bench.call_under("o", &cy, "POST", "orders", Some(&wish)).await?.0, 202);
    assert_eq!(erase(&bench.table, &cy.account, ends).await?.kept, [StillNeeded::Unfinished(order_of(&cy))]);

    // Read before its fan gives it back, written after that: the plan finds another order than it was made for.
    let file = bench.table.account(&ada.account).await?.orders.remove(0);
    let path = format!("orders/{}/cancellation", order_of(&ada));
    assert!(bench.call(&ada, "POST", &path, None).await?.0 < 300);
    assert!(bench.table.commit(&file.erase(ends)?).await.is_err());
    assert_eq!(to_its_end(&bench, &ada, "o").await?, OrderState::Refunded);
    assert_eq!(erase(&bench.table, &ada.account, ends).await?.orders, [order_of(&ada)]);
    assert_eq!(bench.table.usage(&bo.account, &bench.event).await?.context("his count")?.committed, 1);
    Ok(())
}
