//! What the front keeps of the shards' words, so that a crowd costs next to nothing: the isolate's memory first, then the
//! data centre's cache, then one of the shards.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use domain::ids::EventId;
use domain::keys::MasterKeys;
use domain::time::{EventMs, WallMs};
use domain::token::{AccessToken, Verifier};
use serde::de::DeserializeOwned;
use worker::Env;

use crate::clock;
use crate::colo;
use crate::document::Document;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::seat_map::SeatMap;
use crate::shelf::{Lot, Shelf};
use crate::wire::{Copy, MapText, View, shard_op};

/// Events of which an isolate keeps copies.
const EVENTS: usize = 64;
/// Ages between which a copy of the seat map is refreshed, in milliseconds.
const MAP_AGE_MS: (i64, i64) = (250, 500);
/// Ages between which a status is refreshed, in milliseconds: as soon as the next is due, never more often, never later.
const STATUS_AGE_MS: (i64, i64) = (250, 5_000);
/// How long after a beat was due its status is fetched, in milliseconds: it takes that long to reach the shards.
const ON_ITS_WAY_MS: i64 = 100;
/// Ages between which a copy of the event is refreshed, in milliseconds.
const VIEW_AGE_MS: (i64, i64) = (500, 5_000);
/// How long a copy of the event may be shown without a newer one, in milliseconds.
const VIEW_FRESH_MS: i64 = 10_000;
/// How long a seat map may be shown without a newer one, in milliseconds.
const MAP_FRESH_MS: i64 = 3_000;

/// The status as everybody gets it, and what the front reads in it.
pub struct Status {
    /// The file, word for word.
    pub document: Document,
    /// Its content.
    pub file: domain::status::Status,
    access: OnceCell<Verifier<AccessToken>>,
}

impl Status {
    fn parse(text: String) -> Result<Self, Problem> {
        let file = domain::status::Status::parse_unverified(text.as_bytes());
        let file = file.map_err(|error| worker::Error::RustError(error.to_string()))?;
        Ok(Self { document: Document::new(text), file, access: OnceCell::new() })
    }

    /// What checks the event's access tokens, for as long as this copy is used.
    pub fn verifier(&self, keys: &MasterKeys, event: &EventId) -> &Verifier<AccessToken> {
        self.access.get_or_init(|| Verifier::new(keys, event))
    }

    /// Event time at a wall time.
    pub fn event_now(&self, now: WallMs) -> EventMs {
        self.file.event_clock().now(now)
    }
}

thread_local! {
    static STATUS: Shelf<Status> = const { Shelf::of(EVENTS) };
    static VIEWS: Shelf<View> = const { Shelf::of(EVENTS) };
    static MAPS: Shelf<SeatMap> = const { Shelf::of(EVENTS) };
    static COUNTS: Shelf<Document> = const { Shelf::of(EVENTS) };
    /// Which shard this isolate reads from; see [`ask`].
    static FAVOURITE: Cell<Option<u16>> = const { Cell::new(None) };
}

/// The status if this isolate has a copy that need not be refreshed now. Asking promises nothing: whoever gets none
/// goes on to [`status`], which refreshes.
pub fn status_at_hand(event: &str, now: WallMs) -> Option<Rc<Status>> {
    STATUS.with(|shelf| shelf.peek(event, now))
}

/// The seat map, if it is here and young, in the same way.
pub fn map_at_hand(event: &str, now: WallMs) -> Option<Rc<SeatMap>> {
    MAPS.with(|shelf| shelf.peek(event, now))
}

/// Whether a shard told this isolate of the event.
pub fn knows(event: &str) -> bool {
    VIEWS.with(|shelf| shelf.last(event)).is_some()
}

/// The event's status.
pub async fn status(env: &Env, event: &EventId) -> Result<Rc<Status>, Problem> {
    if let Some(status) = STATUS.with(|shelf| shelf.look(event.as_str(), clock::now())) {
        return Ok(status);
    }
    // With it the isolate knows how many shards there are to ask.
    view(env, event).await?;
    let key = format!("{event}/status");
    let lot = colo::relayed(env, &key, async || {
        let copy: Copy = ask(env, event, shard_op::STATUS).await?;
        let fresh = Status::parse(copy.text.clone())?.file.fresh;
        Ok(Lot::new(copy.text, copy.due.plus(ON_ITS_WAY_MS), fresh))
    });
    let status = within(lot.await?, STATUS_AGE_MS).try_map(Status::parse)?;
    Ok(STATUS.with(|shelf| shelf.keep(event.as_str(), status)))
}

