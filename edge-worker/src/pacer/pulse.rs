//! The pulse: one signed call a beat to the booking origin, which answers how things stand.

use std::collections::BTreeMap;

use domain::map::chart::{Counts, Sheet, SheetError};
use domain::pace;
use domain::time::{Clock, EventMs, WallMs};
use domain::token::{PulseToken, Token};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::Method;

use crate::config::Config;
use crate::event::Edition;
use crate::origin::{self, Outgoing};
use crate::problem::Code;

/// Life of a pulse token, in milliseconds: longer than any delay between edge and origin.
const TOKEN_MS: i64 = 30_000;

/// What a pulse says.
pub struct Pulse {
    /// The beat, already written.
    pub beat: u64,
    /// Whether event time shall stand.
    pub paused: bool,
    /// Length of the beat, in milliseconds.
    pub beat_ms: i64,
    /// Revocation epoch.
    pub rev: u32,
    /// The seat map's version that the edge has.
    pub map: i64,
}

/// How things stand at the origin.
#[derive(Clone, Debug, Deserialize)]
pub struct Standing {
    clock: ClockMs,
    /// Seats and standing places, by state.
    pub stock: Stock,
    /// Orders that the free seats still make.
    pub orders_left: u64,
    /// Holds and orders so far.
    pub shoppers: u64,
    /// How old the stock is.
    pub projection: Projection,
    /// The highest revocation epoch that the origin was told.
    #[serde(default)]
    pub rev: u32,
    /// The seat map, if it changed.
    #[serde(default)]
    map: Value,
    /// How much is free where, if that changed.
    #[serde(default)]
    counts: Value,
    /// What these two say, or why they say nothing.
    #[serde(skip)]
    read: (Told<Sheet>, Told<Counts>),
}

/// What was told, if anything was and if it makes sense.
type Told<T> = Option<Result<T, SheetError>>;

#[derive(Clone, Copy, Debug, Deserialize)]
struct ClockMs {
    wall_ms: i64,
    event_ms: i64,
    run_ms: i64,
}

/// Seats and standing places by state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Stock {
    /// Free.
    pub free: u64,
    /// In holds.
    pub held: u64,
    /// In holds being paid.
    pub claimed: u64,
    /// Sold.
    pub sold: u64,
    /// Not for sale.
    #[serde(default)]
    pub blocked: u64,
    /// The same by price level.
    #[serde(default)]
    pub levels: BTreeMap<String, LevelStock>,
}

impl Stock {
    /// What may still be sold: free, held or being paid.
    pub fn unsold(&self) -> u64 {
        self.free.saturating_add(self.held).saturating_add(self.claimed)
    }
}

/// Seats and places of one price level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LevelStock {
    /// Free.
    #[serde(default)]
    pub free: u64,
    /// In holds.
    #[serde(default)]
    pub held: u64,
    /// In holds being paid.
    #[serde(default)]
    pub claimed: u64,
    /// Sold.
    #[serde(default)]
    pub sold: u64,
}

/// The beat that the projection of the stock has seen.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Projection {
    /// Age of the stock, in milliseconds.
    #[serde(default)]
    pub age_ms: i64,
}

/// Why a pulse brought nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PulseFailed {
    /// The origin has seen a higher beat: this Pacer lost its own.
    #[error("the origin has seen beat {0}")]
    Behind(u64),
    /// Not an answer of the agreed form.
    #[error("the origin's answer cannot be read: {0}")]
    Form(String),
    /// Another status.
    #[error("the origin answered {0}")]
    Refused(u16),
    /// No answer in time.
    #[error("the origin did not answer: {0:?}")]
    Silent(Code),
}

impl Stock {
    /// All seats and places that are or were for sale.
    pub const fn seats(&self) -> u64 {
        self.free + self.held + self.claimed + self.sold
    }
}

impl Standing {
    /// Reads the map, if there is one: an odd one is no reason to stop admitting people.
    fn with_map(self) -> Self {
        let sheet = (!self.map.is_null()).then(|| Sheet::read(&self.map));
        let counts = (!self.counts.is_null()).then(|| Counts::read(&self.counts));
        Self { map: Value::Null, counts: Value::Null, read: (sheet, counts), ..self }
    }

