//! `GET …/layout`: where the seats are. Immutable per version, so a data centre asks the origin once.

use std::cell::Cell;

use domain::ids::EventId;
use worker::Method;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::document::Document;
use crate::origin::{self, Outgoing};
use crate::problem::{Code, Problem};
use crate::shelf::Shelf;

/// Fetches at once: no token is asked here, so the origin is protected by number.
const AT_ONCE: u32 = 4;

thread_local! {
    /// A stadium's layout is about a megabyte.
    static LAYOUTS: Shelf<Document> = const { Shelf::of(8) };
    static FETCHING: Cell<u32> = const { Cell::new(0) };
}

/// The layout of the event's present version. A wrong `?v=` is answered with it too, but not for ever.
pub async fn layout(call: &Call, event: &EventId) -> Answer {
    let view = cache::view(&call.env, event).await?;
    let version = &view.event.layout_version;
    let key = format!("{event}/layout/{version}");
    let layout = cache::for_ever(&call.env, &LAYOUTS, &key, async || fetch(call, event, version).await);
    let caching = match call.query("v") {
        Some(asked) if asked == *version => "public, max-age=31536000, immutable",
        _ => "public, max-age=60",
    };
    answer::document(call, caching, &*layout.await?)
}

async fn fetch(call: &Call, event: &EventId, version: &str) -> Result<String, Problem> {
    if FETCHING.get() >= AT_ONCE {
        return Err(Code::OriginUnavailable.into());
    }
    FETCHING.set(FETCHING.get() + 1);
    let text = from_origin(call, event, version).await;
    FETCHING.set(FETCHING.get().saturating_sub(1));
    text
}

async fn from_origin(call: &Call, event: &EventId, version: &str) -> Result<String, Problem> {
    let outgoing = Outgoing {
        method: Method::Get,
        path: format!("/v1/events/{event}/layout?v={version}"),
        headers: vec![("x-correlation-id", call.correlation.clone())],
        body: Vec::new(),
        timeout_ms: origin::BOOKING_TIMEOUT_MS,
    };
    let mut response = origin::send(&call.config, outgoing).await?;
    match response.status_code() {
        200 => response.text().await.map_err(|_| Code::OriginUnavailable.into()),
        404 => Err(Code::NotFound.into()),
        _ => Err(Code::OriginUnavailable.into()),
    }
}
