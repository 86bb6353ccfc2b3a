//! What places cost: prices by type, fees, and a quote for a whole wish.
//!
//! Prices are shown all-in, for one place. A fee has a fixed part and a part in per cent of the price. What is shown is
//! rounded up; what is charged is the exact sum of all fees, rounded up once. Rounding up is the one way of rounding that
//! never makes a sum more than its parts: nobody pays more than was shown, and a single place costs what was shown.

mod fee;
mod quote;
#[cfg(test)]
mod tests;

pub use fee::{Amounts, allot};
pub use quote::{PoolWish, Quote, SeatWish, Unpriced, quote};

use serde::{Deserialize, Serialize};

/// The price of one place, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Price without fee.
    pub price_minor: i64,
    /// Fixed part of the fee.
    pub fee_minor: i64,
    /// The other part of the fee, in millionths of the price: 333,300 is 33.33 %.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fee_ppm: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Price {
    /// The fee that is shown for one place, in minor units; see [`Currency::step_minor`](crate::money::Currency::step_minor).
    #[must_use]
    pub fn shown_fee_minor(&self, step_minor: i64) -> i64 {
        allot(&[*self], step_minor).first().map_or(0, |amounts| amounts.fee_minor)
    }

    /// The all-in price that is shown for one place, in minor units.
    #[must_use]
    pub fn shown_total_minor(&self, step_minor: i64) -> i64 {
        self.price_minor.saturating_add(self.shown_fee_minor(step_minor))
    }
}

/// One of several prices of a level: adult, child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceType {
    /// Id, unique in its level.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// What a place costs.
    #[serde(flatten)]
    pub price: Price,
}
