//! How long the stock will last, counted in turns: what makes a wait hopeless.

use super::Learned;

/// For how many more turns `unsold` tickets (free, held or being paid) will probably last, when an order takes
/// `tickets_per_order` of them and as many turns buy as was learned. Rounded up: 0 only when nothing is left.
pub fn turns_left(unsold: u64, tickets_per_order: f64, learned: &Learned) -> u64 {
    let orders = (unsold as f64 / tickets_per_order.max(1.0)).ceil();
    (orders * 1e6 / learned.buying_turns_ppm() as f64).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_become_turns() {
        for (unsold, per_order, shows, buys, turns) in [
            (0, 2.5, 1_000, 400, 0),
            (1, 2.5, 1_000, 400, 3),
            (50_000, 2.5, 1_000, 800, 25_000),
            (50_000, 2.5, 1_000, 400, 50_000),
            (50_000, 2.5, 500, 800, 50_000),
            (100, 0.1, 1_000, 1_000, 100),
            (100, 1.0, 0, 0, 100_000_000),
        ] {
            let learned = Learned { shows, buys };
            assert_eq!(turns_left(unsold, per_order, &learned), turns, "{unsold} {per_order} {learned:?}");
        }
    }
}
