//! The waiting list: seats that come back are offered to those who wait, in the order of the line, one offer a seat.

use anyhow::{Context as _, Result};
use capture_lambda::project::Project;
use capture_lambda::records::Failures;
use capture_lambda::settle::Settle;
use checkout::sweep::{self, Broom};
use domain::hold::Take;
use domain::ids::{AccountId, OrderId, SessionId};
use domain::items::{SeatLine, Waiting};
use domain::price::{SeatWish, quote};
use domain::time::{EventMs, WallMs};
use domain::token::{AccessToken, Token as _};
use domain::waiting::{OFFER_MS, Offer};
use serde_json::{Value, json};

use crate::after_sale::batch;
use crate::bench::{Bench, Fan};
use crate::books::balanced;

/// A hall of two seats, sold to ada, whose organiser has a waiting list.
pub struct Hall {
    pub bench: Bench,
    pub ada: Fan,
}

impl Hall {
    pub async fn sold_out() -> Result<Self> {
        Self::with(Bench::with(1, 2, "waiting_list = true").await?).await
    }

    /// The first two seats are sold.
    async fn with(bench: Bench) -> Result<Self> {
        let ada = bench.fan("ada");
        let hold = bench.hold(&ada, &["A-1-1", "A-1-2"]).await?;
        let wish = json!({"hold": hold, "paymentMethod": "pm_card_visa"});
        assert_eq!(bench.call_under("o", &ada, "POST", "orders", Some(&wish)).await?.0, 201);
        let hall = Self { bench, ada };
        hall.settled().await?;
        hall.beat().await?;
        Ok(hall)
    }

    /// A fan whose turn came at that place of the line, and whose session is long over.
    pub fn at(&self, name: &str, place: u64) -> Fan {
        let (account, session) = (AccountId::derive("bench", name), SessionId::from_bytes([1; 16]));
        let token = AccessToken { account, session, place, lane: 0, rev: 0, expires: EventMs(1) };
        Fan { account, token: token.encode(&self.bench.app.keys, &self.bench.event) }
    }

    async fn settled(&self) -> Result<()> {
        let settle = Settle::new(self.bench.table.clone(), self.bench.checkout.clone());
        assert_eq!(settle.handle(&batch(&self.bench, &["order"]).await?).await, Failures::default());
        Ok(())
    }

    /// The map is drawn, then comes a pulse; how many offers it made.
    async fn beat(&self) -> Result<u64> {
        self.drawn().await?;
        self.bench.pulse(0).await?["offered"].as_u64().context("a number")
    }

    async fn drawn(&self) -> Result<()> {
        let project = Project::new(self.bench.table.clone());
        assert_eq!(project.handle(&batch(&self.bench, &["seat", "share", "clock"]).await?).await, Failures::default());
        Ok(())
    }

    /// What an offer of the first seat takes.
    pub async fn first_seat(&self) -> Result<Vec<SeatLine>> {
        let (table, event) = (&self.bench.table, &self.bench.event);
        let terms = self.bench.app.events.get(table, event).await.map_err(|problem| anyhow::anyhow!("{problem:?}"))?;
        let wish = [SeatWish { seat: "A-1-1".parse()?, price_type: None }];
        let priced = quote(&terms.definition, &terms.venue.layout, &terms.venue.index, &wish, &[]);
        Ok(priced.map_err(|error| anyhow::anyhow!("{error:?}"))?.seats)
    }

    pub fn offer(&self, to: Waiting, seats: Vec<SeatLine>, now: EventMs) -> Offer {
        let hold = Offer::hold_of(&to);
        let take = Take {
            event: self.bench.event.clone(),
            account: to.account,
            hold,
            seats,
            pools: vec![],
            channels: vec![],
            currency: "EUR".into(),
            replaces: None,
            limit: 4,
            now,
            hold_ms: OFFER_MS,
            fingerprint: hold.to_string(),
            keep_until: WallMs(0),
            lost: vec![],
            paced: None,
        };
        Offer { to, take }
    }

    pub async fn waits(&self, fan: &Fan, quantity: u32) -> Result<(u16, Value)> {
        self.bench.call(fan, "POST", "waiting", Some(&json!({"quantity": quantity}))).await
    }

    async fn stands(&self, fan: &Fan) -> Result<Value> {
        Ok(self.bench.call(fan, "GET", "waiting", None).await?.1)
    }

    pub async fn gives_back(&self, fan: &Fan, key: &str, seats: &[&str]) -> Result<()> {
        let path = format!("orders/{}/cancellation", OrderId::derive(&fan.account, key));
        let body = json!({ "seats": seats });
        let body = (!seats.is_empty()).then_some(&body);
        assert_eq!(self.bench.call(fan, "POST", &path, body).await?.0, 202);
        self.settled().await
    }
}

