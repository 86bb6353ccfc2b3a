//! What the stream's reader gave up is kept, shown, and finished by hand once its cause is mended.

use std::time::Duration;

use clap::Parser;
use domain::ids::{AccountId, OrderId};
use domain::items::{Order, OrderState, attr, key};
use domain::plan::{Cond, Item, Plan, Write};
use onsale::cli::{self, Cli};
use onsale::letters::Letter;
use onsale::stack::Part;
use onsale::stand_ins::MailFault;
use onsale::stream::{self, Mapping};
use serde_json::{Value, json};
use tests::Scene;

use crate::crashes::captured_once;

const FANS: usize = 4;
const ORDERS: usize = 5;

/// A stack whose settle gets many records at once and is given up after a few seconds; nobody carries orders on but settle.
async fn scene() -> anyhow::Result<Scene> {
    let settle = Mapping { batch_size: 100, retries_max: 4, ..stream::settle() };
    let scene = Scene::with(20 * FANS as u32, Duration::ZERO, |options| options.settle = settle).await?;
    scene.stack.ready(Some("rehearsal")).write(&scene.stack.state().join("ready.json"))?;
    scene.stack.kill(Part::Janitor).await?;
    Ok(scene)
}

async fn command(scene: &Scene, what: &str) -> anyhow::Result<()> {
    let state = format!("--state={}", scene.stack.state().display());
    cli::run(Cli::try_parse_from(["onsale", &state, "dead-letters", what])?).await
}

fn letters(scene: &Scene) -> anyhow::Result<Vec<Letter>> {
    let folder = scene.stack.state().join("dead-letters");
    Ok(onsale::letters::all(&folder)?.into_iter().collect::<Result<_, _>>()?)
}

/// Buys seat after seat of a row of one's own; the first order's tickets are to be mailed.
async fn buys(scene: &Scene, account: &str, row: usize) -> anyhow::Result<Vec<OrderId>> {
    let (access, mut orders) = (scene.admitted(account).await?, Vec::new());
    for n in 1..=ORDERS {
        let wish = json!({ "seats": [format!("H01-{row}-{n}")] });
        let hold = scene.api().hold(&access, &format!("h{n}"), &wish).await.0?.hold;
        let mail = (row == 1 && n == 1).then_some("ada@example.org");
        let wish = json!({ "hold": hold, "paymentMethod": "pm_card_visa", "mail": mail });
        let request = scene.api().raw(reqwest::Method::POST, "/orders").header("x-access-token", &access);
        let sold = request.header("idempotency-key", format!("o{n}")).json(&wish).send().await?.error_for_status()?;
        orders.push(sold.json::<Value>().await?["order"].as_str().unwrap_or_default().parse()?);
    }
    Ok(orders)
}

async fn sold(scene: &Scene) -> anyhow::Result<Vec<OrderId>> {
    let names: Vec<String> = (1..=FANS).map(|n| format!("fan-{n}")).collect();
    let accounts = scene.accounts(&names.iter().map(String::as_str).collect::<Vec<_>>()).await?;
    let all = accounts.iter().zip(1..).map(|(account, row)| buys(scene, account, row));
    Ok(futures::future::try_join_all(all).await?.concat())
}

async fn states(scene: &Scene, orders: &[OrderId]) -> anyhow::Result<Vec<OrderState>> {
    let table = scene.stack.table();
    let read = futures::future::try_join_all(orders.iter().map(|order| table.order(order))).await?;
    Ok(read.into_iter().flatten().map(|order| order.state).collect())
}

/// An order that no function can read, as a later version might write it.
fn poison() -> (OrderId, Item) {
    let id = OrderId::derive(&AccountId::derive("scene", "poison"), "o");
    let mut item = Item::new();
    for (name, value) in
        [(attr::PK, format!("ORDER#{id}")), (attr::SK, "ORDER".into()), (attr::KIND, Order::KIND.into())]
    {
        item.insert(name.into(), value.into());
    }
    item.insert(attr::EVENT.into(), "rehearsal".into());
    item.insert(attr::STATE.into(), "of a later version".into());
    (id, item)
}

async fn write(scene: &Scene, write: Write) -> anyhow::Result<()> {
    scene.stack.table().commit(&Plan::new(vec![write])).await.map_err(|error| anyhow::anyhow!("{error:?}"))
}

/// B-56, whole: one order cannot be mailed and one cannot be read. All others of their batch are finished, those two are parked, and
/// once their causes are mended the letters finish them: nobody else does.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_up_is_finished_by_its_letter_once_the_cause_is_mended() -> anyhow::Result<()> {
    let scene = scene().await?;
    scene.stack.stand_ins().mail_fault(Some(MailFault::Busy));
    scene.stack.kill(Part::Settle).await?;
    let orders = sold(&scene).await?;
    let (bad, item) = poison();
    write(&scene, Write::put(item, Cond::Absent)).await?;
    assert_eq!(states(&scene, &orders).await?, [OrderState::Confirmed; FANS * ORDERS]);

    scene.stack.start_part(Part::Settle).await?;
    scene.stack.drained().await;
    let after = states(&scene, &orders).await?;
    assert_eq!((after[0], &after[1..]), (OrderState::Captured, &[OrderState::Delivered; FANS * ORDERS - 1][..]));
    let keys: Vec<String> = letters(&scene)?.iter().flat_map(Letter::keys).collect();
    for order in [&orders[0], &bad] {
        assert!(keys.contains(&format!("ORDER#{order} ORDER")), "{order} is not in {keys:?}");
    }
    command(&scene, "list").await?;
    assert!(command(&scene, "redrive").await.is_err(), "nothing is mended yet");
    let left: Vec<String> = letters(&scene)?.iter().flat_map(Letter::keys).collect();
    let only = left.iter().all(|key| key.contains(&orders[0].to_string()) || key.contains(&bad.to_string()));
    assert!(only && !left.is_empty(), "what stood behind the two was taken: {left:?}");

    scene.stack.stand_ins().mail_fault(None);
    write(&scene, Write::delete(key::order(&bad), Cond::Exists)).await?;
    scene.stack.drained().await;
    assert_eq!(states(&scene, &orders[..1]).await?, [OrderState::Captured], "the stream has forgotten it");
    command(&scene, "redrive").await?;
    assert!(letters(&scene)?.is_empty());
    command(&scene, "redrive").await?;
    assert_eq!(states(&scene, &orders).await?, [OrderState::Delivered; FANS * ORDERS]);
    assert_eq!(scene.stack.stand_ins().mails().len(), 1, "tickets delivered once");
    scene.stack.start_part(Part::Janitor).await?;
    captured_once(&scene.at_rest(Duration::from_secs(30)).await?);
    Ok(())
}
