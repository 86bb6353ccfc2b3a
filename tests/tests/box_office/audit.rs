//! The audit of a real table beside the provider's list: each kind of harm is done to the table, or at the provider, and found.

use anyhow::{Context as _, Result};
use domain::audit::{Code, check};
use domain::ids::OrderId;
use domain::items::{Order, OrderState, attr, key};
use domain::order::ticket_keys;
use domain::plan::{Cond, Key, Plan, Update, Write};
use onsale::audit::{Books, Payments, read_books};
use serde_json::{Value, json};

use crate::bench::{Bench, Fan};
use crate::orders::{pay, to_its_end};

/// A hall in which one order is delivered, one is being paid, and one hold lives.
pub struct Hall {
    pub bench: Bench,
    payments: Payments,
    pub sold: Order,
}

async fn buy(bench: &Bench, fan: &Fan, wish: Value, card: &str) -> Result<u16> {
    let hold = bench.call(fan, "POST", "holds", Some(&wish)).await?.1["hold"].as_str().unwrap_or_default().to_owned();
    Ok(bench.call_under("o", fan, "POST", "orders", Some(&pay(&hold, card))).await?.0)
}

impl Hall {
    pub async fn start() -> Result<Self> {
        let bench = Bench::start(1, 10).await?;
        let (ada, bo, cy) = (bench.fan("ada"), bench.fan("bo"), bench.fan("cy"));
        let wish = json!({"seats": ["A-1-1", "A-1-2"], "pools": [{"pool": "floor", "quantity": 2}]});
        assert_eq!(buy(&bench, &ada, wish, "pm_card_test_x").await?, 201);
        assert_eq!(to_its_end(&bench, &ada, "o").await?, OrderState::Delivered);
        bench.hold(&bo, &["A-1-5"]).await?;
        assert_eq!(buy(&bench, &cy, json!({"seats": ["A-1-8"]}), "pm_card_threeDSecure2Required").await?, 202);
        let sold = bench.order(&ada, "o").await?.context("an order")?;
        let payments = Payments::new(&bench.payments.url(), "sk_test_bench")?;
        Ok(Self { bench, payments, sold })
    }

    pub async fn books(&self) -> Result<Books> {
        read_books(&self.bench.table, &self.payments, &self.bench.event).await
    }

    pub async fn codes(&self) -> Result<Vec<Code>> {
        Ok(check(&self.books().await?).into_iter().map(|finding| finding.code).collect())
    }

    async fn write(&self, write: Write) -> Result<()> {
        self.bench.table.commit(&Plan::new(vec![write])).await?;
        Ok(())
    }

    pub async fn set(&self, key: &Key, update: Update) -> Result<()> {
        self.write(Write::update(key.clone(), Cond::Exists, update)).await
    }

    fn seat(&self, n: u32) -> Key {
        let (block, seat) = ("A".parse(), format!("A-1-{n}").parse());
        key::seat(&self.bench.event, &block.expect("an id"), &seat.expect("an id"))
    }

    fn ticket(&self, n: usize) -> Key {
        ticket_keys(&self.sold).swap_remove(n)
    }

    fn order(&self, fan: &str) -> OrderId {
        OrderId::derive(&self.bench.fan(fan).account, "o")
    }

    /// Something happens at the provider that no step of ours does.
    pub async fn provider(&self, path: &str, form: &[(&str, &str)]) -> Result<String> {
        let url = format!("{}/v1/{path}", self.bench.payments.url());
        let request = reqwest::Client::new().post(url).bearer_auth("sk_test_bench").form(form);
        let answer: Value = request.header("idempotency-key", self.bench.key()).send().await?.json().await?;
        Ok(answer["id"].as_str().context(answer.to_string())?.to_owned())
    }

    /// Five euros of a card for an order, or for none: set aside, or taken; answers the payment.
    pub async fn charge(&self, order: Option<String>, take: bool) -> Result<String> {
        let order = order.map(|id| ("metadata[order]", id));
        let mut form = vec![("amount", "500"), ("currency", "eur"), ("capture_method", "manual")];
        form.push(("payment_method", "pm_card_visa"));
        form.extend(order.iter().map(|(name, id)| (*name, id.as_str())));
        let id = self.provider("payment_intents", &form).await?;
        self.provider(&format!("payment_intents/{id}/confirm"), &[]).await?;
        if take {
            self.provider(&format!("payment_intents/{id}/capture"), &[]).await?;
        }
        Ok(id)
    }

