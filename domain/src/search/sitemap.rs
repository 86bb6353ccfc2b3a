//! The listed events as search engines read them (<https://www.sitemaps.org/protocol.html>): an index of parts, one or more for
//! each month in which events take place. So a part keeps its address and its events whatever there is before and after it.

use jiff::ToSpan;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use super::doc::{first_row, minute};
use super::find::{Arg, Statement};
use crate::ids::EventId;
use crate::time::WallMs;

/// Most events in a part. The protocol allows 50,000; a fifth of it is quickly read.
const PART: u32 = 10_000;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// How many listed events take place in a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Month {
    /// `2027-06`.
    pub month: String,
    /// Events.
    pub events: u32,
}

/// A part of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    month: String,
    /// Counted from 0.
    page: u32,
}

/// An event on the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Event.
    pub id: EventId,
    /// When its page last changed, RFC 3339.
    pub changed: Option<String>,
}

/// The statement that counts the listed events of each month that are not over.
#[must_use]
pub fn months(slot: u8, now: WallMs) -> Statement {
    let rows = first_row(1);
    let sql = format!(
        "SELECT strftime('%Y-%m', doc / {rows} * 60, 'unixepoch') AS month, count(*) AS events FROM event_{slot} \
         WHERE listed AND ends > ? GROUP BY month ORDER BY month"
    );
    Statement { sql, args: vec![Arg::Int(now.0)] }
}

impl Part {
    /// The part of this name, if the map has it: nobody makes the index read what is not there.
    #[must_use]
    pub fn named(name: &str, months: &[Month]) -> Option<Self> {
        parts(months).find(|part| part.name() == name)
    }

    /// The last piece of its address, `2027-06-1.xml`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}.xml", self.month, self.page + 1)
    }

    /// The statement that finds its events. `None` where its month is none.
    #[must_use]
    pub fn entries(&self, slot: u8, now: WallMs) -> Option<Statement> {
        let first: DateTime = format!("{}-01T00:00", self.month).parse().ok()?;
        let next = first.checked_add(1.month()).ok()?.strftime("%Y-%m-%dT%H:%M").to_string();
        let [from, until] = [minute(&first.to_string())?, minute(&next)?].map(first_row);
        let sql = format!(
            "SELECT id, strftime('%Y-%m-%dT%H:%M:%SZ', (shown ->> 'changed_at_ms') / 1000, 'unixepoch') AS changed \
             FROM event_{slot} WHERE doc >= ? AND doc < ? AND listed AND ends > ? ORDER BY doc LIMIT {PART} OFFSET {}",
            u64::from(self.page) * u64::from(PART)
        );
        Some(Statement { sql, args: [from, until, now.0].map(Arg::Int).to_vec() })
    }
}

fn parts(months: &[Month]) -> impl Iterator<Item = Part> {
    let of_month = |of: &Month| {
        let month = of.month.clone();
        (0..of.events.div_ceil(PART)).map(move |page| Part { month: month.clone(), page })
    };
    months.iter().flat_map(of_month)
}

/// The map of maps; `origin` is markup already.
#[must_use]
pub fn index_xml(origin: &str, months: &[Month]) -> String {
    let names = std::iter::once("pages.xml".to_owned()).chain(parts(months).map(|part| part.name()));
    let maps: String = names.map(|name| format!("<sitemap><loc>{origin}/sitemap/{name}</loc></sitemap>\n")).collect();
    document("sitemapindex", &maps)
}

/// The map of the pages that are there without any event.
#[must_use]
pub fn pages_xml(origin: &str) -> String {
    document("urlset", &format!("<url><loc>{origin}/</loc><changefreq>hourly</changefreq></url>\n"))
}

/// A part's map.
#[must_use]
pub fn part_xml(origin: &str, entries: &[Entry]) -> String {
    let url = |entry: &Entry| {
        let changed = entry.changed.as_ref().map(|at| format!("<lastmod>{at}</lastmod>")).unwrap_or_default();
        format!("<url><loc>{origin}/e/{}</loc>{changed}</url>\n", entry.id)
    };
    document("urlset", &entries.iter().map(url).collect::<String>())
}

fn document(element: &str, content: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{element} xmlns=\"{NAMESPACE}\">\n{content}</{element}>\n")
}

/// What robots may read: the list, the events' pages and what these are made of; not what belongs to one fan or to an operator.
#[must_use]
pub fn robots(origin: &str) -> String {
    let closed = ["/operator/", "/orders", "/gate", "/v1/operator/", "/v1/orders", "/v1/session", "/e/*/"];
    let closed: String = closed.iter().map(|path| format!("Disallow: {path}\n")).collect();
    format!("User-agent: *\n{closed}\nSitemap: {origin}/sitemap.xml\n")
}