    /// The seat map, if it changed and makes sense.
    pub fn sheet(&self) -> Option<&Sheet> {
        self.read.0.as_ref()?.as_ref().ok()
    }

    /// How much is free where, if that changed and makes sense.
    pub fn counts(&self) -> Option<&Counts> {
        self.read.1.as_ref()?.as_ref().ok()
    }

    /// What is wrong with the map or the counts that came.
    pub fn odd_map(&self) -> Option<&SheetError> {
        let (sheet, counts) = &self.read;
        let odd = sheet.as_ref().and_then(|sheet| sheet.as_ref().err());
        odd.or_else(|| counts.as_ref()?.as_ref().err())
    }

    /// What pacing reads in it.
    pub fn facts(&self, beat: u64, tickets_per_order: f64) -> pace::Pulse {
        pace::Pulse {
            event: self.clock(beat).event,
            orders_left: self.orders_left,
            unsold: self.stock.unsold(),
            shoppers: self.shoppers,
            orders: (self.stock.sold as f64 / tickets_per_order.max(1.0)) as u64, // never negative, far below 2⁵²
            stock_age_ms: self.projection.age_ms,
        }
    }

    /// The event clock as the origin stored it.
    pub fn clock(&self, beat: u64) -> Clock {
        let ClockMs { wall_ms, event_ms, run_ms } = self.clock;
        Clock { beat, wall: WallMs(wall_ms), event: EventMs(event_ms), run_ms }
    }
}

/// Sends a pulse.
pub async fn send(config: &Config, event: &Edition, pulse: &Pulse, now: WallMs) -> Result<Standing, PulseFailed> {
    let token = PulseToken { beat: pulse.beat, expires: now.plus(TOKEN_MS) };
    let body = json!({
        "beat": pulse.beat, "paused": pulse.paused, "beat_ms": pulse.beat_ms, "rev": pulse.rev,
        "map_version": pulse.map,
    });
    let call = Outgoing {
        method: Method::Post,
        path: format!("/v1/events/{}/pulse", event.id),
        headers: vec![
            ("content-type", "application/json".into()),
            ("x-pulse-token", token.encode(&config.keys, &event.id)),
            ("x-correlation-id", format!("beat-{}-{}", event.id, pulse.beat)),
        ],
        body: body.to_string().into_bytes(),
        timeout_ms: origin::PULSE_TIMEOUT_MS,
    };
    let mut answer = origin::send(config, call).await.map_err(|problem| PulseFailed::Silent(problem.code))?;
    let status = answer.status_code();
    let body = answer.text().await.map_err(|_| PulseFailed::Silent(Code::OriginUnavailable))?;
    read(status, &body)
}

fn read(status: u16, body: &str) -> Result<Standing, PulseFailed> {
    match status {
        200 => serde_json::from_str(body).map(Standing::with_map).map_err(|error| PulseFailed::Form(error.to_string())),
        409 => {
            let problem: Value = serde_json::from_str(body).unwrap_or_default();
            Err(PulseFailed::Behind(problem.get("beat").and_then(Value::as_u64).unwrap_or_default()))
        }
        _ => Err(PulseFailed::Refused(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_every_kind() {
        let good = r#"{"beat":7,"clock":{"wall_ms":5,"event_ms":4,"run_ms":3},"stock":{"free":1,"held":2,"claimed":3,
            "sold":4,"blocked":5,"levels":{"front":{"free":1,"held":0,"claimed":0,"sold":0}}},"orders_left":1,
            "shoppers":9,"projection":{"beat":6,"age_ms":10},"map":null,"swept":0}"#;
        let standing = read(200, good).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(standing.clock(7).event, EventMs(4));
        assert_eq!(standing.stock.levels.len(), 1);
        assert_eq!(read(409, r#"{"code":"BEAT_NOT_HIGHER","beat":12}"#).err(), Some(PulseFailed::Behind(12)));
        assert!(matches!(read(200, "{}").err(), Some(PulseFailed::Form(_))));
        assert_eq!(read(403, "Forbidden").err(), Some(PulseFailed::Refused(403)));
    }
}
