//! `GET …/seatmap`: the map that came with the Pacer's pulse; readers never touch the table.

use domain::ids::EventId;
use domain::map::chart::{Ask, Found, NoSuchSection};

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::document::is_known;
use crate::plain::Plain;
use crate::problem::{Code, Problem};
use crate::routes::booking::{Rule, enforce};
use crate::seat_map::SeatMap;

const CACHING: &str = "private, no-cache";

impl From<NoSuchSection> for Problem {
    fn from(_: NoSuchSection) -> Self {
        Code::NotFound.into()
    }
}

/// The seat map: whole, one section (`?section=`), or what changed (`?since=`).
pub async fn seatmap(call: &Call, event: &EventId) -> Answer {
    enforce(call, event, Rule::Lasting).await?;
    let map = cache::map(&call.env, event).await?;
    let plain = match map.find(&ask(call.url.query().unwrap_or_default())?)? {
        Found::Unchanged => Plain::nothing(),
        Found::Part(part) => Plain::binary(CACHING, &map.part(part), call.header("If-None-Match").as_deref()),
    };
    Ok(plain.response()?)
}

/// How much is free where: what is left to choose by when the map does not come.
pub async fn counts(call: &Call, event: &EventId) -> Answer {
    enforce(call, event, Rule::Lasting).await?;
    answer::document(call, CACHING, &*cache::counts(&call.env, event).await?)
}

/// The answer to a reader who has what it asks for; bytes go the long way.
pub fn at_hand(map: &SeatMap, query: &str, none_match: Option<&str>) -> Option<Result<Plain, Problem>> {
    let found = ask(query).and_then(|ask| Ok(map.find(&ask)?));
    match found {
        Ok(Found::Unchanged) => Some(Ok(Plain::nothing())),
        Ok(Found::Part(part)) => {
            let known = map.known_part(&part).filter(|binary| is_known(&binary.tag, none_match.unwrap_or_default()))?;
            Some(Ok(Plain::binary(CACHING, &known, none_match)))
        }
        Err(problem) => Some(Err(problem)),
    }
}

/// What a query asks for. A version that is no number is one that the map does not know.
fn ask(query: &str) -> Result<Ask, Problem> {
    let mut ask = Ask::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "since" if ask.since.is_none() => ask.since = value.parse().ok(),
            "section" if ask.section.is_none() => ask.section = Some(value.parse().map_err(|_| Code::NotFound)?),
            _ => {}
        }
    }
    Ok(ask)
}
