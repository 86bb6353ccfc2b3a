//! Money by currency: what the ledger's lines add up to, beside what the orders are worth.

use crate::items::{LedgerLine, Movement, Order, Places};
use serde::Serialize;
use std::collections::BTreeMap;

/// The sums of one currency, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Sums {
    /// ISO 4217 code.
    pub currency: String,
    /// Set aside on cards.
    pub authorized_minor: i64,
    /// Of it, taken: the gross.
    pub captured_minor: i64,
    /// Of it, set free untaken.
    pub voided_minor: i64,
    /// Given back of what was taken.
    pub refunded_minor: i64,
    /// Taken less given back.
    pub net_minor: i64,
    /// Prices of all places that are sold now, without fees.
    pub price_minor: i64,
    /// Their fees.
    pub fees_minor: i64,
    /// What is sold and not taken, or taken and not sold: captures and refunds under way. Nought when all is at rest.
    pub open_minor: i64,
}

/// One sum a currency, by code.
pub(super) fn sums(orders: &[&Order], ledger: &[&LedgerLine]) -> Vec<Sums> {
    let mut all: BTreeMap<&str, Sums> = BTreeMap::new();
    for line in ledger {
        all.entry(&line.currency).or_default().book(line);
    }
    for order in orders.iter().filter(|order| order.state.owns_seats()) {
        all.entry(&order.currency).or_default().own(order);
    }
    all.into_iter().map(|(currency, sums)| sums.closed(currency)).collect()
}

impl Sums {
    fn book(&mut self, line: &LedgerLine) {
        let sum = match line.movement {
            Movement::Authorization => &mut self.authorized_minor,
            Movement::Capture => &mut self.captured_minor,
            Movement::Void => &mut self.voided_minor,
            Movement::Refund => &mut self.refunded_minor,
        };
        *sum = sum.saturating_add(line.amount_minor);
    }

    fn own(&mut self, order: &Order) {
        let (price, fees) = prices(&order.places.without(&order.gone));
        self.price_minor = self.price_minor.saturating_add(price);
        self.fees_minor = self.fees_minor.saturating_add(fees);
    }

    fn closed(self, currency: &str) -> Self {
        let net_minor = self.captured_minor.saturating_sub(self.refunded_minor);
        let open_minor = self.price_minor.saturating_add(self.fees_minor).saturating_sub(net_minor);
        Self { currency: currency.to_owned(), net_minor, open_minor, ..self }
    }
}

/// Prices and fees of places.
fn prices(places: &Places) -> (i64, i64) {
    let seats = places.seats.iter().map(|line| (line.price_minor, line.fee_minor));
    let times = |quantity: u32, minor: i64| i64::from(quantity).saturating_mul(minor);
    let pools = places.pools.iter().map(|l| (times(l.quantity, l.price_minor), times(l.quantity, l.fee_minor)));
    seats.chain(pools).fold((0_i64, 0_i64), |(p, f), (price, fee)| (p.saturating_add(price), f.saturating_add(fee)))
}
