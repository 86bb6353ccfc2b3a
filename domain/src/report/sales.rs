//! What was sold when: orders and places by the time of their sale, money by the time it moved.

use super::{Grid, MOST_BINS};
use crate::ids::OrderId;
use crate::items::{LedgerLine, Movement, Order};
use crate::time::WallMs;
use serde::Serialize;
use std::collections::BTreeMap;

/// Money that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Flow {
    /// Taken, in minor units.
    pub captured_minor: i64,
    /// Given back, in minor units.
    pub refunded_minor: i64,
}

/// What was sold in one bin of time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Selling {
    /// Start of the bin.
    pub from: WallMs,
    /// Orders sold, whatever became of them.
    pub orders: u64,
    /// Their places.
    pub places: u64,
    /// Money by currency.
    pub money: BTreeMap<String, Flow>,
}

/// The curve.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Sales {
    /// Width of a bin, in milliseconds.
    pub width_ms: i64,
    /// The bins, from the opening to the last sale.
    pub bins: Vec<Selling>,
    /// Before the first bin: the box office, say.
    pub before: Selling,
    /// Behind the last: late captures, refunds.
    pub after: Selling,
    /// Orders sold, in all.
    pub orders: u64,
    /// Places sold, in all.
    pub places: u64,
    /// Of these, given back.
    pub given_back: u64,
}

/// The curve of these orders.
pub(super) fn sales(opens: WallMs, orders: &[&Order], ledger: &[&LedgerLine]) -> Sales {
    let sold: Vec<(&Order, WallMs)> = dated(orders, ledger);
    let Some(last) = sold.iter().map(|(_, at)| *at).max() else {
        return Sales { after: money_only(ledger), ..Sales::default() };
    };
    let mut sales = Sales::empty(&Grid::over(opens.0, last.max(opens).0, MOST_BINS));
    for (order, at) in sold {
        sales.sell(order, at);
    }
    for line in ledger {
        sales.at(line.wall).flow(line);
    }
    sales
}

/// Every order that was ever sold, and when: the first line of its ledger, or where it cost nothing its making.
fn dated<'a>(orders: &[&'a Order], ledger: &[&LedgerLine]) -> Vec<(&'a Order, WallMs)> {
    let first: BTreeMap<OrderId, WallMs> =
        ledger.iter().filter(|line| line.n == 1).map(|line| (line.order, line.wall)).collect();
    let sold = orders.iter().filter(|order| order.state.was_sold());
    sold.map(|order| (*order, first.get(&order.id).copied().unwrap_or(order.created))).collect()
}

fn money_only(ledger: &[&LedgerLine]) -> Selling {
    let mut all = Selling::default();
    ledger.iter().for_each(|line| all.flow(line));
    all
}

impl Sales {
    fn empty(grid: &Grid) -> Self {
        let bin = |bin| Selling { from: WallMs(grid.start(bin)), ..Selling::default() };
        Self { width_ms: grid.width_ms, bins: (0..grid.bins).map(bin).collect(), ..Self::default() }
    }

    /// Where something of this time belongs.
    fn at(&mut self, time: WallMs) -> &mut Selling {
        let grid = Grid {
            from: self.bins.first().map_or(0, |bin| bin.from.0),
            width_ms: self.width_ms.max(1),
            bins: self.bins.len(),
        };
        match grid.bin(time.0) {
            Some(bin) => &mut self.bins[bin],
            None if time.0 < grid.from => &mut self.before,
            None => &mut self.after,
        }
    }

    fn sell(&mut self, order: &Order, at: WallMs) {
        let places = u64::from(order.places.count());
        let gone = if order.state.owns_seats() { order.gone.len() as u64 } else { places };
        let bin = self.at(at);
        (bin.orders, bin.places) = (bin.orders + 1, bin.places + places);
        (self.orders, self.places, self.given_back) = (self.orders + 1, self.places + places, self.given_back + gone);
    }
}

impl Selling {
    fn flow(&mut self, line: &LedgerLine) {
        let minor = match line.movement {
            Movement::Capture | Movement::Refund => line.amount_minor,
            Movement::Authorization | Movement::Void => return,
        };
        let flow = self.money.entry(line.currency.clone()).or_default();
        let sum = if line.movement == Movement::Capture { &mut flow.captured_minor } else { &mut flow.refunded_minor };
        *sum = sum.saturating_add(minor);
    }
}
