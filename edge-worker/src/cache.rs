//! The isolate's memory: copies of what the shards relay, so that a crowd costs next to nothing.
//!
//! While one request refreshes a copy, the others are served the last one; nobody waits for another request,
//! because the runtime cancels such waits. A copy past its fresh-until is refreshed by everyone who asks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use domain::ids::EventId;
use domain::time::{EventMs, WallMs};
use worker::Env;

use crate::clock;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{Copy, View, shard_op};

/// Age at which a copy of the seat map is refreshed, in milliseconds.
const MAP_AGE_MS: i64 = 500;
/// Ages between which a status is refreshed, in milliseconds: as soon as the next is due, never more often, never later.
const STATUS_AGE_MS: (i64, i64) = (250, 5_000);
/// How long after a beat was due its status is fetched, in milliseconds: it takes that long to reach the shards.
const ON_ITS_WAY_MS: i64 = 100;
/// Age at which a copy of the event is refreshed, in milliseconds.
const VIEW_AGE_MS: i64 = 5_000;
/// How long one request may take to refresh before another tries, in milliseconds.
const REFRESH_MS: i64 = 2_000;
/// How long a seat map may be shown without a newer one, in milliseconds.
const MAP_FRESH_MS: i64 = 3_000;

/// The status as everybody gets it, and what the front reads in it.
pub struct Status {
    /// The file, word for word.
    pub text: String,
    /// Its content.
    pub file: domain::status::Status,
    /// When the next one is due.
    due: WallMs,
}

impl Status {
    fn parse(copy: Copy) -> Result<Self, Problem> {
        let file = domain::status::Status::parse_unverified(copy.text.as_bytes());
        let file = file.map_err(|error| worker::Error::RustError(error.to_string()))?;
        Ok(Self { text: copy.text, file, due: copy.due })
    }

    /// Event time at a wall time.
    pub fn event_now(&self, now: WallMs) -> EventMs {
        self.file.event_clock().now(now)
    }
}

struct Slot<T> {
    value: Rc<T>,
    /// When it is to be refreshed.
    due: WallMs,
    /// Until when it may be shown while somebody refreshes it.
    fresh: WallMs,
    /// When somebody began to refresh it.
    refresh: WallMs,
}

type Shelf<T> = RefCell<HashMap<String, Slot<T>>>;

thread_local! {
    static STATUS: Shelf<Status> = RefCell::default();
    static VIEWS: Shelf<View> = RefCell::default();
    static MAPS: Shelf<serde_json::Value> = RefCell::default();
}

/// The copy if it need not be refreshed by this request.
fn peek<T>(shelf: &Shelf<T>, key: &str, now: WallMs) -> Option<Rc<T>> {
    let shelf = shelf.borrow();
    let slot = shelf.get(key)?;
    let refreshing = now.since(slot.refresh) < REFRESH_MS && now < slot.fresh;
    (now < slot.due || refreshing).then(|| Rc::clone(&slot.value))
}

/// As [`peek`]; a request that is not answered has promised to refresh the copy.
fn look<T>(shelf: &Shelf<T>, key: &str, now: WallMs) -> Option<Rc<T>> {
    let copy = peek(shelf, key, now);
    if copy.is_none()
        && let Some(slot) = shelf.borrow_mut().get_mut(key)
    {
        slot.refresh = now;
    }
    copy
}

fn keep<T>(shelf: &Shelf<T>, key: &str, value: T, due: WallMs, fresh: WallMs) -> Rc<T> {
    let value = Rc::new(value);
    let slot = Slot { value: Rc::clone(&value), due, fresh, refresh: WallMs(0) };
    shelf.borrow_mut().insert(key.to_owned(), slot);
    value
}

/// The status if this isolate has a copy that need not be refreshed now. Asking promises nothing: whoever gets none
/// goes on to [`status`], which refreshes.
pub fn status_at_hand(event: &str, now: WallMs) -> Option<Rc<Status>> {
    STATUS.with(|shelf| peek(shelf, event, now))
}

/// The event's status.
pub async fn status(env: &Env, event: &EventId) -> Result<Rc<Status>, Problem> {
    if let Some(status) = STATUS.with(|shelf| look(shelf, event.as_str(), clock::now())) {
        return Ok(status);
    }
    let copy: Copy = objects::ask(&some_shard(env, event)?, shard_op::STATUS, &()).await?;
    let status = Status::parse(copy)?;
    let (now, fresh) = (clock::now(), status.file.fresh);
    let (least, most) = STATUS_AGE_MS;
    let due = status.due.plus(ON_ITS_WAY_MS).clamp(now.plus(least), now.plus(most));
    Ok(STATUS.with(|shelf| keep(shelf, event.as_str(), status, due, fresh)))
}

/// The event itself.
pub async fn view(env: &Env, event: &EventId) -> Result<Rc<View>, Problem> {
    let now = clock::now();
    if let Some(view) = VIEWS.with(|shelf| look(shelf, event.as_str(), now)) {
        return Ok(view);
    }
    let view: View = objects::ask(&objects::shard(env, event, 0)?, shard_op::VIEW, &()).await?;
    Ok(VIEWS.with(|shelf| keep(shelf, event.as_str(), view, now.plus(VIEW_AGE_MS), now.plus(2 * VIEW_AGE_MS))))
}

/// The seat map.
pub async fn map(env: &Env, event: &EventId) -> Result<Rc<serde_json::Value>, Problem> {
    let now = clock::now();
    if let Some(map) = MAPS.with(|shelf| look(shelf, event.as_str(), now)) {
        return Ok(map);
    }
    let map: serde_json::Value = objects::ask(&some_shard(env, event)?, shard_op::MAP, &()).await?;
    if map.is_null() {
        return Err(Code::MapUnavailable.into());
    }
    Ok(MAPS.with(|shelf| keep(shelf, event.as_str(), map, now.plus(MAP_AGE_MS), now.plus(MAP_FRESH_MS))))
}

/// Readers of one isolate stay with one shard; isolates spread over the first few.
fn some_shard(env: &Env, event: &EventId) -> Result<worker::Stub, Problem> {
    objects::shard(env, event, 0)
}
