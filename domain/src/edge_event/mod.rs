//! The event as the edge knows it: what an operator's `PUT /v1/operator/events/{id}` carries, and the checks before anything
//! of it is stored. All findings are named at once.

mod check;
mod head;
mod lanes;
#[cfg(test)]
mod tests;

pub use check::{Finding, check, check_change};
pub use head::Head;

use crate::beacon::Chain;
use crate::door::Checks;
use crate::ids::EventId;
use crate::lane::{self, Lane, MAIN, REGISTRATION};
use crate::money::Currency;
use crate::pace::Rules;
use crate::registration::Registration;
use crate::search::Point;
use crate::time::WallMs;
use serde::{Deserialize, Serialize};

/// An event's definition at the edge. Money in minor units of `currency`, times in wall milliseconds, spans in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeEvent {
    /// The event.
    pub id: EventId,
    /// Name as shown, in any script.
    pub name: String,
    /// Venue as shown.
    pub venue: String,
    /// The opening of the on-sale.
    pub opens_at_ms: WallMs,
    /// From when fans may join; by default at once.
    #[serde(default)]
    pub joins_from_ms: WallMs,
    /// The end of the on-sale.
    pub ends_at_ms: WallMs,
    /// When the show starts, if the organiser told; shown only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at_ms: Option<WallMs>,
    /// The same as the clock of the venue shows it, with its offset: `2027-06-12T20:00:00+02:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_local: Option<String>,
    /// The venue's address; shown only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The show in a few sentences; shown only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the venue is; shown only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// IANA zone of the venue, for example `Europe/Berlin`. Shown only; times are absolute.
    pub zone: String,
    /// Currency of all amounts.
    pub currency: Currency,
    /// Shards of the line; fixed at the first join.
    #[serde(default = "defaults::shards")]
    pub shards: u16,
    /// Places admitted per minute; without it the rate follows from seats and what is learned, [`crate::pace::Learned::rate`].
    #[serde(default)]
    pub rate_per_minute: Option<u32>,
    /// Tickets per order, by expectation.
    #[serde(default = "defaults::tickets_per_order")]
    pub tickets_per_order: f64,
    /// Tickets per account.
    pub max_per_account: u32,
    /// How long a turn may be claimed, event time.
    #[serde(default = "defaults::claim_window_ms")]
    pub claim_window_ms: i64,
    /// How long a session lasts from its first claim, event time.
    #[serde(default = "defaults::session_ms")]
    pub session_ms: i64,
    /// How long after the opening cohort 0 waits for arrival stamps from before it.
    #[serde(default = "defaults::grace_ms")]
    pub grace_ms: i64,
    /// A beat from ten minutes before the opening to the end.
    #[serde(default = "defaults::beat_ms")]
    pub beat_ms: i64,
    /// A beat at all other times.
    #[serde(default = "defaults::idle_beat_ms")]
    pub idle_beat_ms: i64,
    /// How long after the end of the on-sale the edge keeps who stood in line.
    #[serde(default = "defaults::forget_after_ms")]
    pub forget_after_ms: i64,
    /// What is checked at the door.
    #[serde(default)]
    pub checks: Checks,
    /// How long before an opening that is moved forward fans hear of it, at least.
    #[serde(default = "defaults::notice_ms")]
    pub notice_ms: i64,
    /// A rehearsal: accounts minted by operators may join.
    #[serde(default)]
    pub rehearsal: bool,
    /// The public randomness beacon that draws cohort 0; without one the organiser draws alone.
    #[serde(default)]
    pub beacon: Option<Chain>,
    /// Version of the layout at the origin.
    pub layout_version: String,
    /// Price levels.
    pub levels: Vec<EdgeLevel>,
    /// Pools of standing places.
    #[serde(default)]
    pub pools: Vec<EdgePool>,
    /// Lanes beside the main line. Each has a number by its position, from 1; new ones come last.
    #[serde(default)]
    pub lanes: Vec<Lane>,
    /// The registration lottery, days ahead.
    #[serde(default)]
    pub registration: Option<Registration>,
    /// Whether seats that come back are offered to those who wait; shown only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waiting_list: bool,
}

