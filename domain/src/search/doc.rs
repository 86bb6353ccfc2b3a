//! What the index keeps of one event.

use jiff::civil::DateTime;
use jiff::tz::TimeZoneDatabase;
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::fold::{Word, words};
use super::place::Point;
use crate::ids::EventId;
use crate::money::Currency;
use crate::plan_import::EventDefinition;
use crate::stock::Counts;
use crate::time::WallMs;

/// Rows of one minute: far more events than begin together anywhere.
const ROWS_OF_A_MINUTE: i64 = 1 << 19;
/// Longest text of a document, in bytes.
const TEXT_MAX: usize = 4_000;
/// Years that a show may be in.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=2200;
/// Below this share of all places, an event is nearly sold out: one in this many.
const FEW: u64 = 10;

/// How much is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// More than a tenth is free.
    Plenty,
    /// At most a tenth is free.
    Few,
    /// Nothing is free at the moment.
    None,
}

impl Left {
    /// Of these places, those that are not for sale do not count.
    #[must_use]
    pub const fn of(counts: &Counts) -> Self {
        match counts.free {
            0 => Self::None,
            free if free.saturating_mul(FEW) <= counts.total() - counts.blocked => Self::Few,
            _ => Self::Plenty,
        }
    }
}

/// An event as it is found and shown in a list. Amounts in minor units, all-in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doc {
    /// Event.
    pub id: EventId,
    /// Rises with every change; a lower one never replaces a higher one.
    pub version: i64,
    /// Whether it is found at all: rehearsals are not.
    pub listed: bool,
    /// Name.
    pub name: String,
    /// Venue.
    pub venue: String,
    /// The venue's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// In a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the venue is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// IANA time zone of the venue.
    pub zone: String,
    /// When it starts on the clock there, `2027-06-12T20:00`.
    pub starts_local: String,
    /// When it starts.
    pub starts_at_ms: WallMs,
    /// When it ends.
    pub ends_at_ms: WallMs,
    /// When the on-sale opens.
    pub opens_at_ms: WallMs,
    /// ISO 4217 code.
    pub currency: Currency,
    /// The lowest price.
    pub from_minor: i64,
    /// The highest price.
    pub to_minor: i64,
    /// How much is left.
    pub left: Left,
    /// When anything but what is left was last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at_ms: Option<WallMs>,
}

/// Why a document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{event}: {field} makes no sense")]
pub struct BadDoc {
    /// Which event.
    pub event: EventId,
    /// Which field.
    pub field: &'static str,
}

impl Doc {
    /// An event as its definition and its stock say. `None` where the definition itself is beyond understanding.
    #[must_use]
    pub fn of(definition: &EventDefinition, stock: &Counts, version: i64) -> Option<Self> {
        let starts = definition.show.as_ref().map_or(definition.ends_at_ms, |show| show.starts_at_ms);
        let prices = prices(definition);
        Some(Self {
            id: definition.id.clone(),
            version,
            listed: !definition.rehearsal,
            name: definition.name.clone(),
            venue: definition.venue.clone(),
            address: definition.show.as_ref().and_then(|show| show.address.clone()),
            description: definition.show.as_ref().and_then(|show| show.description.clone()),
            point: definition.show.as_ref().and_then(|show| show.point),
            zone: definition.zone.clone(),
            starts_local: local(starts, &definition.zone)?,
            starts_at_ms: starts,
            ends_at_ms: definition.ends_at_ms,
            opens_at_ms: definition.opens_at_ms,
            currency: definition.currency.parse().ok()?,
            from_minor: prices.iter().copied().min()?,
            to_minor: prices.iter().copied().max()?,
            left: Left::of(stock),
            changed_at_ms: None,
        })
    }