/// The event itself.
pub async fn view(env: &Env, event: &EventId) -> Result<Rc<View>, Problem> {
    if let Some(view) = VIEWS.with(|shelf| shelf.look(event.as_str(), clock::now())) {
        return Ok(view);
    }
    let key = format!("{event}/view");
    let lot = colo::relayed(env, &key, async || {
        Ok(aged(ask(env, event, shard_op::VIEW).await?, VIEW_AGE_MS.1, VIEW_FRESH_MS))
    });
    let lot = within(lot.await?, VIEW_AGE_MS);
    Ok(VIEWS.with(|shelf| shelf.keep(event.as_str(), lot)))
}

/// The seat map.
pub async fn map(env: &Env, event: &EventId) -> Result<Rc<SeatMap>, Problem> {
    if let Some(map) = MAPS.with(|shelf| shelf.look(event.as_str(), clock::now())) {
        return Ok(map);
    }
    let key = format!("{event}/map");
    let lot = colo::relayed(env, &key, async || {
        Ok(aged(ask::<MapText>(env, event, shard_op::MAP).await?, MAP_AGE_MS.1, MAP_FRESH_MS))
    });
    let map = within(lot.await?, MAP_AGE_MS).try_map(|text| SeatMap::read(&text))?;
    Ok(MAPS.with(|shelf| shelf.keep(event.as_str(), map)))
}

/// How much is free where, as JSON; it may be older than a map, since it names no seat.
pub async fn counts(env: &Env, event: &EventId) -> Result<Rc<Document>, Problem> {
    if let Some(counts) = COUNTS.with(|shelf| shelf.look(event.as_str(), clock::now())) {
        return Ok(counts);
    }
    let key = format!("{event}/counts");
    let lot = colo::relayed(env, &key, async || {
        Ok(aged(ask::<MapText>(env, event, shard_op::COUNTS).await?, MAP_AGE_MS.1, VIEW_FRESH_MS))
    });
    let lot = within(lot.await?, MAP_AGE_MS).map(|counts| Document::new(counts.text));
    Ok(COUNTS.with(|shelf| shelf.keep(event.as_str(), lot)))
}

/// A text that never changes under its key, which begins with the event.
pub async fn for_ever(
    env: &Env,
    shelf: &'static std::thread::LocalKey<Shelf<Document>>,
    key: &str,
    ask: impl AsyncFnOnce() -> Result<String, Problem>,
) -> Result<Rc<Document>, Problem> {
    if let Some(known) = shelf.with(|shelf| shelf.last(key)) {
        return Ok(known);
    }
    let end = WallMs(i64::MAX);
    let lot = colo::relayed(env, key, async || Ok(Lot::new(Document::new(ask().await?), end, end))).await?;
    Ok(shelf.with(|shelf| shelf.keep(key, lot)))
}

fn aged<T>(value: T, due_ms: i64, fresh_ms: i64) -> Lot<T> {
    let now = clock::now();
    Lot::new(value, now.plus(due_ms), now.plus(fresh_ms))
}

/// A copy that this isolate looks at again between these ages, in milliseconds.
fn within<T>(lot: Lot<T>, (least, most): (i64, i64)) -> Lot<T> {
    let now = clock::now();
    Lot { due: lot.due.clamp(now.plus(least), now.plus(most)), ..lot }
}

/// Asks a shard of this isolate's choice, and the next one if that is out of reach. Readers of one isolate stay with one
/// shard as long as it answers; isolates spread over all of them by chance.
pub async fn ask<R: DeserializeOwned>(env: &Env, event: &EventId, op: &str) -> Result<R, Problem> {
    match ask_favourite(env, event, op).await {
        Err(problem) if problem.code == Code::LineUnavailable => ask_favourite(env, event, op).await,
        answer => answer,
    }
}

async fn ask_favourite<R: DeserializeOwned>(env: &Env, event: &EventId, op: &str) -> Result<R, Problem> {
    let favourite = favourite();
    let answer = objects::ask(&objects::shard(env, event, of_event(event, favourite))?, op, &()).await;
    // Whoever asks next, tries another one.
    FAVOURITE.set(Some(if answer.is_err() { favourite.wrapping_add(1) } else { favourite }));
    answer
}

/// The shard that this isolate reads from at the moment.
pub fn favourite_of(event: &EventId) -> u16 {
    of_event(event, favourite())
}

fn favourite() -> u16 {
    FAVOURITE.get().unwrap_or_else(|| {
        let [high, low, ..] = clock::random16();
        u16::from_be_bytes([high, low])
    })
}

fn of_event(event: &EventId, favourite: u16) -> u16 {
    let shards = VIEWS.with(|shelf| shelf.last(event.as_str())).map_or(1, |view| view.event.shards);
    favourite.checked_rem(shards).unwrap_or_default()
}
