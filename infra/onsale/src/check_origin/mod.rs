//! Whether an origin keeps the contract with the line (docs/any-shop.md): what it answers to pulses, and whom it lets book.
//!
//! It sends real beats, higher than any before, so it is for an origin that has no line before it at the moment.

mod calls;

use domain::ids::{AccountId, EventId, SessionId};
use domain::keys::MasterKeys;
use domain::map::chart::{Counts, Sheet, SheetError};
use domain::time::{EventMs, WallMs};
use domain::token::{AccessToken, PulseToken, Token};
use serde::Serialize;
use serde_json::{Value, json};

use crate::lambda_host::Signer;
use calls::Answer;

/// Master keys of nobody: what is signed with them is forged.
const FORGER: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// Length of the beat that the check claims to have, in milliseconds.
const BEAT_MS: i64 = 1_000;

/// The origin to check.
pub struct Target {
    /// Its address, without a trailing slash.
    pub url: String,
    /// An event that it sells.
    pub event: EventId,
    /// The keys that it shares with the edge.
    pub keys: MasterKeys,
    /// Signs calls by SigV4, where the origin wants that.
    pub signer: Option<Signer>,
}

/// One clause of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Clause {
    /// What must hold.
    pub what: &'static str,
    /// What was seen instead; nothing if it holds.
    pub instead: Option<String>,
}

/// Checks clause by clause. `now` is wall time.
pub async fn check(target: &Target, now: WallMs) -> Vec<Clause> {
    let mut found = Vec::new();
    let first = target.pulse(1, &target.keys, 1, now, false).await;
    // An origin that has seen beats says which; one that is new has just taken the first.
    let seen = if first.status == 200 { 1 } else { first.body["beat"].as_u64().unwrap_or(0) };
    pulses(target, seen, now, &mut found).await;
    bookings(target, seen + 10, now, &mut found).await;
    found
}

/// Beats `seen + 1` to `seen + 4`.
async fn pulses(target: &Target, seen: u64, now: WallMs, found: &mut Vec<Clause>) {
    let forger = MasterKeys::parse(FORGER).unwrap_or_else(|_| target.keys.clone());
    let refused = |answer: Answer| (400..500).contains(&answer.status).then_some(()).ok_or(answer.to_string());
    note(
        found,
        "a pulse with a forged token is refused",
        refused(target.pulse(seen + 1, &forger, seen + 1, now, false).await),
    );
    note(
        found,
        "a pulse with another beat's token is refused",
        refused(target.pulse(seen + 1, &target.keys, seen + 2, now, false).await),
    );
    let good = target.pulse(seen + 1, &target.keys, seen + 1, now, false).await;
    note(found, "a pulse is answered in the agreed form", form(&good, seen + 1));
    let run_ms = good.body["clock"]["run_ms"].as_i64();
    note(found, "event time may run on for 3 s", expected("run_ms", run_ms, Some(3_000)));
    for (what, beat) in
        [("the same beat is refused, and the last one named", seen + 1), ("a lower beat is refused", seen)]
    {
        let again = target.pulse(beat, &target.keys, beat, now, false).await;
        let named = again.status == 409 && again.body["beat"].as_u64() == Some(seen + 1);
        note(found, what, if named { Ok(()) } else { Err(again.to_string()) });
    }
    let paused = target.pulse(seen + 2, &target.keys, seen + 2, now, true).await;
    note(
        found,
        "a paused pulse stops event time",
        expected("run_ms", paused.body["clock"]["run_ms"].as_i64(), Some(0)),
    );
    let later = target.pulse(seen + 3, &target.keys, seen + 3, now, false).await;
    let event_ms = |answer: &Answer| answer.body["clock"]["event_ms"].as_i64();
    note(found, "event time has stood since", expected("event_ms", event_ms(&later), event_ms(&paused)));
}

