//! How long the stock will last, counted in turns: what makes a wait hopeless.

/// Of a hundred turns so many buy, until an on-sale knows better: a low figure, so that nobody is sent away too early.
pub const BUYERS_PERCENT: u64 = 40;

/// For how many more turns `unsold` tickets (free, held or being paid) will probably last, when an order takes
/// `tickets_per_order` of them and `buyers_percent` of all turns buy. Rounded up: 0 only when nothing is left.
pub fn turns_left(unsold: u64, tickets_per_order: f64, buyers_percent: u64) -> u64 {
    let orders = (unsold as f64 / tickets_per_order.max(1.0)).ceil();
    (orders * 100.0 / buyers_percent.clamp(1, 100) as f64).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_become_turns() {
        for (unsold, per_order, percent, turns) in [
            (0, 2.5, 40, 0),
            (1, 2.5, 40, 3),
            (50_000, 2.5, 80, 25_000),
            (50_000, 2.5, 40, 50_000),
            (100, 0.1, 100, 100),
            (100, 1.0, 0, 10_000),
        ] {
            assert_eq!(turns_left(unsold, per_order, percent), turns, "{unsold} {per_order} {percent}");
        }
    }
}
