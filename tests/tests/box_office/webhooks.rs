//! Organisers are told of orders: signed, in order, patiently, and at least once under one id.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use capture_lambda::herald::{Herald, Policy, Wire};
use capture_lambda::janitor::Janitor;
use capture_lambda::project::Project;
use capture_lambda::records::Failures;
use capture_lambda::settle::Settle;
use checkout::wall_now;
use domain::ids::OrderId;
use domain::items::{OutMessage, OutState};
use domain::outbox::{LEASE_MS, Replay, SigningKeys, Take};
use domain::plan::{Cond, Plan, Write};
use serde_json::json;
use tests::{Call, Receiver};

use crate::after_sale::{batch, buys};
use crate::bench::{Bench, Fan};
use crate::books::balanced;

/// A bench whose event tells an organiser, and one order.
pub struct Desk {
    pub bench: Bench,
    pub receiver: Receiver,
    pub order: OrderId,
    ada: Fan,
}

/// Nobody is asked for a name here.
fn wire(policy: Policy) -> Result<Wire> {
    Ok(Wire::new(policy, std::sync::Arc::new(|_| Box::pin(async { Ok(vec![]) })))?)
}

impl Desk {
    pub async fn start() -> Result<Self> {
        let receiver = Receiver::start().await?;
        let webhook = format!("[webhook]\nurl = {:?}\nlocal = true\n", receiver.url());
        let bench = Bench::with(1, 10, &webhook).await?;
        let ada = bench.fan("ada");
        assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
        let order = OrderId::derive(&ada.account, "o");
        Ok(Self { bench, receiver, order, ada })
    }

    pub fn herald_by(&self, wire: Wire) -> Herald {
        Herald::new(self.bench.table.clone(), self.bench.app.keys.clone(), wire)
    }

    fn herald(&self) -> Result<Herald> {
        Ok(self.herald_by(wire(Policy::LOCAL)?))
    }

    fn settle(&self) -> Result<Settle> {
        Ok(Settle::new(self.bench.table.clone(), self.bench.checkout.clone()).with_herald(self.herald()?))
    }

    /// The order is carried on, and told of as the stream tells it.
    pub async fn noted(&self) -> Result<()> {
        let project = Project::new(self.bench.table.clone());
        assert_eq!(project.handle(&batch(&self.bench, &["order"]).await?).await, Failures::default());
        Ok(())
    }

    async fn carried(&self) -> Result<()> {
        let settle = Settle::new(self.bench.table.clone(), self.bench.checkout.clone());
        assert_eq!(settle.handle(&batch(&self.bench, &["order"]).await?).await, Failures::default());
        self.noted().await
    }

    /// Settle hears of the messages.
    async fn told(&self) -> Result<()> {
        assert_eq!(self.settle()?.handle(&batch(&self.bench, &["out"]).await?).await, Failures::default());
        Ok(())
    }

    async fn janitor(&self) -> Result<u32> {
        let janitor = Janitor::new(self.bench.table.clone(), self.bench.checkout.clone());
        Ok(janitor.with_herald(self.herald()?).run().await?.told)
    }

    pub async fn messages(&self) -> Result<Vec<OutMessage>> {
        Ok(self.bench.table.messages(&self.order).await?)
    }

    /// A stored message is changed by hand: time cannot be.
    async fn put(&self, message: OutMessage) -> Result<()> {
        let plan = Plan::new(vec![Write::put(message.to_item(), Cond::Exists)]);
        self.bench.table.commit(&plan).await.map_err(|error| anyhow::anyhow!("{error:?}"))
    }

    /// The first pending message becomes due.
    async fn later(&self) -> Result<OutMessage> {
        let pending = self.messages().await?.into_iter().find(|message| message.state == OutState::Pending);
        let message = OutMessage { due: wall_now().plus(-1), ..pending.context("one is pending")? };
        self.put(message.clone()).await?;
        Ok(message)
    }