#[tokio::test]
async fn a_returned_seat_goes_to_the_next_in_the_line_who_pays_it_as_any_hold() -> Result<()> {
    let hall = Hall::sold_out().await?;
    let (bo, cyd) = (hall.at("bo", 7), hall.at("cyd", 3));
    assert_eq!(hall.waits(&bo, 1).await?.0, 201);
    assert_eq!(hall.waits(&cyd, 1).await?.0, 201);
    assert_eq!((hall.beat().await?, &hall.stands(&cyd).await?["state"]), (0, &json!("waiting")));
    hall.gives_back(&hall.ada, "o", &["A-1-1"]).await?;
    assert_eq!(hall.beat().await?, 1, "one seat, one offer");
    let (offered, waits) = (hall.stands(&cyd).await?, hall.stands(&bo).await?);
    assert_eq!((&offered["state"], &waits["state"]), (&json!("offered"), &json!("waiting")), "the place decides");
    assert!((OFFER_MS - 60_000..=OFFER_MS).contains(&offered["remaining_ms"].as_i64().context("a time")?));
    assert_eq!(hall.beat().await?, 0, "and no other");

    // Nobody else takes it, and with the token that came with the offer it is paid.
    let dee = hall.bench.fan("dee");
    let wish = json!({"seats": ["A-1-1"]});
    let (status, problem) = hall.bench.call(&dee, "POST", "holds", Some(&wish)).await?;
    assert_eq!((status, &problem["code"]), (409, &json!("WAITING_LIST")));
    let token = offered["access_token"].as_str().context("a token")?.to_owned();
    let cyd = Fan { token, ..cyd };
    let wish = json!({"hold": offered["hold"], "paymentMethod": "pm_card_visa"});
    assert_eq!(hall.bench.call_under("o", &cyd, "POST", "orders", Some(&wish)).await?.0, 201);
    assert_eq!(hall.stands(&cyd).await?["state"], "taken");
    hall.settled().await?;

    // Bought by way of the list and given back: the seat is there for the next (B-25).
    hall.gives_back(&cyd, "o", &[]).await?;
    assert_eq!((hall.beat().await?, &hall.stands(&bo).await?["state"]), (1, &json!("offered")));
    balanced(&hall.bench).await
}

#[tokio::test]
async fn an_offer_that_lapses_goes_to_the_next() -> Result<()> {
    let hall = Hall::sold_out().await?;
    let (bo, cyd) = (hall.at("bo", 1), hall.at("cyd", 2));
    for fan in [&bo, &cyd] {
        assert_eq!(hall.waits(fan, 2).await?.0, 201);
    }
    hall.gives_back(&hall.ada, "o", &["A-1-2"]).await?;
    assert_eq!((hall.beat().await?, &hall.stands(&bo).await?["state"]), (1, &json!("offered")), "fewer than wanted");
    let (later, broom) = (hall.bench.terms().await?.now(), Broom { per_bucket: 10, within_ms: 5_000 });
    let sweep = async |ms| sweep::holds(&hall.bench.table, &hall.bench.event, sweep::ALL, later.plus(ms), broom).await;
    assert_eq!((sweep(OFFER_MS - 30_000).await, sweep(OFFER_MS + 30_000).await), (0, 1), "its own time");
    assert_eq!(hall.beat().await?, 1);
    assert_eq!(
        (&hall.stands(&bo).await?["state"], &hall.stands(&cyd).await?["state"]),
        (&json!("lapsed"), &json!("offered"))
    );
    // Who gives an offer back leaves, and the seat goes on.
    assert_eq!(hall.bench.call(&cyd, "DELETE", "waiting", None).await?.0, 204);
    assert_eq!(hall.stands(&cyd).await?["state"], "lapsed");
    assert_eq!(hall.beat().await?, 0, "nobody waits any more");
    // Whoever gave one back need not sit its time out, though a seat that is free again and wanted by nobody opens no list.
    assert_eq!(hall.waits(&cyd, 1).await?.1["code"], "NOT_SOLD_OUT");
    let (eve, hold) = (hall.bench.fan("eve"), json!({"seats": ["A-1-2"]}));
    let held = hall.bench.call(&eve, "POST", "holds", Some(&hold)).await?;
    hall.beat().await?;
    assert_eq!((held.0, hall.waits(&cyd, 1).await?.0), (201, 201));
    assert_eq!(hall.stands(&cyd).await?["state"], "waiting");
    let path = format!("holds/{}", held.1["hold"].as_str().context("a hold")?);
    assert_eq!(hall.bench.call(&eve, "DELETE", &path, None).await?.0, 204);
    assert_eq!((hall.beat().await?, &hall.stands(&cyd).await?["state"]), (1, &json!("offered")), "a new offer");
    hall.drawn().await?;
    assert_eq!(hall.waits(&cyd, 1).await?.1["code"], "HOLD_EXISTS", "while one stands there is no other");
    assert_eq!(hall.bench.call(&cyd, "DELETE", "waiting", None).await?.0, 204);
    hall.beat().await?;
    assert_eq!(
        hall.bench.call(&hall.bench.fan("dee"), "POST", "holds", Some(&json!({"seats": ["A-1-2"]}))).await?.0,
        201
    );
    Ok(())
}

