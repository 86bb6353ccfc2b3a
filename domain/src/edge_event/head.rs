//! What an event's page says of it to search engines and to whoever gets its link: title, description, and the event as
//! schema.org describes one.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::EdgeEvent;
use crate::time::WallMs;

/// The words of a page's head.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Title.
    pub title: String,
    /// Description, a sentence or two.
    pub description: String,
    /// The page's one address.
    pub url: String,
    /// JSON-LD, fit to stand within a `script` element: it has no `<`.
    pub event_json: String,
}

impl EdgeEvent {
    /// The head of its page, whose one address is `url`.
    #[must_use]
    pub fn head(&self, url: &str) -> Head {
        let day = self.starts_local.as_deref().and_then(|local| local.get(..10));
        let place = day.map_or_else(|| self.venue.clone(), |day| format!("{}, {day}", self.venue));
        let told = self.description.as_ref().map(|text| format!("{text} ")).unwrap_or_default();
        Head {
            title: format!("{} · {}", self.name, self.venue),
            description: format!("{told}{}: {place}.", self.name),
            url: url.to_owned(),
            event_json: self.schema_org(url).to_string().replace('<', "\\u003c"),
        }
    }

    /// <https://schema.org/Event>. Without a start there is no event to tell machines of, but a page.
    fn schema_org(&self, url: &str) -> Value {
        let Some(starts) = &self.starts_local else {
            return json!({ "@context": "https://schema.org", "@type": "WebPage", "name": self.name, "url": url });
        };
        let mut event = json!({
            "@context": "https://schema.org", "@type": "Event", "name": self.name, "url": url, "startDate": starts,
            "eventStatus": "https://schema.org/EventScheduled",
            "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
            "location": self.place(), "offers": self.offers(url),
        });
        for (name, value) in [("endDate", instant(self.ends_at_ms)), ("description", self.description.clone())] {
            if let Some(value) = value {
                event[name] = value.into();
            }
        }
        event
    }

    fn place(&self) -> Value {
        let address = self.address.as_ref().unwrap_or(&self.venue);
        let mut place = json!({ "@type": "Place", "name": self.venue, "address": address });
        if let Some(point) = self.point {
            place["geo"] =
                json!({ "@type": "GeoCoordinates", "latitude": point.latitude, "longitude": point.longitude });
        }
        place
    }

    /// All-in prices, lowest and highest.
    fn offers(&self, url: &str) -> Value {
        let of_level = |level: &super::EdgeLevel| {
            let types: Vec<i64> = level.types.iter().map(|t| t.total_minor).collect();
            if types.is_empty() { vec![level.total_minor] } else { types }
        };
        let prices: Vec<i64> = self.levels.iter().flat_map(of_level).collect();
        let shown = |minor: Option<&i64>| minor.map(|minor| self.currency.format_minor(*minor));
        json!({
            "@type": "AggregateOffer", "url": url, "priceCurrency": self.currency.code(),
            "lowPrice": shown(prices.iter().min()), "highPrice": shown(prices.iter().max()),
            "validFrom": instant(self.opens_at_ms),
        })
    }
}

fn instant(at: WallMs) -> Option<String> {
    Some(Timestamp::from_millisecond(at.0).ok()?.to_string())
}
