//! Write units of an order, by the rule that DynamoDB documents: a write of up to 1 KB is one unit, in a transaction two.
//!
//! What is counted is the design's: which items each stage writes. `cargo run --example figures -- units` measures the same at a
//! table. Writes of indexes come on top, see docs/figures.md.

/// A stage of an order; each is one transaction, the delivery two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Seats, hold, usage.
    Hold,
    /// Seats, hold, usage, order.
    Claim,
    /// The order learns its payment.
    Intent,
    /// Seats, tickets, hold, order, ledger line.
    Sale,
    /// Order, ledger line.
    Capture,
    /// What was handed out; then the order.
    Delivery,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Self; 6] = [Self::Hold, Self::Claim, Self::Intent, Self::Sale, Self::Capture, Self::Delivery];
}

/// Units of a transactional write of up to 1 KB.
const UNITS_OF_A_WRITE: u32 = 2;

/// Write units that a stage of an order of `seats` seats takes from the table, without a limit for its card.
#[must_use]
pub fn units(stage: Stage, seats: u32) -> f64 {
    let items = match stage {
        Stage::Hold => seats + 2,
        Stage::Claim => seats + 3,
        Stage::Intent => 1,
        Stage::Sale => 2 * seats + 3,
        Stage::Capture | Stage::Delivery => 2,
    };
    f64::from(items * UNITS_OF_A_WRITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_takes_eight_units_a_seat_and_some() {
        let all = |seats| Stage::ALL.iter().map(|stage| units(*stage, seats)).sum::<f64>();
        assert_eq!([1, 2, 4, 8].map(all), [34.0, 42.0, 58.0, 90.0]);
    }
}