#[tokio::test]
async fn whoever_leaves_is_offered_nothing() -> Result<()> {
    let hall = Hall::sold_out().await?;
    let (bo, cyd) = (hall.at("bo", 1), hall.at("cyd", 2));
    for fan in [&bo, &cyd] {
        assert_eq!(hall.waits(fan, 1).await?.0, 201);
    }
    assert_eq!(hall.bench.call(&bo, "DELETE", "waiting", None).await?.0, 204);
    assert_eq!(hall.bench.call(&bo, "DELETE", "waiting", None).await?.0, 204, "twice is once");
    assert_eq!(hall.bench.call(&bo, "GET", "waiting", None).await?.0, 404);
    hall.gives_back(&hall.ada, "o", &[]).await?;
    assert_eq!((hall.beat().await?, &hall.stands(&cyd).await?["state"]), (1, &json!("offered")));
    Ok(())
}

#[tokio::test]
async fn the_list_is_open_when_nothing_is_left_and_for_what_one_may_have() -> Result<()> {
    let hall = Hall::sold_out().await?;
    let bo = hall.at("bo", 1);
    for (quantity, code) in [(0, "LIMIT_EXCEEDED"), (5, "LIMIT_EXCEEDED")] {
        let (status, problem) = hall.waits(&bo, quantity).await?;
        assert_eq!((status, &problem["code"]), (409, &json!(code)), "{quantity}");
    }
    hall.gives_back(&hall.ada, "o", &["A-1-1"]).await?;
    hall.beat().await?;
    let (status, problem) = hall.waits(&bo, 1).await?;
    assert_eq!((status, &problem["code"]), (409, &json!("NOT_SOLD_OUT")));
    assert_eq!(hall.bench.call(&bo, "GET", "waiting", None).await?.0, 404, "nothing was changed");
    let plain = Bench::start(1, 2).await?;
    let (status, problem) = plain.call(&plain.fan("ada"), "POST", "waiting", Some(&json!({"quantity": 1}))).await?;
    assert_eq!((status, &problem["code"]), (409, &json!("NO_WAITING_LIST")));
    Ok(())
}

#[tokio::test]
async fn standing_places_are_sold_while_others_wait_for_seats() -> Result<()> {
    let hall = Hall::sold_out().await?;
    assert_eq!(hall.waits(&hall.at("bo", 1), 1).await?.0, 201);
    let wish = json!({"pools": [{"pool": "floor", "quantity": 2}]});
    assert_eq!(hall.bench.call(&hall.bench.fan("dee"), "POST", "holds", Some(&wish)).await?.0, 201);
    Ok(())
}

/// However many beats come at once, and while the map does not know of the offer yet.
#[tokio::test]
async fn ten_pulses_at_once_offer_a_seat_once_and_let_nobody_in_for_it() -> Result<()> {
    let hall = Hall::sold_out().await?;
    for n in 1..=3 {
        assert_eq!(hall.waits(&hall.at(&n.to_string(), n), 1).await?.0, 201);
    }
    assert_eq!(hall.stands(&hall.at("3", 3)).await?["ahead"], 2);
    hall.gives_back(&hall.ada, "o", &["A-1-1"]).await?;
    hall.drawn().await?;
    let beats = futures::future::join_all((0..10).map(|_| hall.bench.pulse(0))).await;
    let beats: Vec<Value> = beats.into_iter().flatten().collect();
    let offered: u64 = beats.iter().filter_map(|beat| beat["offered"].as_u64()).sum();
    assert_eq!(offered, 1, "{beats:?}");
    let standing = Some(16); // 40 places at 2.5 an order; the free seat would be a 17th
    assert!(beats.iter().all(|beat| beat["orders_left"].as_u64() == standing), "{beats:?}");
    let states: Vec<Value> = vec![hall.stands(&hall.at("1", 1)).await?, hall.stands(&hall.at("2", 2)).await?];
    assert_eq!((&states[0]["state"], &states[1]["state"]), (&json!("offered"), &json!("waiting")));
    Ok(())
}

/// Wheelchair places are sold as ever, so they do not keep the list shut when the other seats are gone.
#[tokio::test]
async fn a_free_wheelchair_place_does_not_keep_the_list_shut() -> Result<()> {
    let hall = Hall::with(Bench::waiting_accessible(1, 3, &["A-1-3"]).await?).await?;
    let bo = hall.at("bo", 1);
    assert_eq!(hall.waits(&bo, 1).await?.0, 201);
    assert_eq!(hall.beat().await?, 0, "it is not offered");
    let wheels = json!({"seats": ["A-1-3"]});
    assert_eq!(hall.bench.call(&hall.bench.fan("dee"), "POST", "holds", Some(&wheels)).await?.0, 201);
    Ok(())
}
