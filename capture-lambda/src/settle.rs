//! Settle: carries sold orders on: capture, then tickets; and orders that are being given back.
//!
//! Inbox items, which the payment provider's events leave, have any order looked at that has not ended.
//!
//! New messages to the organiser are sent from here too, after the orders; what fails is the janitor's.
//!
//! A record only says *which* order to look at. What is to be done follows from the order as the table has
//! it now, so records may come twice, late or out of order.

use std::collections::BTreeSet;

use checkout::{Checkout, Terms, Unfinished, wall_now};
use domain::ids::{EventId, OrderId};
use domain::items::{InboxItem, OrderState, OutMessage, OutState, attr};
use domain::time::Clock;
use table::Table;

use crate::herald::Herald;
use crate::records::{Batch, Failures, Record};

/// What settle needs; built once.
#[derive(Debug)]
pub struct Settle {
    table: Table,
    checkout: Checkout,
    herald: Option<Herald>,
}

/// What a record says about an order.
#[derive(Debug, PartialEq, Eq)]
enum Saw {
    /// Nothing for settle: being paid (its own function is at it), or at its end.
    Nothing,
    /// An order to carry on.
    Order(EventId, OrderId),
    /// An order of which the provider told something, or a record of an order that does not say what it should: the table knows.
    Hint(OrderId),
    /// An order with a message that was never sent.
    Message(EventId, OrderId),
    /// A record that names no order. It comes again until it is parked, where a person finds it.
    Unreadable,
}

impl Settle {
    /// Over this table and executor.
    #[must_use]
    pub const fn new(table: Table, checkout: Checkout) -> Self {
        Self { table, checkout, herald: None }
    }

    /// The same, which also sends messages to organisers.
    #[must_use]
    pub fn with_herald(self, herald: Herald) -> Self {
        Self { herald: Some(herald), ..self }
    }

    /// Carries every order of the batch on; answers with the records to send again.
    pub async fn handle(&self, batch: &Batch) -> Failures {
        let (mut failures, mut messages) = (Failures::default(), BTreeSet::new());
        for record in &batch.records {
            let (order, done) = match saw(record) {
                Saw::Nothing => continue,
                Saw::Unreadable => {
                    tracing::error!(sequence = record.sequence(), "a record names no order");
                    failures.add(record);
                    continue;
                }
                Saw::Message(event, order) => {
                    messages.insert((event, order));
                    continue;
                }
                Saw::Order(event, order) => (order, self.carry(&event, &order, None).await), // nothing is sold here
                Saw::Hint(order) => (order, self.look(&order).await),
            };
            if let Err(unfinished) = done {
                tracing::warn!(%order, %unfinished, "an order is to be carried on again");
                failures.add(record);
            }
        }
        self.tell(&messages).await;
        failures
    }

    /// Whatever fails here is left to the janitor: a receiver must not keep other orders waiting.
    async fn tell(&self, messages: &BTreeSet<(EventId, OrderId)>) {
        let Some(herald) = &self.herald else { return };
        futures::future::join_all(messages.iter().map(|(event, order)| herald.first(event, order))).await;
    }

    /// An order of which the provider told something, whoever else may be at it. One that has ended needs nothing; one whose capture
    /// was refused waits for its pause to be over, or each refusal would bring on the next.
    async fn look(&self, id: &OrderId) -> Result<(), Unfinished> {
        let Some(order) = self.checkout.read(id).await? else { return Ok(()) };
        if order.state.is_final() || is_put_off(order.state, order.tries) {
            return Ok(());
        }
        let limit = if order.state == OrderState::Paying { self.card_limit(&order.event).await? } else { None };
        self.carry(&order.event, id, limit).await
    }

    async fn card_limit(&self, event: &EventId) -> Result<Option<u32>, Unfinished> {
        Ok(self.table.definition(event).await?.map(|definition| definition.limits.per_card))
    }

    async fn carry(&self, event: &EventId, order: &OrderId, card_limit: Option<u32>) -> Result<(), Unfinished> {
        // An event with an order has a clock; without one, time stands at zero and no deadline has passed.
        let clock = self.table.clock(event).await?.map_or(Clock::start(wall_now()), |item| item.clock);
        let order = self.checkout.advance(order, &Terms { clock, card_limit }).await?;
        tracing::info!(order = %order.id, event = %order.event, state = %order.state, "an order was carried on");
        Ok(())
    }
}

