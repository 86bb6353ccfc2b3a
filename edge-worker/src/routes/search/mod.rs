//! Finding events: `GET /v1/events`, and the signed calls that fill the index.

mod fill;

pub use fill::{begin, fill, switch};

use std::rc::Rc;

use domain::search::{BadQuery, Found, Query, find};

use crate::answer::{self, Answer};
use crate::call::Call;
use crate::clock;
use crate::document::Document;
use crate::problem::{Code, Problem};
use crate::search::Index;
use crate::shelf::{Lot, Shelf};

/// How long an isolate answers the same search from memory, in milliseconds.
const ANSWER_MS: i64 = 5_000;
/// Longest query that is remembered, in bytes.
const REMEMBERED_MAX: usize = 200;

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
    let asked = call.url.query().unwrap_or_default();
    let known = ANSWERS.with(|shelf| shelf.peek(asked, clock::now()));
    let answer = match known {
        Some(known) => known,
        None => keep(asked, search(call).await?),
    };
    answer::document(call, "public, max-age=60", &answer)
}

fn keep(asked: &str, text: String) -> Rc<Document> {
    let (document, until) = (Document::new(text), clock::now().plus(ANSWER_MS));
    if asked.len() > REMEMBERED_MAX {
        return Rc::new(document);
    }
    ANSWERS.with(|shelf| shelf.keep(asked, Lot::new(document, until, until)))
}

async fn search(call: &Call) -> Result<String, Problem> {
    let pairs: Vec<(String, String)> = call.url.query_pairs().into_owned().collect();
    let query = Query::parse(&pairs, clock::now())?;
    let index = Index::of(&call.env)?;
    let slot = index.live().await?;
    let mut found: Vec<Found> = index.rows(&find(&query, slot)).await?;
    let wanted = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let more = found.len() > wanted;
    found.truncate(wanted);
    let next = found.last().filter(|_| more).map(|last| last.row);
    Ok(said(&found, next))
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
