//! Tickets by mail: one for each order and revision, whoever dies and however often it is told.

use anyhow::{Context as _, Result};
use capture_lambda::janitor::Janitor;
use capture_lambda::post::{MailService, Post};
use capture_lambda::records::Failures;
use capture_lambda::settle::Settle;
use checkout::{Checkout, wall_now};
use domain::ids::OrderId;
use domain::items::{MailState, Mailing, OrderState, key};
use domain::mailing::{ClaimMail, LEASE_MS};
use domain::plan::{Cond, Plan, Write};
use onsale::lambda_host::{Signer, SignerKeys};
use onsale::stand_ins::{MailFault, StandIns};
use serde_json::json;
use tokio::net::TcpListener;

use crate::after_sale::batch;
use crate::bench::{Bench, Fan};
use crate::books::balanced;

const SHOW: &str = "[show]\nstarts_at = \"2027-06-12T20:00\"\nentrance = \"Main gate\"\n";

/// A bench with a mail service, a settle that sends, and one order of two seats.
struct Desk {
    bench: Bench,
    mails: StandIns,
    checkout: Checkout,
    settle: Settle,
    ada: Fan,
    order: OrderId,
}

impl Desk {
    async fn with_mail(mail: Option<&str>) -> Result<Self> {
        let bench = Bench::with(1, 10, SHOW).await?;
        let keys = SignerKeys { access_key_id: "bench".into(), secret_access_key: "bench".into() };
        let mails = StandIns::start(TcpListener::bind("127.0.0.1:0").await?)?;
        let mails = mails.signed(Signer::new(&keys, "eu-central-1", "ses"));
        let checkout = bench.checkout.clone().with_courier(post(&bench, &mails, "bench").courier());
        let settle = Settle::new(bench.table.clone(), checkout.clone());
        let ada = bench.fan("ada");
        let hold = bench.hold(&ada, &["A-1-1", "A-1-2"]).await?;
        let wish = json!({"hold": hold, "paymentMethod": "pm_card_visa", "mail": mail});
        let (status, sold) = bench.call_under("o", &ada, "POST", "orders", Some(&wish)).await?;
        anyhow::ensure!(status == 201, "{sold}");
        let order = OrderId::derive(&ada.account, "o");
        Ok(Self { bench, mails, checkout, settle, ada, order })
    }

    async fn start() -> Result<Self> {
        Self::with_mail(Some("Ada@Example.org")).await
    }

    /// Settle is told of all orders.
    async fn told(&self) -> Result<Failures> {
        Ok(self.settle.handle(&batch(&self.bench, &["order"]).await?).await)
    }

    async fn state(&self) -> Result<OrderState> {
        Ok(self.bench.table.order(&self.order).await?.context("the order")?.state)
    }

    async fn mailing(&self) -> Result<Option<Mailing>> {
        let item = self.bench.table.get(&key::mailing(&self.order, 1)).await?;
        Ok(item.as_ref().map(Mailing::from_item).transpose()?)
    }

    /// Somebody claimed the mail so long ago, and was not heard of since.
    async fn claimed_before(&self, ms: i64) -> Result<()> {
        let now = wall_now().plus(-ms);
        let claim = ClaimMail { event: self.bench.event.clone(), order: self.order, n: 1, sender: "dead".into(), now };
        let plan = Plan::new(vec![Write::put(claim.record().to_item(), Cond::Always)]);
        self.bench.table.commit(&plan).await.map_err(|error| anyhow::anyhow!("{error:?}"))
    }
}

fn post(bench: &Bench, mails: &StandIns, secret: &str) -> Post {
    let service = MailService::at(mails.url(), "eu-central-1", "bench", secret, "tickets@example.org");
    Post::new(bench.table.clone(), bench.app.keys.clone(), service, "https://tickets.example".into())
}

