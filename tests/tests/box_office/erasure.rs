//! What is stored of a person: all of it is handed out, and it is erased as far as nothing needs it any more.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use capture_lambda::project::Project;
use capture_lambda::records::{Batch, Failures};
use capture_lambda::settle::Settle;
use checkout::wall_now;
use domain::erasure::{NOBODY, StillNeeded, shown};
use domain::ids::{AccountId, OrderId};
use domain::items::{OrderState, key};
use domain::plan::{Cond, Plan, Value as Stored, Write};
use domain::time::WallMs;
use domain::token::{AccountToken, Claims, Token as _, account_scope};
use serde_json::{Value, json};
use table::{Erased, Table};

use crate::after_sale::records;
use crate::bench::{Answer, Bench, Fan};
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

async fn export(table: &Table, account: &AccountId) -> Result<Value> {
    Ok(json!({ "items": shown(&table.account(account).await?.items) }))
}

async fn erase(table: &Table, account: &AccountId, now: WallMs) -> Result<Erased> {
    Ok(table.erase_account(account, now).await?)
}

/// A fan's own call about the account.
async fn own(bench: &Bench, fan: &Fan, method: &str) -> Result<Answer> {
    let (account, expires) = (fan.account, wall_now().plus(60_000));
    let token = AccountToken { account, rehearsal: false, claims: Claims::NONE, expires };
    let token = token.encode(&bench.app.keys, &account_scope());
    bench.send(method, "/v1/account", &[("x-account-token", &token)], None).await
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

#[tokio::test]
async fn fans_have_their_own_data_and_erase_it_and_nobody_elses() -> Result<()> {
    let (bench, ada, bo, ends) = sold().await?;
    let (status, all) = own(&bench, &ada, "GET").await?;
    assert_eq!((status, all["account"].as_str()), (200, Some(ada.account.to_string().as_str())));
    assert_eq!(all["events"], json!(["bench"]));
    assert!(all["items"].to_string().contains(MAIL), "{all}");
    let (_, others) = own(&bench, &bo, "GET").await?;
    assert!(!others.to_string().contains(MAIL) && !others.to_string().contains(&ada.account.to_string()), "{others}");

    let (status, early) = own(&bench, &ada, "DELETE").await?;
    let kept = json!([{ "order": order_of(&ada), "why": "event_not_over", "until_ms": ends }]);
    assert_eq!(
        (status, &early["erased"], &early["kept"], &early["counts"]),
        (200, &json!([]), &kept, &json!(["bench"]))
    );
    assert_eq!(own(&bench, &ada, "GET").await?.1, all, "tickets of a coming event stay whole");

    // The event is over and gone.
    let forget = Plan::new(vec![Write::delete(key::meta(&bench.event), Cond::Exists)]);
    bench.table.commit(&forget).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let (status, late) = own(&bench, &ada, "DELETE").await?;
    assert_eq!((status, &late["erased"], &late["kept"]), (200, &json!([order_of(&ada)]), &json!([])));
    let left = format!("{:?}", bench.table.scan().await?);
    assert!(!left.contains(&ada.account.to_string()) && !left.contains(MAIL), "{left}");
    assert_eq!(own(&bench, &ada, "GET").await?.1["items"], json!([]));
    // The one card that both paid with is charged with his places alone now; all else of his is as it was.
    let but_card = |all: &Value| -> Vec<Value> {
        all["items"].as_array().into_iter().flatten().filter(|item| item["k"] != "card").cloned().collect()
    };
    assert_eq!(but_card(&own(&bench, &bo, "GET").await?.1), but_card(&others), "his stays");
    Ok(())
}

#[tokio::test]
async fn without_an_account_nothing_is_told_or_erased() -> Result<()> {
    let (bench, ada, _, ends) = sold().await?;
    let before = export(&bench.table, &ada.account).await?;
    assert!(ends > wall_now());
    let old = AccountToken { account: ada.account, rehearsal: false, claims: Claims::NONE, expires: WallMs(1) };
    for bad in [old.encode(&bench.app.keys, &account_scope()), ada.token.clone(), String::new()] {
        for method in ["GET", "DELETE"] {
            let (status, problem) = bench.send(method, "/v1/account", &[("x-account-token", &bad)], None).await?;
            assert_eq!((status, &problem["code"]), (401, &"ACCOUNT_REQUIRED".into()));
        }
    }
    assert_eq!(export(&bench.table, &ada.account).await?, before);
    Ok(())
}

/// Texts of the table that tell of her, or that her records brought.
async fn tells_of(bench: &Bench, ada: &Fan) -> Result<bool> {
    let all = format!("{:?}", bench.table.scan().await?);
    Ok(all.contains(&ada.account.to_string()) || all.contains(MAIL))
}

#[tokio::test]
async fn records_and_dead_letters_of_before_an_erasure_bring_nothing_back() -> Result<()> {
    let (bench, ada, _, ends) = sold().await?;
    // What the filters of the two readers let through.
    let (to_settle, to_project) = (["order", "inbox", "out"], ["seat", "order"]);
    let (orders, seats) = (records(&bench, &to_settle).await?, records(&bench, &to_project).await?);
    assert!(json!(orders).to_string().contains(&ada.account.to_string()), "the records tell of her");
    let whole = bench.order(&ada, "o").await?.context("her order")?;
    assert_eq!(erase(&bench.table, &ada.account, ends).await?.orders.len(), 1);

    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    let project = Project::new(bench.table.clone());
    let batch = |record: Value| serde_json::from_value::<Batch>(json!({ "Records": [record] }));
    for record in orders {
        assert_eq!(settle.handle(&batch(record)?).await, Failures::default());
    }
    for record in seats {
        assert_eq!(project.handle(&batch(record)?).await, Failures::default());
    }
    assert!(!tells_of(&bench, &ada).await?);
    balanced(&bench).await?;
    // What a reader would do that wrote down what a record says: it is seen.
    bench.table.commit(&Plan::new(vec![Write::put(whole.to_item(), Cond::Exists)])).await?;
    assert!(tells_of(&bench, &ada).await?);
    Ok(())
}

#[tokio::test]
async fn whatever_names_a_person_ends_by_itself_or_is_found_by_an_erasure() -> Result<()> {
    let (bench, ada, _, ends) = sold().await?;
    bench.hold(&ada, &["A-1-7"]).await?;
    let (erased, latest_s) = (["usage", "order"], ends.plus(31 * 86_400_000).0 / 1_000);
    let mut kinds = BTreeSet::new();
    for item in bench.table.scan().await? {
        let text = format!("{item:?}");
        let kind = item.get("k").and_then(Stored::as_str).unwrap_or_default();
        if (text.contains(&ada.account.to_string()) || text.contains(MAIL)) && !erased.contains(&kind) {
            let ttl_s = item.get("ttl").and_then(Stored::as_i64).with_context(|| format!("{kind} is kept for ever"))?;
            assert!(ttl_s > wall_now().0 / 1_000 && ttl_s <= latest_s, "{kind}: {ttl_s}");
            kinds.insert(kind.to_owned());
        }
    }
    assert_eq!(kinds, BTreeSet::from(["contact", "hold"].map(str::to_owned)));
    Ok(())
}