/// A price level: all-in price and its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeLevel {
    /// Id, unique in the event.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee.
    pub fee_minor: i64,
    /// What the fan pays: price and fee.
    pub total_minor: i64,
    /// Price types, the usual one first; empty where there is but one price.
    #[serde(default)]
    pub types: Vec<EdgeType>,
}

/// One of several prices of a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeType {
    /// Id, unique in its level.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// Price without fee.
    pub price_minor: i64,
    /// Fee, as shown for one place.
    pub fee_minor: i64,
    /// What the fan pays for one place: price and fee.
    pub total_minor: i64,
}

/// A pool of standing places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgePool {
    /// Id, unique in the event.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// Places.
    pub capacity: u64,
    /// Id of its price level.
    pub level: String,
}

mod defaults {
    pub const fn shards() -> u16 {
        4
    }
    pub const fn tickets_per_order() -> f64 {
        2.5
    }
    pub const fn claim_window_ms() -> i64 {
        300_000
    }
    pub const fn session_ms() -> i64 {
        900_000
    }
    pub const fn grace_ms() -> i64 {
        3_000
    }
    pub const fn beat_ms() -> i64 {
        1_000
    }
    pub const fn idle_beat_ms() -> i64 {
        30_000
    }
    pub const fn notice_ms() -> i64 {
        60_000
    }
    pub const fn forget_after_ms() -> i64 {
        30 * super::DAY_MS
    }
}

/// A day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// The beat is fast from this long before the opening.
pub const FAST_BEFORE_MS: i64 = 600_000;

impl EdgeEvent {
    /// Reads an operator's JSON for event `id` and checks it; all findings, or the event.
    pub fn read(bytes: &[u8], id: &EventId) -> Result<Self, Vec<Finding>> {
        let event: Self = serde_json::from_slice(bytes).map_err(|e| vec![Finding::new("event", e.to_string())])?;
        let mut findings = check(&event);
        if event.id != *id {
            findings.push(Finding::new("id", format!("is {} but the address names {id}", event.id)));
        }
        if findings.is_empty() { Ok(event) } else { Err(findings) }
    }

    /// The rules that pacing needs, at the rate in force.
    pub fn rules(&self, rate_per_minute: u32) -> Rules {
        Rules {
            joins_from: self.joins_from_ms,
            opens: self.opens_at_ms,
            ends: self.ends_at_ms,
            rate_per_minute,
            claim_window_ms: self.claim_window_ms,
            beat_ms: self.beat_ms,
        }
    }

    /// Every line of the event by its number: the main line, the lanes, and the one of those who register.
    pub fn lines(&self) -> impl Iterator<Item = u8> + use<> {
        lane::numbers(&self.lanes).chain(self.registration.map(|_| REGISTRATION))
    }

    /// Shards of a line.
    pub fn shards_of(&self, line: u8) -> u16 {
        if line == MAIN { self.shards } else { self.shards.min(lane::SHARDS_MAX) }
    }

    /// When a line opens: who came before is drawn, who comes later is numbered as they come. Those who register are only drawn.
    pub fn opening_of(&self, line: u8) -> WallMs {
        let draw = self.registration.filter(|_| line == REGISTRATION).map(|registration| registration.draws_at_ms);
        draw.unwrap_or(self.opens_at_ms)
    }

    /// When the edge forgets who stood in line.
    pub fn forgets_at(&self) -> WallMs {
        self.ends_at_ms.plus(self.forget_after_ms)
    }

    /// Length of the beat at `now`: fast from ten minutes before the opening until the end, and always where
    /// `always_fast` (a rehearsal event, or a local stack).
    pub fn beat_at(&self, now: WallMs, always_fast: bool) -> i64 {
        let busy = now >= self.opens_at_ms.plus(-FAST_BEFORE_MS) && now < self.ends_at_ms;
        if busy || always_fast || self.rehearsal { self.beat_ms } else { self.idle_beat_ms }
    }

    /// The next whole beat after `now`: alarms aim at multiples of the beat, so that they do not drift.
    pub fn next_beat(&self, now: WallMs, always_fast: bool) -> WallMs {
        let beat = self.beat_at(now, always_fast).max(1);
        WallMs(now.0.div_euclid(beat).saturating_add(1).saturating_mul(beat))
    }
}