fn saw(record: &Record) -> Saw {
    let order = record.text(attr::PK).and_then(|pk| pk.strip_prefix("ORDER#")).and_then(|id| id.parse().ok());
    order.map_or(Saw::Unreadable, |order| read(record, order).unwrap_or(Saw::Hint(order)))
}

fn read(record: &Record, order: OrderId) -> Option<Saw> {
    if record.text(attr::KIND) == Some(InboxItem::KIND) {
        return Some(Saw::Hint(order));
    }
    let event = record.text(attr::EVENT)?.parse().ok()?;
    let count = |name| record.number(name).and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
    if record.text(attr::KIND) == Some(OutMessage::KIND) {
        let is_new = record.text(attr::STATE)? == OutState::Pending.as_str() && count(attr::TRIES) == 0;
        return Some(if is_new { Saw::Message(event, order) } else { Saw::Nothing });
    }
    let state = OrderState::from_word(record.text(attr::STATE)?)?;
    let ours = is_ours(state) && !is_put_off(state, count(attr::TRIES));
    Some(if ours { Saw::Order(event, order) } else { Saw::Nothing })
}

/// A capture that was refused is tried again when its pause is over: the janitor finds it then.
const fn is_put_off(state: OrderState, tries: u32) -> bool {
    matches!(state, OrderState::Confirmed) && tries > 0
}

const fn is_ours(state: OrderState) -> bool {
    match state {
        OrderState::Confirmed | OrderState::Captured | OrderState::Cancelling | OrderState::CaptureFailed => true,
        OrderState::Reducing => true,
        OrderState::Paying | OrderState::Voiding => false,
        OrderState::Delivered | OrderState::Declined | OrderState::SeatsGone | OrderState::Abandoned => false,
        OrderState::Cancelled | OrderState::Refunded | OrderState::Released => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(state: &str) -> Record {
        let json = format!(
            r#"{{"dynamodb":{{"SequenceNumber":"1","NewImage":{{"pk":{{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"}},"st":{{"S":"{state}"}},"e":{{"S":"demo"}}}}}}}}"#
        );
        serde_json::from_str(&json).expect("as the stream sends it")
    }

    #[test]
    fn only_orders_after_their_sale_are_carried_on() {
        let ours = ["confirmed", "captured", "reducing", "cancelling", "capture_failed"];
        for state in OrderState::ALL {
            let expect = ours.contains(&state.as_str());
            assert_eq!(matches!(saw(&record(state.as_str())), Saw::Order(..)), expect, "{state}");
        }
        assert!(matches!(saw(&record("odd")), Saw::Hint(_)), "what it is by now, the table knows");
        let json = r#"{"dynamodb":{"NewImage":{"pk":{"S":"ORDER#odd"},"st":{"S":"confirmed"},"e":{"S":"demo"}}}}"#;
        assert_eq!(saw(&serde_json::from_str(json).expect("plain")), Saw::Unreadable);
        let json = r#"{"dynamodb":{"NewImage":{"pk":{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"},"st":{"S":"confirmed"},"e":{"S":"demo"},"try":{"N":"1"}}}}"#;
        assert_eq!(saw(&serde_json::from_str(json).expect("plain")), Saw::Nothing, "its capture was put off");
        let json = r#"{"dynamodb":{"NewImage":{"pk":{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"},"sk":{"S":"INBOX#evt_1"},"k":{"S":"inbox"}}}}"#;
        assert!(
            matches!(saw(&serde_json::from_str(json).expect("plain")), Saw::Hint(_)),
            "the provider told something"
        );
        for (state, tries, expect) in [("pending", 0, true), ("pending", 1, false), ("acknowledged", 0, false)] {
            let json = format!(
                r#"{{"dynamodb":{{"NewImage":{{"pk":{{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"}},"k":{{"S":"out"}},"e":{{"S":"demo"}},"st":{{"S":"{state}"}},"try":{{"N":"{tries}"}}}}}}}}"#
            );
            let saw = saw(&serde_json::from_str(&json).expect("plain"));
            assert_eq!(matches!(saw, Saw::Message(..)), expect, "{state} {tries}");
        }
    }
}
