//! How long and how often to try again.

use std::time::Duration;

/// Tries of one transaction. With waits of at most 20, 40, 80, 160, 320, 320, 320 ms, the seven together stay
/// under 1.3 s.
pub(crate) const TRIES: u32 = 8;

const FIRST_MS: u64 = 20;
const LONGEST_MS: u64 = 320;

/// The wait after the `n`-th failed try, from 1: anything from zero up to a bound that doubles. Full jitter, since callers
/// that collided once would otherwise meet again.
pub(crate) async fn wait(n: u32) {
    tokio::time::sleep(Duration::from_millis(up_to(bound_ms(n)))).await;
}

fn bound_ms(n: u32) -> u64 {
    let doubled = FIRST_MS.saturating_mul(1 << n.saturating_sub(1).min(16));
    doubled.min(LONGEST_MS)
}

fn up_to(bound_ms: u64) -> u64 {
    rand::random::<u64>() % (bound_ms + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_are_bounded() {
        let bounds: Vec<u64> = (1..TRIES).map(bound_ms).collect();
        assert_eq!(bounds, [20, 40, 80, 160, 320, 320, 320]);
        assert!((0..1000).all(|_| up_to(20) <= 20));
    }
}
