//! How fast one address may search. Counted in the isolate's memory, and where the deployment binds Cloudflare's rate limiter
//! (`SEARCH_RATE`) by that too; both are inexact and free. Addresses are never logged.

use std::cell::RefCell;
use std::collections::HashMap;

use domain::door::rate::{Meter, Rate};
use domain::search::ADDRESS_RATE;
use domain::time::WallMs;

use crate::call::Call;
use crate::clock;
use crate::door::address;
use crate::problem::Problem;

/// Addresses remembered at once; when they are more, those that are calm are forgotten.
const ADDRESSES_MAX: usize = 20_000;

thread_local! {
    static METERS: RefCell<HashMap<String, Meter>> = RefCell::default();
}

/// Counts a search that the index has to answer, or refuses it.
pub async fn count(call: &Call) -> Result<(), Problem> {
    let Some(address) = address::of(call) else { return Ok(()) };
    let key = address::network(address);
    METERS
        .with_borrow_mut(|meters| take(meters, &key, ADDRESS_RATE, clock::now()))
        .map_err(Problem::searches_too_fast)?;
    match address::limiter_passes(call, "SEARCH_RATE", key).await {
        true => Ok(()),
        false => Err(Problem::searches_too_fast(address::LIMITER_WAIT_MS)),
    }
}

fn take(meters: &mut HashMap<String, Meter>, key: &str, rate: Rate, now: WallMs) -> Result<(), i64> {
    let meter = address::meter_of(meters, key, ADDRESSES_MAX, |meter: &Meter| meter.is_empty(now));
    meter.map_or(Ok(()), |meter| meter.take(rate, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_waits_and_another_does_not() {
        let mut meters = HashMap::new();
        let refused = |meters: &mut HashMap<_, _>, rate, key: &str, now| {
            (0..400).filter(|_| take(meters, key, rate, WallMs(now)).is_err()).count()
        };
        assert_eq!(refused(&mut meters, ADDRESS_RATE, "a", 0), 100);
        assert_eq!(refused(&mut meters, ADDRESS_RATE, "b", 0), 100, "each by itself");
        assert_eq!(take(&mut meters, "a", ADDRESS_RATE, WallMs(200)), Ok(()), "five more a second");
        let unlimited = Rate { count: u32::MAX, ..ADDRESS_RATE };
        assert_eq!(refused(&mut meters, unlimited, "c", 0), 0, "without the limit nobody waits");
    }

    #[test]
    fn memory_is_bounded_and_calm_addresses_make_room() {
        let mut meters = HashMap::new();
        for n in 0..ADDRESSES_MAX + 10 {
            assert_eq!(take(&mut meters, &n.to_string(), ADDRESS_RATE, WallMs(0)), Ok(()));
        }
        assert_eq!(meters.len(), ADDRESSES_MAX);
        assert_eq!(take(&mut meters, "late", ADDRESS_RATE, WallMs(60_000)), Ok(()));
        assert_eq!(meters.len(), 1);
    }
}