    fn kinds(&self) -> Vec<String> {
        let short = |call: &Call| call.kind().trim_start_matches("onsale.").to_owned();
        self.receiver.calls().iter().map(short).collect()
    }
}

#[tokio::test]
async fn an_order_is_told_once_signed_and_in_order() -> Result<()> {
    let desk = Desk::start().await?;
    desk.noted().await?;
    assert_eq!(desk.messages().await?.len(), 1, "sold, and nothing more");
    desk.carried().await?;
    desk.told().await?;
    assert_eq!(desk.kinds(), ["order.confirmed", "order.captured", "tickets.issued"]);
    let keys = SigningKeys::of(&desk.bench.app.keys, &desk.bench.event);
    for (call, n) in desk.receiver.calls().iter().zip(1..) {
        assert_eq!(
            (&call.id, call.content_type.as_str()),
            (&format!("{}.{n}", desk.order), "application/cloudevents+json; charset=utf-8")
        );
        let at = domain::time::WallMs(call.timestamp.parse::<i64>()? * 1_000);
        assert!(wall_now().since(at) < 60_000);
        assert_eq!(call.signature, keys.sign(&call.id, at, &call.body), "over the very bytes that arrived");
        assert!(!call.body.contains(&desk.ada.account.to_string()), "{}", call.body);
        let data = &call.json()["data"];
        assert_eq!((&data["seats"][0]["seat"], &data["order"]), (&json!("A-1-1"), &json!(desk.order.to_string())));
    }
    assert_eq!(desk.receiver.calls()[2].json()["data"]["tickets"], json!([{"place": "A-1-1", "revision": 1}]));
    // Everything again, in any order, and by everybody.
    desk.noted().await?;
    desk.told().await?;
    assert_eq!(desk.janitor().await?, 0);
    assert_eq!(desk.kinds().len(), 3);
    balanced(&desk.bench).await
}

#[tokio::test]
async fn what_is_given_back_is_told_last() -> Result<()> {
    let desk = Desk::start().await?;
    desk.carried().await?;
    let path = format!("orders/{}/cancellation", desk.order);
    assert_eq!(desk.bench.call(&desk.ada, "POST", &path, None).await?.0, 202);
    desk.carried().await?;
    desk.noted().await?;
    assert_eq!(desk.janitor().await?, 4);
    assert_eq!(desk.kinds(), ["order.confirmed", "order.captured", "tickets.issued", "order.refunded"]);
    Ok(())
}

#[tokio::test]
async fn a_later_message_waits_for_an_earlier_one() -> Result<()> {
    let desk = Desk::start().await?;
    desk.carried().await?;
    desk.receiver.answers(&[503, 500]);
    let before = wall_now();
    desk.told().await?;
    assert_eq!(desk.kinds(), ["order.confirmed"]);
    let first = desk.messages().await?.remove(0);
    assert_eq!((first.state, first.tries, first.last.as_deref()), (OutState::Pending, 1, Some("503")));
    assert!((60_000..=73_000).contains(&first.due.since(before)), "{}", first.due.since(before));
    assert_eq!((desk.janitor().await?, desk.kinds().len()), (0, 1), "not due");
    desk.later().await?;
    assert_eq!((desk.janitor().await?, desk.kinds().len()), (0, 2), "500");
    let second = desk.messages().await?.remove(0);
    assert!((300_000..=363_000).contains(&second.due.since(before)), "the pauses grow");
    desk.later().await?;
    assert_eq!(desk.janitor().await?, 3);
    let first: Vec<String> = desk.receiver.calls().into_iter().take(3).map(|call| call.id).collect();
    assert!(first.iter().all(|id| *id == first[0]), "one id for one message");
    assert_eq!(desk.kinds()[2..], ["order.confirmed", "order.captured", "tickets.issued"]);
    Ok(())
}

