//! Where a call comes from, and how that address presses the door.
//!
//! Addresses are counted in the isolate's memory, by the event's own limit, and where the deployment binds Cloudflare's
//! rate limiter (`DOOR_RATE`) by that too. Both are inexact, and neither costs a call to a Durable Object; the exact
//! limit is the account's, in its shard. Addresses are never logged.

use core::net::IpAddr;
use std::cell::RefCell;
use std::collections::HashMap;

use domain::door::rate::Meter;
use domain::door::{Checks, Press};
use domain::ids::EventId;
use domain::time::WallMs;

use crate::call::Call;

/// Addresses remembered at once; when they are more, those that are calm are forgotten.
const ADDRESSES_MAX: usize = 50_000;
/// How long an address is remembered to have flooded, in milliseconds.
const FLOOD_MS: i64 = 60_000;
/// How long an address waits that the platform's limiter refuses, in milliseconds.
pub const LIMITER_WAIT_MS: i64 = 5_000;

#[derive(Default)]
struct Meters {
    limit: Meter,
    flood: Meter,
    /// Until when the address counts as one that floods.
    flood_until: WallMs,
}

thread_local! {
    static METERS: RefCell<HashMap<String, Meters>> = RefCell::default();
}

/// The client's address as the platform tells it.
pub fn of(call: &Call) -> Option<IpAddr> {
    let text = call.header("CF-Connecting-IP")?;
    text.parse().ok().map(|address: IpAddr| address.to_canonical())
}

/// The platform's bot score, if the site has one. Tests may set it where faults may be injected.
pub fn bot_score(call: &Call) -> Option<u8> {
    if call.config.faults
        && let Some(score) = call.header("X-Test-Bot-Score")
    {
        return score.parse().ok();
    }
    let score = call.request.cf()?.bot_management()?.score();
    u8::try_from(score).ok().filter(|score| (1..=99).contains(score))
}

/// Counts a call from this address.
pub async fn press(call: &Call, event: &EventId, checks: &Checks, address: IpAddr, now: WallMs) -> Press {
    let key = format!("{event}/{}", network(address));
    let mut press = count(&key, checks, now);
    if !limiter_passes(call, "DOOR_RATE", key).await {
        press.wait_ms = press.wait_ms.max(Some(LIMITER_WAIT_MS));
    }
    press
}

fn count(key: &str, checks: &Checks, now: WallMs) -> Press {
    METERS.with_borrow_mut(|meters| {
        let is_calm = |meter: &Meters| meter.limit.is_empty(now) && now >= meter.flood_until;
        let Some(meter) = meter_of(meters, key, ADDRESSES_MAX, is_calm) else { return Press::default() };
        if meter.flood.take(checks.flood_rate(), now).is_err() {
            meter.flood_until = now.plus(FLOOD_MS);
        }
        Press { wait_ms: meter.limit.take(checks.address_rate(), now).err(), flood: now < meter.flood_until }
    })
}

/// What is counted under a key, anew if nothing was; nothing where `most` others are remembered who are not calm.
pub fn meter_of<'a, M: Default>(
    meters: &'a mut HashMap<String, M>,
    key: &str,
    most: usize,
    is_calm: impl Fn(&M) -> bool,
) -> Option<&'a mut M> {
    if meters.len() >= most {
        meters.retain(|_, meter| !is_calm(meter));
    }
    if meters.len() >= most && !meters.contains_key(key) {
        return None;
    }
    Some(meters.entry(key.to_owned()).or_default())
}

/// Whether the platform's limiter of this name lets a call of `key` through; where there is none it does.
pub async fn limiter_passes(call: &Call, name: &str, key: String) -> bool {
    let Ok(limiter) = call.env.rate_limiter(name) else { return true };
    limiter.limit(key).await.map_or(true, |outcome| outcome.success)
}

/// One household: an IPv4 address, or the 64 bits of an IPv6 address that name its network.
pub fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_hundred_behind_one_address_get_in_and_a_flood_is_seen() {
        let checks = Checks::default();
        let calm = (0..500).all(|_| count("demo/a", &checks, WallMs(0)) == Press::default());
        assert!(calm, "500 fans at once behind one address");
        let presses = (0..12_000).map(|_| count("demo/a", &checks, WallMs(0)));
        let last = presses.fold(Press::default(), |_, press| press);
        assert!(last.flood && last.wait_ms.is_some());
        assert_eq!(count("demo/b", &checks, WallMs(0)), Press::default(), "another address");
    }

    #[test]
    fn addresses_of_one_household_count_together() {
        let net = |text: &str| text.parse().map(network).unwrap_or_default();
        assert_eq!(net("2001:db8:1:2:3::4"), net("2001:db8:1:2:ffff::1"));
        assert_ne!(net("2001:db8:1:2::1"), net("2001:db8:1:3::1"));
        assert_ne!(net("192.0.2.1"), net("192.0.2.2"));
    }
}
