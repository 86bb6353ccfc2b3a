//! An account's orders of all events, a page at a time.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use checkout::wall_now;
use domain::ids::{AccountId, OrderId};
use domain::items::{Order, OrderState, key};
use domain::plan::{Cond, Plan, Write};
use domain::time::WallMs;
use domain::token::{AccountToken, Claims, Token as _, account_scope};
use serde_json::{Value, json};

use crate::after_sale::buys;
use crate::bench::Bench;

fn token(bench: &Bench, account: AccountId, expires: WallMs) -> String {
    let token = AccountToken { account, rehearsal: false, claims: Claims::NONE, expires };
    token.encode(&bench.app.keys, &account_scope())
}

/// The account's page after another one.
async fn page(bench: &Bench, token: &str, after: Option<&str>) -> Result<(u16, Value)> {
    let path = after.map_or_else(|| "/v1/orders".to_owned(), |after| format!("/v1/orders?after={after}"));
    bench.send("GET", &path, &[("x-account-token", token)], None).await
}

/// Orders like this one, made one second apart.
async fn more(bench: &Bench, order: &Order, count: u8) -> Result<()> {
    for n in 1..=count {
        let created = order.created.plus(i64::from(n) * 1_000);
        let order = Order { id: OrderId::from_bytes([n; 16]), created, ..order.clone() };
        let plan = Plan::new(vec![Write::put(order.to_item(), Cond::Absent)]);
        bench.table.commit(&plan).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    }
    Ok(())
}

#[tokio::test]
async fn every_order_is_on_one_page_newest_first() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let (ada, bo) = (bench.fan("ada"), bench.fan("bo"));
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    assert_eq!(buys(&bench, &bo, "A-1-3").await?, 201);
    let first = bench.order(&ada, "o").await?.context("an order")?;
    let declined = Order { state: OrderState::Declined, ..first.clone() };
    more(&bench, &declined, 44).await?;
    let shown = token(&bench, ada.account, wall_now().plus(60_000));
    let (mut seen, mut sizes, mut after) = (Vec::new(), Vec::new(), None);
    loop {
        let (status, body) = page(&bench, &shown, after.as_deref()).await?;
        assert_eq!(status, 200, "{body}");
        let orders = body["orders"].as_array().context("orders")?;
        sizes.push(orders.len());
        seen.extend(orders.iter().map(|order| (order["created_ms"].as_i64(), order["order"].to_string())));
        after = body["next"].as_str().map(str::to_owned);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [20, 20, 5]);
    assert!(seen.is_sorted_by(|a, b| a.0 >= b.0), "newest first");
    assert_eq!(seen.iter().map(|(_, id)| id).collect::<BTreeSet<_>>().len(), 45, "each once");
    let (_, last) =
        page(&bench, &shown, Some(&format!("{}.{}", first.created.0 + 1_000, OrderId::from_bytes([1; 16])))).await?;
    let order = &last["orders"][0];
    assert_eq!((&order["event"]["name"], &order["state"]), (&"Bench".into(), &"confirmed".into()), "{last}");
    let pdf = order["documents"]["pdf"].as_str().context("a link")?;
    let pdf = pdf.strip_prefix("/v1/events/bench/").context("a path of the event")?;
    assert_eq!(bench.fetch(pdf).await?.0, 200, "without any turn");
    Ok(())
}

#[tokio::test]
async fn others_and_nonsense_get_nothing() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let good = token(&bench, ada.account, wall_now().plus(60_000));
    assert_eq!(page(&bench, &good, None).await?.1["orders"].as_array().map(Vec::len), Some(1), "the twin");
    let stranger = token(&bench, AccountId::derive("bench", "bo"), wall_now().plus(60_000));
    assert_eq!(page(&bench, &stranger, None).await?.1["orders"].as_array().map(Vec::len), Some(0));
    let over = token(&bench, ada.account, WallMs(wall_now().0 - 1));
    for bad in [over.as_str(), &good[..good.len() - 1], ada.token.as_str(), ""] {
        let (status, problem) = page(&bench, bad, None).await?;
        assert_eq!((status, &problem["code"]), (401, &"ACCOUNT_REQUIRED".into()), "{bad}");
    }
    for bad in ["", "x", "1.x", "1.2.3"] {
        let (status, problem) = page(&bench, &good, Some(bad)).await?;
        assert_eq!((status, &problem["code"]), (400, &"BAD_REQUEST".into()), "{bad:?}");
    }
    Ok(())
}

/// The one order of an account's first page.
async fn only(bench: &Bench, token: &str) -> Result<Value> {
    let (status, body) = page(bench, token, None).await?;
    anyhow::ensure!(status == 200 && body["orders"].as_array().map(Vec::len) == Some(1), "{status} {body}");
    Ok(body["orders"][0].clone())
}

#[tokio::test]
async fn documents_are_linked_as_long_as_the_order_has_its_places() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let shown = token(&bench, ada.account, wall_now().plus(60_000));
    let sold = only(&bench, &shown).await?;
    let pdf = sold["documents"]["pdf"].as_str().context("the twin has a link")?.to_owned();
    let order = bench.order(&ada, "o").await?.context("an order")?;
    let path = format!("orders/{}/cancellation", order.id);
    assert_eq!(bench.call(&ada, "POST", &path, None).await?.0, 202);
    bench.checkout.advance(&order.id, &bench.terms().await?).await?;
    let back = only(&bench, &shown).await?;
    assert_eq!((&back["state"], &back["documents"]), (&"cancelled".into(), &Value::Null));
    let old = pdf.strip_prefix("/v1/events/bench/").context("a path of the event")?;
    assert_eq!(bench.fetch(old).await?.0, 410, "nor does the old link open anything");
    Ok(())
}

#[tokio::test]
async fn an_order_outlives_its_event() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let shown = token(&bench, ada.account, wall_now().plus(60_000));
    assert_eq!(only(&bench, &shown).await?["event"]["name"], "Bench");
    let forget = Plan::new(vec![Write::delete(key::meta(&bench.event), Cond::Exists)]);
    bench.table.commit(&forget).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let left = only(&bench, &shown).await?;
    let nothing = json!({"id": "bench", "name": null, "venue": null, "zone": null, "starts_at_ms": null});
    assert_eq!((&left["event"], &left["documents"]), (&nothing, &Value::Null));
    Ok(())
}