#[tokio::test]
async fn an_order_is_sent_once_however_often_it_is_told() -> Result<()> {
    let desk = Desk::start().await?;
    let records = batch(&desk.bench, &["order"]).await?;
    // Two at once: one of them may find the other at it, and is told again.
    let _ = tokio::join!(desk.settle.handle(&records), desk.settle.handle(&records));
    assert_eq!(desk.settle.handle(&records).await, Failures::default());
    assert_eq!(desk.told().await?, Failures::default());
    assert_eq!(desk.state().await?, OrderState::Delivered);
    let mails = desk.mails.mails();
    assert_eq!(mails.len(), 1, "one mail for one order, recipient and revision");
    let mail = &mails[0];
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("Ada@example.org", "Your tickets: Bench"));
    assert!(mail.text.contains("Section A, Row 1, Seat 2, entrance Main gate"), "{}", mail.text);
    assert!(mail.text.contains(&format!("https://tickets.example/e/bench/orders/{}", desk.order)), "{}", mail.text);
    assert!(mail.html.as_ref().is_some_and(|html| html.contains("<li>Section <bdi>A</bdi>, Row <bdi>1</bdi>")));
    // The order's own page needs a turn.
    assert!(mail.text.lines().any(|line| line.ends_with(": https://tickets.example/orders")), "{}", mail.text);
    assert!(mail.html.as_ref().is_some_and(|html| html.contains("<a href=\"https://tickets.example/orders\">")));
    let names: Vec<&str> = mail.attachments.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["tickets.pdf", "tickets.html", "tickets.ics"]);
    assert!(mail.attachments[0].bytes.starts_with(b"%PDF-"));
    assert!(String::from_utf8_lossy(&mail.attachments[2].bytes).contains("DTSTART:20270612T180000Z"));
    // The twin: where nothing is noted of the mail, telling it again sends it again.
    let order = desk.bench.table.order(&desk.order).await?.context("the order")?;
    desk.checkout.deliver(&order).await?;
    assert_eq!(desk.mails.mails().len(), 1);
    let forget = Plan::new(vec![Write::delete(key::mailing(&desk.order, 1), Cond::Exists)]);
    desk.bench.table.commit(&forget).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    desk.checkout.deliver(&order).await?;
    assert_eq!(desk.mails.mails().len(), 2);
    balanced(&desk.bench).await
}

#[tokio::test]
async fn a_sender_that_dies_after_its_claim_is_followed_by_another() -> Result<()> {
    let desk = Desk::start().await?;
    desk.claimed_before(0).await?;
    assert_eq!(desk.told().await?.records.len(), 1, "to be told again");
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Captured, 0));
    desk.claimed_before(LEASE_MS).await?;
    assert_eq!(desk.told().await?, Failures::default());
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Delivered, 1));
    balanced(&desk.bench).await
}

#[tokio::test]
async fn a_lost_answer_may_send_twice_but_not_before_the_lease_is_over() -> Result<()> {
    let desk = Desk::start().await?;
    desk.mails.mail_fault(Some(MailFault::Mute));
    assert_eq!(desk.told().await?.records.len(), 1);
    desk.mails.mail_fault(None);
    for _ in 0..3 {
        assert_eq!(desk.told().await?.records.len(), 1, "somebody may be at it");
    }
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Captured, 1));
    desk.claimed_before(LEASE_MS).await?;
    assert_eq!(desk.told().await?, Failures::default());
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Delivered, 2), "at least once");
    Ok(())
}

#[tokio::test]
async fn a_busy_service_is_asked_again_and_a_rejected_mail_is_not() -> Result<()> {
    let desk = Desk::start().await?;
    desk.mails.mail_fault(Some(MailFault::Busy));
    assert_eq!(desk.told().await?.records.len(), 1);
    assert_eq!((desk.state().await?, desk.mailing().await?), (OrderState::Captured, None));
    desk.mails.mail_fault(None);
    assert_eq!(desk.told().await?, Failures::default(), "at once");
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Delivered, 1));

    let desk = Desk::start().await?;
    desk.mails.mail_fault(Some(MailFault::Rejects));
    assert_eq!(desk.told().await?, Failures::default(), "no retry helps, and the tickets are with the order");
    let state = desk.mailing().await?.map(|mail| mail.state);
    assert_eq!((desk.state().await?, state), (OrderState::Delivered, Some(MailState::Refused)));
    Ok(())
}

