//! What a fan asks for, read and checked.

use super::doc::minute;
use super::fold::{Word, words};
use super::place::Point;
use crate::money::Currency;
use crate::time::WallMs;

/// Longest text that is searched for, in bytes.
const TEXT_MAX: usize = 200;
/// Most words that are searched for.
const WORDS_MAX: usize = 8;
/// Most events in one answer.
pub const LIMIT_MAX: u32 = 50;
/// Events in one answer unless told otherwise.
const LIMIT: u32 = 20;
/// How far around a place is searched unless told otherwise, and at most, in kilometres.
const KM: (f64, f64) = (50.0, 1_000.0);
/// Clocks on earth are at most this far behind UTC, in minutes.
const FARTHEST_WEST: i64 = 12 * 60;

/// A search.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Words, all of which must be there.
    pub words: Vec<Word>,
    /// Not farther from here than so many kilometres.
    pub near: Option<(Point, f64)>,
    /// Not before this minute on the clock of the venue, counted from 1970.
    pub from: i64,
    /// Before this minute.
    pub until: Option<i64>,
    /// Not over when asked.
    pub now: WallMs,
    /// Prices in this currency.
    pub currency: Option<Currency>,
    /// With a ticket of at most this price.
    pub price_max: Option<i64>,
    /// With anything left.
    pub open: bool,
    /// After this row: what an earlier answer told.
    pub after: Option<i64>,
    /// So many events.
    pub limit: u32,
}

/// A parameter that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{parameter}: {why}")]
pub struct BadQuery {
    /// Which one.
    pub parameter: &'static str,
    /// What it should be.
    pub why: &'static str,
}

/// The parameters of a search.
const PARAMETERS: [&str; 10] =
    ["q", "near", "within_km", "from", "to", "currency", "price_max", "available", "after", "limit"];

/// A bad value of a parameter.
const fn bad(parameter: &'static str, why: &'static str) -> BadQuery {
    BadQuery { parameter, why }
}

impl Query {
    /// Reads the parameters of an address; empty ones count as absent, unknown ones mean nothing.
    ///
    /// # Errors
    /// The first parameter that makes no sense.
    pub fn parse(pairs: &[(String, String)], now: WallMs) -> Result<Self, BadQuery> {
        if let Some(twice) = PARAMETERS.into_iter().find(|name| pairs.iter().filter(|(n, _)| n == name).count() > 1) {
            return Err(bad(twice, "is given twice"));
        }
        let get = |name: &str| pairs.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v.as_str());
        let currency = get("currency").map(currency).transpose()?;
        let from = get("from").map(|text| day("from", text)).transpose()?;
        let until = get("to").map(|text| day("to", text)).transpose()?.map(|first| first + 24 * 60);
        let query = Self {
            words: get("q").map(text).transpose()?.unwrap_or_default(),
            near: near(get("near"), get("within_km"))?,
            from: from.unwrap_or_else(|| now.0.div_euclid(60_000) - FARTHEST_WEST - 24 * 60),
            until,
            now,
            currency,
            price_max: get("price_max").map(|text| whole("price_max", text, 1 << 50)).transpose()?,
            open: get("available").map(yes).transpose()?.unwrap_or_default(),
            after: get("after").map(|text| whole("after", text, 1 << 53)).transpose()?,
            limit: get("limit").map(limit).transpose()?.unwrap_or(LIMIT),
        };
        query.check()
    }

    /// The same text for all searches that mean the same. When it is asked does not matter: an answer is kept for moments.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{:?}", Self { now: WallMs(0), ..self.clone() })
    }

    fn check(self) -> Result<Self, BadQuery> {
        if self.price_max.is_some() && self.currency.is_none() {
            return Err(bad("currency", "a price has a currency"));
        }
        if self.until.is_some_and(|until| until <= self.from) {
            return Err(bad("to", "is before the first day"));
        }
        Ok(self)
    }
}

fn text(text: &str) -> Result<Vec<Word>, BadQuery> {
    if text.len() > TEXT_MAX {
        return Err(bad("q", "is longer than 200 bytes"));
    }
    match words(text) {
        none if none.is_empty() => Err(bad("q", "has neither letters nor digits")),
        many if many.len() > WORDS_MAX => Err(bad("q", "has more than 8 words")),
        words => Ok(words),
    }
}

fn near(place: Option<&str>, within: Option<&str>) -> Result<Option<(Point, f64)>, BadQuery> {
    const WHERE: BadQuery = bad("near", "is latitude and longitude in degrees, 53.54,9.98");
    const HOW_FAR: BadQuery = bad("within_km", "is a number of kilometres up to 1000");
    let Some(place) = place else {
        return within.map_or(Ok(None), |_| Err(bad("near", "is missing beside within_km")));
    };
    let (latitude, longitude) = place.split_once(',').ok_or(WHERE)?;
    let degrees = |text: &str| text.trim().parse::<f64>().map_err(|_| WHERE);
    let point = Point::new(degrees(latitude)?, degrees(longitude)?).ok_or(WHERE)?;
    let km = within.map_or(Ok(KM.0), |text| text.parse::<f64>().map_err(|_| HOW_FAR))?;
    if km > 0.0 && km <= KM.1 { Ok(Some((point, km))) } else { Err(HOW_FAR) }
}

/// The first minute of a day.
fn day(parameter: &'static str, text: &str) -> Result<i64, BadQuery> {
    let is_day = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let minute = is_day.then(|| minute(&format!("{text}T00:00"))).flatten();
    minute.ok_or(bad(parameter, "is a day, 2027-06-12"))
}

fn currency(text: &str) -> Result<Currency, BadQuery> {
    text.parse().map_err(|_| bad("currency", "is an ISO 4217 code in capitals"))
}

fn whole(parameter: &'static str, text: &str, below: i64) -> Result<i64, BadQuery> {
    let number = text.parse().ok().filter(|number| (0..below).contains(number));
    number.ok_or(bad(parameter, "is a whole number, not below 0"))
}

fn yes(text: &str) -> Result<bool, BadQuery> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(bad("available", "is 1 or 0")),
    }
}

fn limit(text: &str) -> Result<u32, BadQuery> {
    let limit = text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or(bad("limit", "is from 1 to 50"))
}