    /// Checks what came from elsewhere.
    ///
    /// # Errors
    /// The first field that makes no sense.
    pub fn check(&self) -> Result<(), BadDoc> {
        let texts = [Some(&self.name), Some(&self.venue), self.address.as_ref(), self.description.as_ref()];
        let long = texts.into_iter().flatten().any(|text| text.len() > TEXT_MAX);
        let somewhere = self.point.is_none_or(|p| Point::new(p.latitude, p.longitude).is_some());
        let ladder = [
            ("version", (0..1 << 53).contains(&self.version)),
            ("name", !self.name.is_empty() && !long),
            ("point", somewhere),
            ("starts_local", minute(&self.starts_local).is_some()),
            ("ends_at_ms", self.starts_at_ms <= self.ends_at_ms && self.ends_at_ms.0 < 1 << 53),
            ("changed_at_ms", self.changed_at_ms.is_none_or(|at| (0..1 << 53).contains(&at.0))),
            ("from_minor", 0 <= self.from_minor && self.from_minor <= self.to_minor && self.to_minor < 1 << 53),
        ];
        let bad = ladder.into_iter().find(|(_, holds)| !holds);
        bad.map_or(Ok(()), |(field, _)| Err(BadDoc { event: self.id.clone(), field }))
    }

    /// The first row of its minute. Rows are in the order in which events take place, each on the clock of its venue.
    #[must_use]
    pub fn first_row(&self) -> i64 {
        first_row(minute(&self.starts_local).unwrap_or_default())
    }

    /// What words are looked for in.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = [Some(&self.name), Some(&self.venue), self.address.as_ref(), self.description.as_ref()];
        let mut text = String::new();
        for word in texts.into_iter().flatten().flat_map(|text| words(text)) {
            match word {
                Word::Spaced(word) => text.push_str(&word),
                Word::Dense(run) => run.iter().for_each(|c| text.extend([*c, ' '])),
            }
            text.push(' ');
        }
        text
    }

    /// What else can be asked for, as words.
    #[must_use]
    pub fn tags(&self) -> String {
        let mut tags = self.point.map(|point| point.cells()).unwrap_or_default();
        tags.push(price_tag(self.currency, magnitude(self.from_minor)));
        if self.left != Left::None {
            tags.push(OPEN.to_owned());
        }
        tags.join(" ")
    }
}

/// The tag of events that have something left.
pub(super) const OPEN: &str = "open";

/// The tag of events in this currency whose lowest price has this magnitude.
pub(super) fn price_tag(currency: Currency, magnitude: u32) -> String {
    format!("p{}{magnitude}", currency.code().to_lowercase())
}

/// Bits of an amount: prices of one magnitude differ by a factor of two at most.
pub(super) const fn magnitude(minor: i64) -> u32 {
    i64::BITS - minor.leading_zeros()
}

/// The first row of a minute since 1970 on any clock.
pub(super) const fn first_row(minute: i64) -> i64 {
    minute * ROWS_OF_A_MINUTE
}

/// Minutes from 1970 to this time of a clock on the wall.
pub(super) fn minute(local: &str) -> Option<i64> {
    let time: DateTime = local.parse().ok().filter(|time: &DateTime| YEARS.contains(&time.year()))?;
    let instant = TimeZone::UTC.to_timestamp(time).ok()?;
    Some(instant.as_second().div_euclid(60))
}

fn local(at: WallMs, zone: &str) -> Option<String> {
    let zone = TimeZoneDatabase::bundled().get(zone).ok()?;
    let time = Timestamp::from_millisecond(at.0).ok()?.to_zoned_datetime(zone);
    Some(time.strftime("%Y-%m-%dT%H:%M").to_string())
}

/// All prices as they are shown.
fn prices(definition: &EventDefinition) -> Vec<i64> {
    let step = definition.step_minor();
    let of_level = |level: &crate::plan_import::PriceLevel| {
        let types: Vec<_> = level.types.iter().map(|t| t.price).collect();
        let prices = if types.is_empty() { vec![level.price] } else { types };
        prices.into_iter().map(move |price| price.shown_total_minor(step)).collect::<Vec<_>>()
    };
    definition.levels.iter().flat_map(of_level).collect()
}