/// Booking calls with bad tokens and with a good one, after a beat of their own.
async fn bookings(target: &Target, beat: u64, now: WallMs, found: &mut Vec<Clause>) {
    let clock = target.pulse(beat, &target.keys, beat, now, false).await;
    let event_now = EventMs(clock.body["clock"]["event_ms"].as_i64().unwrap_or(now.0));
    let forger = MasterKeys::parse(FORGER).unwrap_or_else(|_| target.keys.clone());
    let soon = event_now.plus(600_000);
    let good = access(&target.keys, &target.event, soon);
    let other: EventId = "somebody-elses".parse().unwrap_or_else(|_| target.event.clone());
    let pulse = PulseToken { beat, expires: now.plus(60_000) }.encode(&target.keys, &target.event);
    let bad = [
        ("a booking call without a token is refused", String::new()),
        ("a forged access token is refused", access(&forger, &target.event, soon)),
        ("an access token of another event is refused", access(&target.keys, &other, soon)),
        ("an access token whose time is over is refused", access(&target.keys, &target.event, event_now.plus(-1_000))),
        ("a truncated access token is refused", good[..good.len() - 4].to_owned()),
        ("an access token with a tail is refused", format!("{good}AAAA")),
        ("a token of another kind is refused", pulse),
    ];
    for (what, token) in bad {
        let answer = target.book(&token).await;
        let kept_out = matches!(answer.status, 401 | 403) && answer.problem;
        note(found, what, if kept_out { Ok(()) } else { Err(answer.to_string()) });
    }
    let answer = target.book(&good).await;
    let let_in = matches!(answer.status, 200..=499) && !matches!(answer.status, 401 | 403);
    note(found, "a good access token gets past the check", if let_in { Ok(()) } else { Err(answer.to_string()) });
}

fn access(keys: &MasterKeys, event: &EventId, expires: EventMs) -> String {
    let account = AccountId::derive("check-origin", "somebody");
    let session = SessionId::from_bytes([1; 16]);
    AccessToken { account, session, place: 1, lane: 0, rev: 0, expires }.encode(keys, event)
}

/// Whether an answer has everything that the line reads in it.
fn form(answer: &Answer, beat: u64) -> Result<(), String> {
    let body = &answer.body;
    let numbers = [
        "/clock/wall_ms",
        "/clock/event_ms",
        "/clock/run_ms",
        "/stock/free",
        "/stock/held",
        "/stock/claimed",
        "/stock/sold",
        "/orders_left",
        "/shoppers",
        "/projection/age_ms",
    ];
    if answer.status != 200 {
        return Err(answer.to_string());
    }
    let odd = |read: Result<(), SheetError>| read.err().map(|error| error.to_string());
    let map = body.get("map").filter(|map| !map.is_null()).and_then(|map| odd(Sheet::read(map).map(drop)));
    let counts = body.get("counts").filter(|counts| !counts.is_null());
    if let Some(odd) = map.or_else(|| odd(Counts::read(counts?).map(drop))) {
        return Err(odd);
    }
    let missing = numbers.into_iter().find(|at| body.pointer(at).and_then(Value::as_u64).is_none());
    match missing {
        Some(at) => Err(format!("{at} is not a whole number")),
        None if body["beat"] != beat => Err(format!("beat is {}, asked was {beat}", body["beat"])),
        None => levels(&body["stock"]["levels"]),
    }
}

fn levels(levels: &Value) -> Result<(), String> {
    let odd = |of: &Value| ["free", "held", "claimed", "sold"].iter().any(|state| of[state].as_u64().is_none());
    match levels.as_object() {
        Some(levels) if levels.values().any(odd) => Err(format!("stock.levels is {}", json!(levels))),
        Some(_) => Ok(()),
        None => Err("stock.levels is missing".into()),
    }
}

fn expected(what: &str, is: Option<i64>, want: Option<i64>) -> Result<(), String> {
    if is.is_some() && is == want { Ok(()) } else { Err(format!("{what} is {is:?}, expected {want:?}")) }
}

fn note(found: &mut Vec<Clause>, what: &'static str, held: Result<(), String>) {
    found.push(Clause { what, instead: held.err() });
}