    /// Does the harm that has this code.
    pub async fn harm(&self, code: Code) -> Result<()> {
        let (event, sold) = (&self.bench.event, &self.sold);
        let state = |word: &str| Update::new().set(attr::STATE, word);
        match code {
            Code::SeatSoldTwice => {
                let forged = Order { id: self.order("nobody"), ..sold.clone() };
                self.write(Write::put(forged.to_item(), Cond::Absent)).await
            }
            Code::SoldSeatWithoutOrder => self.set(&self.seat(1), Update::new().remove(attr::ORDER)).await,
            Code::OrderedSeatNotSold => self.set(&self.seat(2), state("free")).await,
            Code::KeptSeatWithoutHold => self.set(&self.seat(8), state("held")).await,
            Code::TicketWithoutOrder => {
                let order = self.order("nobody").to_string();
                self.set(&self.ticket(0), Update::new().set(attr::ORDER, order)).await
            }
            Code::OrderTicketsDiffer => self.set(&self.ticket(1), state("void")).await,
            Code::HoldWithoutOrder => {
                let order = key::order(&self.order("cy"));
                self.set(&order, state("abandoned").remove(attr::OPEN_PK).remove(attr::OPEN_AT)).await
            }
            Code::PoolCountsDiffer => self.set(&self.share(), Update::new().add(attr::FREE, -1)).await,
            Code::PoolSoldDiffers => self.set(&self.ticket(3), state("void")).await,
            Code::CapacityDiffers => self.write(Write::delete(self.seat(10), Cond::Exists)).await,
            Code::UsageDiffers => {
                let usage = key::usage(&sold.account, event);
                self.set(&usage, Update::new().add(attr::COMMITTED, 1)).await
            }
            Code::CardUseDiffers => self.set(&key::card("fp_x", event), Update::new().add(attr::NUMBER, 1)).await,
            Code::LedgerDiffers => self.set(&key::ledger(&sold.id, 2), Update::new().add(attr::AMOUNT, -1)).await,
            Code::LedgerWithoutOrder => self.write(Write::delete(key::order(&sold.id), Cond::Exists)).await,
            Code::ProviderDiffers => {
                let intent = sold.intent.as_deref().context("an intent")?;
                self.provider("refunds", &[("payment_intent", intent), ("amount", "100")]).await.map(drop)
            }
            Code::MoneyDiffers => self.charge(Some(sold.id.to_string()), true).await.map(drop),
            Code::PaymentMissing => self.set(&key::order(&sold.id), Update::new().set(attr::INTENT, "pi_lost")).await,
            Code::PaymentNotEnded => self.charge(Some(sold.id.to_string()), false).await.map(drop),
            Code::CaptureWithoutOrder => self.charge(None, true).await.map(drop),
            Code::Unreadable => self.set(&self.seat(9), state("odd")).await,
            Code::HoldLeftOver | Code::OrderMidStep => Ok(()), // there is a hold, and an order that is being paid
        }
    }

    fn share(&self) -> Key {
        let line = &self.sold.places.pools[0];
        key::share(&self.bench.event, &line.pool, line.share)
    }
}

#[tokio::test]
async fn a_hall_that_only_rules_wrote_balances() -> Result<()> {
    let hall = Hall::start().await?;
    let books = hall.books().await?;
    assert_eq!(check(&books), []);
    assert_eq!((books.seats.len(), books.tickets.len(), books.orders.len(), books.payments.len()), (10, 4, 2, 2));
    let left: Vec<Code> = domain::audit::left_over(&books).into_iter().map(|finding| finding.code).collect();
    assert_eq!(left, [Code::HoldLeftOver, Code::HoldLeftOver, Code::OrderMidStep]);
    Ok(())
}

#[tokio::test]
async fn each_kind_of_harm_to_the_table_or_at_the_provider_is_found() -> Result<()> {
    for code in Code::ALL.iter().filter(|code| !matches!(code, Code::HoldLeftOver | Code::OrderMidStep)) {
        let hall = Hall::start().await?;
        hall.harm(*code).await?;
        let found = hall.codes().await?;
        assert!(found.contains(code), "{code} is not among {found:?}");
    }
    Ok(())
}

/// More payments than one page of the list has.
#[tokio::test]
async fn the_list_is_read_page_by_page() -> Result<()> {
    let hall = Hall::start().await?;
    for _ in 0..103 {
        let form = [("amount", "500"), ("currency", "eur"), ("capture_method", "manual")];
        hall.provider("payment_intents", &form).await?;
    }
    hall.charge(None, true).await?;
    let books = hall.books().await?;
    assert_eq!((books.payments.len(), hall.codes().await?), (106, vec![Code::CaptureWithoutOrder]));
    let ids: std::collections::BTreeSet<&str> = books.payments.iter().map(|intent| intent.id.as_str()).collect();
    assert_eq!(ids.len(), 106, "each once");
    Ok(())
}
