//! Settle: carries sold orders on: capture, then tickets; and orders that are being given back.
//!
//! A record only says *which* order to look at. What is to be done follows from the order as the table has
//! it now, so records may come twice, late or out of order.

use checkout::{Checkout, Terms, Unfinished, wall_now};
use domain::ids::{EventId, OrderId};
use domain::items::{OrderState, attr};
use domain::time::Clock;
use table::Table;

use crate::records::{Batch, Failures, Record};

/// What settle needs; built once.
#[derive(Debug)]
pub struct Settle {
    table: Table,
    checkout: Checkout,
}

/// What a record says about an order.
#[derive(Debug, PartialEq, Eq)]
enum Saw {
    /// Nothing for settle: being paid (its own function is at it), or at its end.
    Nothing,
    /// An order to carry on.
    Order(EventId, OrderId),
    /// A record that is no order; sending it again will not help.
    Unreadable,
}

impl Settle {
    /// Over this table and executor.
    #[must_use]
    pub const fn new(table: Table, checkout: Checkout) -> Self {
        Self { table, checkout }
    }

    /// Carries every order of the batch on; answers with the records to send again.
    pub async fn handle(&self, batch: &Batch) -> Failures {
        let mut failures = Failures::default();
        for record in &batch.records {
            match saw(record) {
                Saw::Nothing => {}
                Saw::Unreadable => tracing::error!(sequence = record.sequence(), "a record of an order is unreadable"),
                Saw::Order(event, order) => {
                    if let Err(unfinished) = self.carry(&event, &order).await {
                        tracing::warn!(%order, %event, %unfinished, "an order is to be carried on again");
                        failures.add(record);
                    }
                }
            }
        }
        failures
    }

    async fn carry(&self, event: &EventId, order: &OrderId) -> Result<(), Unfinished> {
        // An event with an order has a clock; without one, time stands at zero and no deadline has passed.
        let clock = self.table.clock(event).await?.map_or(Clock::start(wall_now()), |item| item.clock);
        let terms = Terms { clock, card_limit: None }; // nothing is sold here
        let order = self.checkout.advance(order, &terms).await?;
        tracing::info!(order = %order.id, event = %order.event, state = %order.state, "an order was carried on");
        Ok(())
    }
}

fn saw(record: &Record) -> Saw {
    read(record).unwrap_or(Saw::Unreadable)
}

fn read(record: &Record) -> Option<Saw> {
    let state = OrderState::from_word(record.text(attr::STATE)?)?;
    let event = record.text(attr::EVENT)?.parse().ok()?;
    let order = record.text(attr::PK)?.strip_prefix("ORDER#")?.parse().ok()?;
    // A capture that was refused is tried again when its pause is over: the janitor finds it then.
    let put_off = state == OrderState::Confirmed && record.number(attr::TRIES).is_some();
    Some(if is_ours(state) && !put_off { Saw::Order(event, order) } else { Saw::Nothing })
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
        assert_eq!(saw(&record("odd")), Saw::Unreadable);
        let json = r#"{"dynamodb":{"NewImage":{"pk":{"S":"ORDER#AAAAAAAAAAAAAAAAAAAAAA"},"st":{"S":"confirmed"},"e":{"S":"demo"},"try":{"N":"1"}}}}"#;
        assert_eq!(saw(&serde_json::from_str(json).expect("plain")), Saw::Nothing, "its capture was put off");
    }
}