#[tokio::test]
async fn what_is_left_of_an_order_is_sent_anew() -> Result<()> {
    let desk = Desk::start().await?;
    assert_eq!(desk.told().await?, Failures::default());
    let path = format!("orders/{}/cancellation", desk.order);
    let body = json!({"seats": ["A-1-1"]});
    assert_eq!(desk.bench.call(&desk.ada, "POST", &path, Some(&body)).await?.0, 202);
    for _ in 0..3 {
        assert_eq!(desk.told().await?, Failures::default());
    }
    let mails = desk.mails.mails();
    let subjects: Vec<&str> = mails.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(subjects, ["Your tickets: Bench", "Your tickets have changed: Bench"]);
    assert!(mails[1].text.contains("Seat 2") && !mails[1].text.contains("Seat 1"), "{}", mails[1].text);
    balanced(&desk.bench).await
}

/// The tickets that are left could not be sent, and the stream has lost the order: the janitor finds it and sends them, once.
#[tokio::test]
async fn what_is_left_is_sent_by_the_janitor_where_the_stream_lost_it() -> Result<()> {
    let desk = reduced_unsent().await?;
    assert_eq!(
        (desk.state().await?, desk.mails.mails().len()),
        (OrderState::Captured, 1),
        "the first mail, not the second"
    );
    let janitor = Janitor::new(desk.bench.table.clone(), desk.checkout.clone());
    for carried in [1, 0] {
        assert_eq!(janitor.run().await?.carried, carried);
        assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Delivered, 2));
    }
    assert!(desk.mails.mails()[1].subject.starts_with("Your tickets have changed"));
    balanced(&desk.bench).await?;

    // The twin: an order that counts as delivered before its new tickets are out is found by nobody.
    let desk = reduced_unsent().await?;
    let order = desk.bench.table.order(&desk.order).await?.context("the order")?;
    let done = domain::items::Order { state: OrderState::Delivered, ..order };
    let write = Plan::new(vec![Write::put(done.to_item(), Cond::Exists)]);
    desk.bench.table.commit(&write).await.map_err(|error| anyhow::anyhow!("{error:?}"))?;
    assert_eq!(Janitor::new(desk.bench.table.clone(), desk.checkout.clone()).run().await?.carried, 0);
    assert_eq!(desk.mails.mails().len(), 1);
    Ok(())
}

/// A desk whose order gave a part back while no mail went out.
async fn reduced_unsent() -> Result<Desk> {
    let desk = Desk::start().await?;
    assert_eq!(desk.told().await?, Failures::default());
    desk.mails.mail_fault(Some(MailFault::Busy));
    let path = format!("orders/{}/cancellation", desk.order);
    assert_eq!(desk.bench.call(&desk.ada, "POST", &path, Some(&json!({"seats": ["A-1-1"]}))).await?.0, 202);
    assert_eq!(desk.told().await?.records.len(), 1, "given back, and not sent");
    desk.mails.mail_fault(None);
    desk.bench.pause().await?;
    Ok(desk)
}

#[tokio::test]
async fn without_an_address_nothing_is_sent_and_a_bad_one_is_refused() -> Result<()> {
    let desk = Desk::with_mail(None).await?;
    assert_eq!(desk.told().await?, Failures::default());
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Delivered, 0));
    let bo = desk.bench.fan("bo");
    let hold = desk.bench.hold(&bo, &["A-1-5"]).await?;
    let wish = json!({"hold": hold, "paymentMethod": "pm_card_visa", "mail": "bo@example.org\nBcc: all@example.org"});
    let (status, problem) = desk.bench.call_under("o", &bo, "POST", "orders", Some(&wish)).await?;
    assert_eq!((status, &problem["code"]), (422, &json!("MAIL_ADDRESS")));
    assert!(desk.bench.order(&bo, "o").await?.is_none(), "nothing was changed");
    assert_eq!(desk.bench.call(&bo, "GET", &format!("holds/{hold}"), None).await?.1["state"], "live");
    Ok(())
}

#[tokio::test]
async fn the_service_takes_mails_with_a_good_signature_only() -> Result<()> {
    let desk = Desk::start().await?;
    let forged = post(&desk.bench, &desk.mails, "another secret").courier();
    let settle = Settle::new(desk.bench.table.clone(), desk.bench.checkout.clone().with_courier(forged));
    assert_eq!(settle.handle(&batch(&desk.bench, &["order"]).await?).await.records.len(), 1);
    assert_eq!((desk.state().await?, desk.mails.mails().len()), (OrderState::Captured, 0));
    Ok(())
}
