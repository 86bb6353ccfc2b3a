//! Settle, project and janitor, fed as the stream and the schedule feed them.

use anyhow::Result;
use capture_lambda::janitor::{Janitor, Report};
use capture_lambda::project::Project;
use capture_lambda::records::{Batch, Failures};
use capture_lambda::settle::Settle;
use domain::items::{Order, OrderState, attr, key};
use domain::plan::{Cond, Item, Plan, Update, Value as Stored, Write};
use serde_json::{Map, Value, json};

use crate::bench::{Bench, Fan};
use crate::books::balanced;

/// The stream's records of these kinds, as if every item had just been written.
pub async fn batch(bench: &Bench, kinds: &[&str]) -> Result<Batch> {
    Ok(serde_json::from_value(json!({ "Records": records(bench, kinds).await? }))?)
}

/// The same, as the stream tells them.
pub async fn records(bench: &Bench, kinds: &[&str]) -> Result<Vec<Value>> {
    let items = bench.table.scan().await?;
    let wanted =
        items.iter().filter(|item| item.get("k").and_then(Stored::as_str).is_some_and(|kind| kinds.contains(&kind)));
    let record = |(n, item): (usize, &Item)| json!({"eventName": "MODIFY", "dynamodb": {"SequenceNumber": n.to_string(), "NewImage": image(item)}});
    Ok(wanted.enumerate().map(record).collect())
}

fn image(item: &Item) -> Map<String, Value> {
    let value = |value: &Stored| match value {
        Stored::S(text) => json!({"S": text}),
        Stored::N(number) => json!({"N": number.to_string()}),
        _ => json!({"NULL": true}),
    };
    item.iter().map(|(name, stored)| (name.clone(), value(stored))).collect()
}

pub async fn buys(bench: &Bench, fan: &Fan, seat: &str) -> Result<u16> {
    let hold = bench.hold(fan, &[seat]).await?;
    let wish = json!({"hold": hold, "paymentMethod": "pm_card_visa"});
    Ok(bench.call_under("o", fan, "POST", "orders", Some(&wish)).await?.0)
}

#[tokio::test]
async fn settle_captures_and_delivers_however_often_it_is_told() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    for (n, name) in ["ada", "bo", "cyd"].into_iter().enumerate() {
        assert_eq!(buys(&bench, &bench.fan(name), &format!("A-1-{}", 2 * n + 1)).await?, 201);
    }
    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    let records = batch(&bench, &["order"]).await?;
    assert_eq!(records.records.len(), 3);
    let (first, second) = tokio::join!(settle.handle(&records), settle.handle(&records));
    assert_eq!((first, second), (Failures::default(), Failures::default()), "two at once");
    assert_eq!(settle.handle(&records).await, Failures::default());
    assert_eq!(bench.payments.movements().len(), 6, "three authorizations, three captures");
    balanced(&bench).await
}

#[tokio::test]
async fn settle_names_what_failed_and_ends_it_when_the_provider_is_back() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    assert_eq!(buys(&bench, &fan, "A-1-1").await?, 201);
    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    let records = batch(&bench, &["order"]).await?;
    bench.control(json!({"outage": true})).await?;
    assert_eq!(settle.handle(&records).await.records.len(), 1);
    bench.control(json!({"outage": false})).await?;
    assert_eq!(settle.handle(&records).await, Failures::default());
    balanced(&bench).await
}

#[tokio::test]
async fn the_map_follows_the_seats_and_the_beat_follows_the_map() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let fan = bench.fan("ada");
    let wish = json!({"seats": ["A-1-1", "A-1-2"], "pools": [{"pool": "floor", "quantity": 1}]});
    assert_eq!(bench.call(&fan, "POST", "holds", Some(&wish)).await?.0, 201);
    let stale = bench.pulse(0).await?;
    assert_eq!(
        (&stale["stock"]["free"], &stale["projection"]["beat"]),
        (&json!(60), &json!(0)),
        "nobody projected yet"
    );
    assert!(stale["projection"]["age_ms"].as_i64().is_some_and(|age| age > 5_000));

    let project = Project::new(bench.table.clone());
    let records = batch(&bench, &["seat", "share", "clock"]).await?;
    assert_eq!(project.handle(&records).await, Failures::default());
    assert_eq!(project.handle(&records).await, Failures::default(), "twice is once");
    let fresh = bench.pulse(0).await?;
    assert_eq!(
        (&fresh["stock"]["free"], &fresh["stock"]["held"], &fresh["shoppers"]),
        (&json!(57), &json!(3), &json!(2)),
        "{fresh}"
    );
    assert_eq!((&fresh["projection"]["beat"], &fresh["projection"]["age_ms"]), (&json!(2), &json!(0)));
    assert!(fresh["map"]["version"].as_i64() > stale["map"]["version"].as_i64());
    Ok(())
}

