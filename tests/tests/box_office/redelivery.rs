//! Records of the stream may come twice, late and in any order: the end is the same.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use capture_lambda::records::{Batch, Failures};
use capture_lambda::settle::Settle;
use domain::items::{OrderState, attr, key};
use domain::plan::{Cond, Plan, Update, Value as Stored, Write};
use onsale::payments::Money;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::after_sale::{buys, records};
use crate::bench::{Bench, Fan};
use crate::books::balanced;

/// What is left when all is done: states of items by key, and what the provider moved for whom.
type End = (BTreeMap<(String, String), String>, BTreeMap<(String, String), Vec<i64>>);

/// Four orders: two are sold, one of them is given back whole, one in part. And every record that this wrote.
struct Told {
    bench: Bench,
    history: Vec<Value>,
}

impl Told {
    async fn start() -> Result<Self> {
        let bench = Bench::start(2, 10).await?;
        let fans = ["ada", "bo", "cyd", "dee"].map(|name| bench.fan(name));
        for (n, fan) in fans.iter().enumerate() {
            ensure!(buys(&bench, fan, &format!("A-1-{}", 2 * n + 1)).await? == 201, "order {n}");
        }
        let mut told = Self { bench, history: Vec::new() };
        told.note().await?;
        told.gives_back(&fans[1], None).await?;
        told.gives_back(&fans[2], Some(json!({"seats": ["A-1-5"]}))).await?;
        Ok(told)
    }

    async fn gives_back(&mut self, fan: &Fan, body: Option<Value>) -> Result<()> {
        let order = domain::ids::OrderId::derive(&fan.account, "o");
        let path = format!("orders/{order}/cancellation");
        let (status, answer) = self.bench.call(fan, "POST", &path, body.as_ref()).await?;
        ensure!(matches!(status, 200 | 202), "{answer}");
        self.note().await
    }

    /// The stream tells of every order as it is now.
    async fn note(&mut self) -> Result<()> {
        self.history.extend(records(&self.bench, &["order", "inbox"]).await?);
        Ok(())
    }

    /// Settle gets these records in batches of some length, two of them at once, until it names none any more.
    async fn deliver(&self, mut records: Vec<Value>, dice: &mut StdRng) -> Result<()> {
        let settle = Settle::new(self.bench.table.clone(), self.bench.checkout.clone());
        while !records.is_empty() {
            let size = dice.random_range(1..=records.len().min(5));
            let (first, second) = (take(&mut records, size)?, take(&mut records, size)?);
            let (first_failed, second_failed) = tokio::join!(settle.handle(&first), settle.handle(&second));
            for failed in [first_failed, second_failed] {
                ensure!(failed == Failures::default(), "{failed:?}");
            }
        }
        Ok(())
    }

    async fn end(&self) -> Result<End> {
        let kinds = ["order", "ticket", "seat", "hold", "delivery", "ledger", "usage"];
        let mut states = BTreeMap::new();
        for item in self.bench.table.scan().await? {
            let text = |name: &str| item.get(name).and_then(Stored::as_str).unwrap_or_default().to_owned();
            if kinds.contains(&text(attr::KIND).as_str()) {
                states.insert((text(attr::PK), text(attr::SK)), text(attr::STATE));
            }
        }
        let mut money: BTreeMap<_, Vec<i64>> = BTreeMap::new();
        for movement in self.bench.payments.movements() {
            let order = movement.order.clone().unwrap_or_default();
            money.entry((order, format!("{:?}", movement.kind))).or_default().push(movement.amount);
        }
        Ok((states, money))
    }
}

fn take(records: &mut Vec<Value>, most: usize) -> Result<Batch> {
    let taken: Vec<Value> = records.drain(..most.min(records.len())).collect();
    Ok(serde_json::from_value(json!({ "Records": taken }))?)
}

/// Every record, some of them up to three times, in an order of its own.
fn shuffled(history: &[Value], dice: &mut StdRng) -> Vec<Value> {
    let mut records: Vec<Value> = history.to_vec();
    for record in history {
        records.extend(std::iter::repeat_n(record.clone(), dice.random_range(0..=2)));
    }
    records.shuffle(dice);
    records
}

