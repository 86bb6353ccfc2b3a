//! A door that is too busy: it says so at once, and stamps the arrival so that nobody loses time by it.

use std::cell::Cell;

use domain::ids::{AccountId, EventId};
use domain::time::WallMs;
use domain::token::{StampToken, Token};
use worker::Response;

use super::Arrival;
use crate::answer::{self, Answer};
use crate::call::Call;
use crate::clock;
use crate::credentials::{self, set_cookie};
use crate::plain::Plain;
use crate::problem::{Code, Problem};
use crate::wire::Entering;

/// Joins of one isolate that wait for their shards at once. More would wait in vain: a shard that is slow stays slow
/// for whoever comes now.
const FLIGHTS_MAX: u32 = 400;
/// Between these a stamped fan tries again, in milliseconds: a crowd that was sent away together must not come back together.
const AGAIN_MS: (i64, i64) = (700, 1_500);

thread_local! {
    static FLIGHTS: Cell<u32> = const { Cell::new(0) };
}

/// A join that waits for its shard.
pub struct Flight(());

impl Flight {
    /// Begins one, or refuses because too many are under way.
    pub fn begin() -> Result<Self, Problem> {
        let flights = FLIGHTS.get();
        if flights >= FLIGHTS_MAX {
            return Err(Code::LineBusy.into());
        }
        FLIGHTS.set(flights + 1);
        Ok(Self(()))
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        FLIGHTS.set(FLIGHTS.get().saturating_sub(1));
    }
}

/// The arrival stamp that is shown, if it counts.
pub fn stamp(call: &Call, event: &EventId, account: &AccountId, now: WallMs) -> Option<StampToken> {
    credentials::stamp(call, event).filter(|stamp| stamp.counts(account, now))
}

/// The answer to somebody whom the shard has no place for: what the door says, or, where it is the line that is busy,
/// a stamp.
pub fn turned_away(call: &Call, event: &EventId, account: AccountId, arrival: Arrival, problem: Problem) -> Answer {
    match (problem.code, arrival.entering) {
        (Code::PlaceRequired, Err(refused)) => Err(refused),
        (Code::LineBusy | Code::LineUnavailable, Ok(entering)) => stamped(call, event, account, &entering, problem),
        _ => Err(problem),
    }
}

/// The stamp tells since when the arrival counts: the time of the first try.
fn stamped(call: &Call, event: &EventId, account: AccountId, entering: &Entering, problem: Problem) -> Answer {
    let stamp = StampToken::issue(account, entering.since, entering.entrance.door);
    let text = stamp.encode(&call.config.keys, event);
    let problem =
        problem.with("stamp", text.as_str()).with("arrived_ms", stamp.at.0).with("retry_after_ms", again_ms());
    let life_s = stamp.expires.since(clock::now()) / 1_000;
    let response: Response = Plain::problem(&problem).response()?;
    answer::with_cookie(response, &set_cookie(&call.config, &format!("onsale_stamp_{event}"), &text, life_s))
}

fn again_ms() -> i64 {
    let (least, most) = AGAIN_MS;
    let [a, b, ..] = clock::random16();
    least + i64::from(u16::from_be_bytes([a, b])) % (most - least)
}