/// B-56: a seat that cannot be read is its section's trouble. Other places of the batch are redrawn all the same; but no beat vouches for the
/// map before it is whole.
#[tokio::test]
async fn a_seat_that_cannot_be_read_keeps_no_other_place_waiting() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let wish = json!({"seats": ["A-1-1", "A-1-2"], "pools": [{"pool": "floor", "quantity": 1}]});
    assert_eq!(bench.call(&bench.fan("ada"), "POST", "holds", Some(&wish)).await?.0, 201);
    let seat = key::seat(&bench.event, &"A".parse()?, &"A-1-1".parse()?);
    let writes = async |state: &str| {
        let write = Write::update(seat.clone(), Cond::Exists, Update::new().set(attr::STATE, state));
        bench.table.commit(&Plan::new(vec![write])).await.map_err(|error| anyhow::anyhow!("{error:?}"))
    };
    writes("of a later version").await?;
    let project = Project::new(bench.table.clone());
    let records = batch(&bench, &["seat", "share", "clock"]).await?;
    assert_eq!(project.handle(&records).await.records.len(), 1);
    let stale = bench.pulse(0).await?;
    assert_eq!(
        (&stale["stock"]["held"], &stale["projection"]["beat"]),
        (&json!(1), &json!(0)),
        "the pool, and no beat"
    );
    writes("held").await?;
    assert_eq!(project.handle(&records).await, Failures::default());
    let fresh = bench.pulse(0).await?;
    assert_eq!((&fresh["stock"]["held"], &fresh["projection"]["beat"]), (&json!(3), &json!(1)));
    Ok(())
}

#[tokio::test]
async fn the_janitor_ends_what_was_left_and_sweeps() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let hold = bench.hold(&fan, &["A-1-1"]).await?;
    bench.control(json!({"outage": true})).await?;
    let wish = json!({"hold": hold, "paymentMethod": "pm_card_visa"});
    assert_eq!(bench.call_under("o", &fan, "POST", "orders", Some(&wish)).await?.0, 202);
    bench.control(json!({"outage": false})).await?;
    let janitor = Janitor::new(bench.table.clone(), bench.checkout.clone());
    assert_eq!(janitor.run().await?.carried, 0, "somebody may still be at it");
    bench.pause().await?;
    let report = janitor.run().await?;
    assert_eq!((report.events, report.carried, report.unfinished), (1, 1, 0), "money does not wait for a pause to end");
    let order = bench.order(&fan, "o").await?.map(|order: Order| order.state);
    assert_eq!(order, Some(OrderState::Delivered));
    let (before, nothing) = (bench.payments.movements(), Report { events: 1, ..Report::default() });
    assert_eq!((janitor.run().await?, janitor.run().await?), (nothing, Report { events: 1, ..Report::default() }));
    assert_eq!(bench.payments.movements(), before, "every job done twice is done once");
    balanced(&bench).await
}

#[tokio::test]
async fn overdue_holds_are_swept_once_and_event_time_decides() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let fan = bench.fan("ada");
    let wish = json!({"seats": ["A-1-1"], "pools": [{"pool": "floor", "quantity": 3}]});
    assert_eq!(bench.call(&fan, "POST", "holds", Some(&wish)).await?.0, 201);
    let broom = checkout::sweep::Broom { per_bucket: 10, within_ms: 5_000 };
    let now = bench.terms().await?.now();
    let sweep = async |now| checkout::sweep::holds(&bench.table, &bench.event, checkout::sweep::ALL, now, broom).await;
    assert_eq!(sweep(now.plus(599_000)).await, 0);
    assert_eq!(sweep(now.plus(601_000)).await, 1);
    assert_eq!(sweep(now.plus(601_000)).await, 0);
    let shares = bench.table.shares(&bench.event, &"floor".parse()?).await?;
    assert_eq!(
        shares.iter().map(|share| (share.free, share.held)).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1)),
        (40, 0)
    );
    balanced(&bench).await
}