#[tokio::test]
async fn the_end_is_the_same_in_whatever_order_and_however_often_records_come() -> Result<()> {
    let mut dice = StdRng::seed_from_u64(7);
    let told = Told::start().await?;
    told.deliver(told.history.clone(), &mut dice).await?;
    let end = told.end().await?;
    balanced(&told.bench).await?;
    let of = |kind: Money| end.1.keys().filter(|(_, name)| *name == format!("{kind:?}")).count();
    assert_eq!((of(Money::Authorize), of(Money::Capture)), (4, 3), "{end:?}");
    for seed in 0..8 {
        let (mut dice, told) = (StdRng::seed_from_u64(seed), Told::start().await?);
        let records = shuffled(&told.history, &mut dice);
        told.deliver(records.clone(), &mut dice).await?;
        assert_eq!(told.end().await?, end, "seed {seed}");
        // Long afterwards, all of it once more.
        told.deliver(shuffled(&records, &mut dice), &mut dice).await?;
        assert_eq!(told.end().await?, end, "seed {seed}, late");
    }
    Ok(())
}

/// The twin: where all records of one order are lost, the end is another one. The janitor then makes it the same.
#[tokio::test]
async fn what_the_stream_lost_is_missing_until_the_janitor_comes() -> Result<()> {
    let mut dice = StdRng::seed_from_u64(7);
    let told = Told::start().await?;
    told.deliver(told.history.clone(), &mut dice).await?;
    let end = told.end().await?;
    let told = Told::start().await?;
    let order = told.history[0].pointer("/dynamodb/NewImage/pk").cloned();
    let mut kept = told.history.clone();
    kept.retain(|record| record.pointer("/dynamodb/NewImage/pk").cloned() != order);
    assert!(order.is_some() && kept.len() < told.history.len());
    told.deliver(kept, &mut dice).await?;
    assert_ne!(told.end().await?, end);
    told.bench.pause().await?;
    let janitor = capture_lambda::janitor::Janitor::new(told.bench.table.clone(), told.bench.checkout.clone());
    assert_eq!(janitor.run().await?.carried, 1);
    assert_eq!(told.end().await?, end);
    balanced(&told.bench).await
}

/// The order as stored, in a state that only a later version knows, and mended again.
async fn writes(bench: &Bench, order: &domain::ids::OrderId, state: &str) -> Result<()> {
    let write = Write::update(key::order(order), Cond::Exists, Update::new().set(attr::STATE, state));
    bench.table.commit(&Plan::new(vec![write])).await.map_err(|error| anyhow::anyhow!("{error:?}"))
}

/// B-56: an order that cannot be read is named, again and again, while those beside it are finished. Once it is mended even the record
/// from before finishes it: a record only says where to look.
#[tokio::test]
async fn an_order_that_cannot_be_read_is_named_until_it_is_mended() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let fans = ["ada", "bo", "cyd"].map(|name| bench.fan(name));
    for (n, fan) in fans.iter().enumerate() {
        ensure!(buys(&bench, fan, &format!("A-1-{}", 2 * n + 1)).await? == 201, "order {n}");
    }
    let bad = domain::ids::OrderId::derive(&fans[1].account, "o");
    writes(&bench, &bad, "of a later version").await?;
    let mut told = records(&bench, &["order"]).await?;
    let at = told.iter().position(|record| record.to_string().contains(&bad.to_string()));
    let sequence = told[at.unwrap_or_default()]["dynamodb"]["SequenceNumber"].clone();
    told.push(json!({"dynamodb": {"SequenceNumber": "99", "NewImage": {"pk": {"S": "ORDER#?"}, "k": {"S": "order"}}}}));
    let batch: Batch = serde_json::from_value(json!({ "Records": told }))?;
    let settle = Settle::new(bench.table.clone(), bench.checkout.clone());
    for _ in 0..2 {
        let failed: Vec<String> = settle.handle(&batch).await.records.into_iter().map(|one| one.sequence).collect();
        assert_eq!(failed, [sequence.as_str().unwrap_or_default(), "99"], "named, not passed over");
    }
    let state = async |fan: &Fan| anyhow::Ok(bench.order(fan, "o").await?.map(|order| order.state));
    assert_eq!(
        (state(&fans[0]).await?, state(&fans[2]).await?),
        (Some(OrderState::Delivered), Some(OrderState::Delivered))
    );
    writes(&bench, &bad, "confirmed").await?;
    assert_eq!(settle.handle(&batch).await.records.len(), 1, "the one that names no order");
    assert_eq!(state(&fans[1]).await?, Some(OrderState::Delivered));
    balanced(&bench).await
}
