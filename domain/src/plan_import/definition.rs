//! What the table and the edge keep of an event.

use serde::{Deserialize, Serialize};

use super::show::Show;
use super::times;
use super::webhook::Webhook;
use crate::beacon::Chain;
use crate::door::Checks;
use crate::edge_event::DAY_MS;
use crate::ids::{BlockId, EventId, PoolId, SectionId};
use crate::lane::Lane;
use crate::money::Currency;
use crate::price::{Price, PriceType};
use crate::registration::Registration;
use crate::time::WallMs;

/// An event's definition, as stored in its `META` item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventDefinition {
    /// Version of this format: 1.
    pub v: u32,
    /// Event.
    pub id: EventId,
    /// Name.
    pub name: String,
    /// Venue.
    pub venue: String,
    /// IANA time zone, for display.
    pub zone: String,
    /// When the on-sale opens.
    pub opens_at_ms: WallMs,
    /// When the event ends.
    pub ends_at_ms: WallMs,
    /// ISO 4217 code.
    pub currency: String,
    /// AWS region that sells it.
    pub home_region: Option<String>,
    /// Whether accounts minted by the operator may take part.
    pub rehearsal: bool,
    /// Which layout.
    pub layout_version: String,
    /// Price levels, in the layout's order.
    pub levels: Vec<PriceLevel>,
    /// Standing pools.
    pub pools: Vec<PoolDef>,
    /// Limits.
    pub limits: Limits,
    /// Sections and the blocks that their seats are spread over, in map order.
    pub sections: Vec<SectionBlocks>,
    /// How the line is run.
    pub door: Door,
    /// What tickets tell of the show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<Show>,
    /// The public randomness beacon that draws cohort 0; without one the organiser draws alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<Chain>,
    /// Lanes beside the main line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<Lane>,
    /// The registration lottery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Registration>,
    /// Where the organiser is told of orders and tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<Webhook>,
}

/// A price level. Amounts in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceLevel {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// CSS colour.
    pub color: String,
    /// The only price, or that of the first type.
    #[serde(flatten)]
    pub price: Price,
    /// Price types, the usual one first; empty where there is but one price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<PriceType>,
}

impl PriceLevel {
    /// The price of a type of this level; without one, the usual price. With it goes the type's id, if the level has types.
    #[must_use]
    pub fn offer(&self, wished: Option<&str>) -> Option<(Option<String>, Price)> {
        let of = |t: &PriceType| (Some(t.id.clone()), t.price);
        match wished {
            None => Some(self.types.first().map_or((None, self.price), of)),
            Some(id) => self.types.iter().find(|t| t.id == id).map(of),
        }
    }

    /// The edge's view of the level: all prices as they are shown.
    fn to_edge_json(&self, step_minor: i64) -> serde_json::Value {
        let shown = |id: &str, name: &str, price: &Price| {
            let (fee, total) = (price.shown_fee_minor(step_minor), price.shown_total_minor(step_minor));
            serde_json::json!({"id": id, "name": name, "price_minor": price.price_minor, "fee_minor": fee, "total_minor": total})
        };
        let types: Vec<_> = self.types.iter().map(|t| shown(&t.id, &t.name, &t.price)).collect();
        let mut view = shown(&self.id, &self.name, &self.price);
        view["color"] = self.color.as_str().into();
        view["types"] = types.into();
        view
    }
}

/// A pool of standing places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolDef {
    /// Id.
    pub id: PoolId,
    /// Name.
    pub name: String,
    /// Places in all.
    pub capacity: u32,
    /// Shares that they are spread over.
    pub shares: u32,
    /// Level id.
    pub level: String,
}

/// Limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Places per account.
    pub per_account: u32,
    /// Places per card.
    pub per_card: u32,
    /// Whether fans cannot give back what they bought.
    #[serde(default)]
    pub final_sale: bool,
    /// Whether seats that come back after the event was sold out are offered to those who wait.
    #[serde(default)]
    pub waiting_list: bool,
}