#[tokio::test]
async fn a_message_is_parked_at_the_end_and_sent_again_when_somebody_says_so() -> Result<()> {
    let desk = Desk::start().await?;
    desk.carried().await?;
    let first = desk.later().await?;
    desk.put(OutMessage { tries: 7, ..first }).await?;
    desk.receiver.answers(&[503]);
    assert_eq!(desk.janitor().await?, 0);
    let parked = desk.messages().await?.remove(0);
    assert_eq!((parked.state, parked.tries), (OutState::Parked, 8));
    assert_eq!(desk.bench.table.parked_messages(&desk.bench.event, 10).await?.len(), 1);
    desk.later().await?;
    assert_eq!(desk.janitor().await?, 2, "the others go on");
    let replay = Replay { message: parked, now: wall_now().plus(-1) };
    desk.bench.table.decide(replay).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    assert_eq!(desk.janitor().await?, 1);
    let calls = desk.receiver.calls();
    assert_eq!((&calls[0].id, &calls[0].body), (&calls[3].id, &calls[3].body), "the same message");
    assert!(desk.bench.table.parked_messages(&desk.bench.event, 10).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_sender_that_dies_is_followed_by_another_with_the_same_id() -> Result<()> {
    let desk = Desk::start().await?;
    desk.noted().await?;
    let message = desk.messages().await?.remove(0);
    let take = Take { message, sender: "dead".into(), now: wall_now() };
    desk.bench.table.decide(take.clone()).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let keys = SigningKeys::of(&desk.bench.app.keys, &desk.bench.event);
    wire(Policy::LOCAL)?.send(desk.receiver.url(), &take.taken(), &keys, wall_now()).await;
    assert_eq!(desk.receiver.calls().len(), 1, "sent, and then it died");
    let herald = desk.herald()?;
    assert_eq!(herald.tell(&desk.bench.event, &desk.order).await?.sent, 0, "somebody may be at it");
    assert!(desk.messages().await?[0].due.since(wall_now()) <= LEASE_MS);
    desk.later().await?;
    let both = tokio::join!(herald.tell(&desk.bench.event, &desk.order), herald.tell(&desk.bench.event, &desk.order));
    assert_eq!(both.0?.sent + both.1?.sent, 1, "one of two");
    let calls = desk.receiver.calls();
    assert_eq!(calls.len(), 2);
    assert_eq!((&calls[0].id, &calls[0].body), (&calls[1].id, &calls[1].body));
    Ok(())
}

#[tokio::test]
async fn a_receiver_that_fails_is_left_alone_for_a_while() -> Result<()> {
    let desk = Desk::start().await?;
    assert_eq!(buys(&desk.bench, &desk.bench.fan("bo"), "A-1-5").await?, 201);
    desk.noted().await?;
    let herald = desk.herald()?;
    let bo = OrderId::derive(&desk.bench.fan("bo").account, "o");
    desk.receiver.answers(&[503, 503, 503]);
    herald.first(&desk.bench.event, &desk.order).await;
    herald.first(&desk.bench.event, &bo).await;
    assert_eq!(desk.receiver.calls().len(), 1, "settle does not go on knocking");
    assert_eq!(herald.due(&desk.bench.event, Instant::now() + Duration::from_secs(9)).await?, 0);
    assert_eq!(desk.receiver.calls().len(), 2, "the janitor does, with what is due");
    Ok(())
}

#[tokio::test]
async fn an_event_without_an_address_tells_nobody() -> Result<()> {
    let bench = Bench::start(1, 10).await?;
    let ada = bench.fan("ada");
    assert_eq!(buys(&bench, &ada, "A-1-1").await?, 201);
    let project = Project::new(bench.table.clone());
    assert_eq!(project.handle(&batch(&bench, &["order"]).await?).await, Failures::default());
    assert!(bench.table.messages(&OrderId::derive(&ada.account, "o")).await?.is_empty());
    Ok(())
}
