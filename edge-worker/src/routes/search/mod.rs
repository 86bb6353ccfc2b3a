//! Finding events: `GET /v1/events`, what search engines read, and the signed calls that fill the index.
//!
//! The same search is told again for moments, from the isolate's memory and from the data centre's cache, so a rush on it reaches
//! the index about as often as one fan would; and while the index does not answer, what was known is told for a little longer.

mod fill;
mod pace;
mod sitemap;

pub use fill::{begin, fill, switch};
pub use sitemap::{map, part, robots};

use std::rc::Rc;

use domain::draw::file_hash;
use domain::search::{BadQuery, Found, Query, find};

use crate::answer::{self, Answer};
use crate::call::Call;
use crate::clock;
use crate::colo;
use crate::document::Document;
use crate::problem::{Code, Problem};
use crate::search::Index;
use crate::shelf::{Lot, Shelf};

/// How long the same search is answered from a copy, and while the index does not answer, in milliseconds.
const COPY_MS: (i64, i64) = (5_000, 60_000);

thread_local! {
    static ANSWERS: Shelf<Document> = const { Shelf::of(64) };
}

impl From<BadQuery> for Problem {
    fn from(bad: BadQuery) -> Self {
        Self::because(Code::QueryInvalid, bad.to_string()).with("parameter", bad.parameter)
    }
}

/// `GET /v1/events`: the next events that fit.
pub async fn list(call: &Call) -> Answer {
    let pairs: Vec<(String, String)> = call.url.query_pairs().into_owned().collect();
    let query = Query::parse(&pairs, clock::now())?;
    let answer = if at_once(call) { Rc::new(search(call, &query).await?) } else { copy(call, &query).await? };
    answer::document(call, "public, max-age=60", &answer)
}

/// Tests may ask the index itself, where faults may be injected.
fn at_once(call: &Call) -> bool {
    call.config.faults && call.header("X-Test-No-Copy").is_some()
}

async fn copy(call: &Call, query: &Query) -> Result<Rc<Document>, Problem> {
    let key = format!("search/{}", file_hash(query.key().as_bytes()));
    if let Some(known) = ANSWERS.with(|shelf| shelf.look(&key, clock::now())) {
        return Ok(known);
    }
    let lot = colo::relayed(&call.env, &key, async || {
        let said = search(call, query).await?;
        let (now, (due, fresh)) = (clock::now(), COPY_MS);
        Ok(Lot::new(said, now.plus(due), now.plus(fresh)))
    });
    match lot.await {
        Ok(lot) => Ok(ANSWERS.with(|shelf| shelf.keep(&key, lot))),
        Err(problem) => ANSWERS.with(|shelf| shelf.fresh(&key, clock::now())).ok_or(problem),
    }
}

/// Asks the index. Ladder: the address's pace, the index.
async fn search(call: &Call, query: &Query) -> Result<Document, Problem> {
    pace::count(call).await?;
    let index = Index::of(&call.env)?;
    let slot = index.live().await?;
    let mut found: Vec<Found> = index.rows(&find(query, slot)).await?;
    let wanted = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let more = found.len() > wanted;
    found.truncate(wanted);
    let next = found.last().filter(|_| more).map(|last| last.row);
    Ok(Document::new(said(&found, next)))
}

/// The answer; what is shown of an event is JSON already.
fn said(found: &[Found], next: Option<i64>) -> String {
    let events: Vec<String> = found.iter().map(with_distance).collect();
    let next = next.map_or_else(|| "null".to_owned(), |row| row.to_string());
    format!("{{\"events\":[{}],\"next\":{next}}}", events.join(","))
}

fn with_distance(found: &Found) -> String {
    match (found.distance_km(), found.shown.strip_suffix('}')) {
        (Some(km), Some(open)) => format!("{open},\"distance_km\":{km:.1}}}"),
        _ => found.shown.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_json_with_the_distance_where_it_was_asked_for() {
        let found = |chord| Found { row: 7, shown: r#"{"id":"a"}"#.into(), chord };
        assert_eq!(said(&[found(None)], None), r#"{"events":[{"id":"a"}],"next":null}"#);
        let near = said(&[found(Some(0.0)), found(Some(1e-6))], Some(7));
        assert_eq!(near, r#"{"events":[{"id":"a","distance_km":0.0},{"id":"a","distance_km":6.4}],"next":7}"#);
        assert!(serde_json::from_str::<serde_json::Value>(&near).is_ok());
    }
}