/// A section's blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionBlocks {
    /// Section.
    pub section: SectionId,
    /// Its blocks.
    pub blocks: Vec<BlockId>,
    /// Its seats.
    pub seats: u32,
}

/// How the line is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Door {
    /// Line shards.
    pub shards: u32,
    /// Places admitted per minute; none: derived.
    pub rate_per_minute: Option<u32>,
    /// Tickets of an average order.
    pub tickets_per_order: f64,
    /// How long a turn may be claimed, in ms.
    pub claim_window_ms: i64,
    /// How long an access token is good, in ms of event time.
    pub session_ms: i64,
    /// How long late arrivals of the opening are waited for, in ms.
    pub grace_ms: i64,
    /// The beat while it matters, in ms.
    pub beat_ms: i64,
    /// The beat else, in ms.
    pub idle_beat_ms: i64,
    /// How many days after the end the edge keeps who stood in line; 30 where that was not told.
    #[serde(default = "thirty")]
    pub forget_after_days: i64,
    /// What is checked at the door.
    #[serde(default)]
    pub checks: Checks,
}

const fn thirty() -> i64 {
    30
}

impl EventDefinition {
    /// The price level of this id.
    #[must_use]
    pub fn level(&self, id: &str) -> Option<&PriceLevel> {
        self.levels.iter().find(|l| l.id == id)
    }

    /// The pool of this id.
    #[must_use]
    pub fn pool(&self, id: &PoolId) -> Option<&PoolDef> {
        self.pools.iter().find(|p| &p.id == id)
    }

    /// Wall time after which ended holds may be deleted: 30 days after the event.
    #[must_use]
    pub fn keep_until(&self) -> WallMs {
        self.ends_at_ms.plus(30 * DAY_MS)
    }

    /// The step that amounts of its currency are charged in, in minor units.
    #[must_use]
    pub fn step_minor(&self) -> i64 {
        self.currency.parse::<Currency>().map_or(1, |currency| currency.step_minor())
    }

    /// When the show starts as the clock of the venue shows it, with its offset.
    fn starts_local(&self) -> Option<String> {
        times::shown(self.show.as_ref()?.starts_at_ms, &self.zone)
    }

    /// The edge's view of the event, as JSON.
    #[must_use]
    pub fn to_edge_json(&self) -> serde_json::Value {
        let step = self.step_minor();
        let levels: Vec<_> = self.levels.iter().map(|l| l.to_edge_json(step)).collect();
        let pool =
            |p: &PoolDef| serde_json::json!({"id": p.id, "name": p.name, "capacity": p.capacity, "level": p.level});
        serde_json::json!({
            "id": self.id, "name": self.name, "venue": self.venue, "zone": self.zone, "currency": self.currency,
            "opens_at_ms": self.opens_at_ms, "ends_at_ms": self.ends_at_ms,
            "starts_at_ms": self.show.as_ref().map(|show| show.starts_at_ms), "starts_local": self.starts_local(),
            "address": self.show.as_ref().and_then(|show| show.address.as_ref()),
            "description": self.show.as_ref().and_then(|show| show.description.as_ref()),
            "point": self.show.as_ref().and_then(|show| show.point),
            "shards": self.door.shards, "rate_per_minute": self.door.rate_per_minute,
            "tickets_per_order": self.door.tickets_per_order, "max_per_account": self.limits.per_account,
            "claim_window_ms": self.door.claim_window_ms, "session_ms": self.door.session_ms,
            "grace_ms": self.door.grace_ms, "beat_ms": self.door.beat_ms, "idle_beat_ms": self.door.idle_beat_ms, "checks": self.door.checks,
            "forget_after_ms": self.door.forget_after_days * DAY_MS,
            "rehearsal": self.rehearsal, "layout_version": self.layout_version, "beacon": self.beacon,
            "levels": levels, "lanes": self.lanes, "registration": self.registration, "waiting_list": self.limits.waiting_list,
            "pools": self.pools.iter().map(pool).collect::<Vec<_>>(),
        })
    }
}
