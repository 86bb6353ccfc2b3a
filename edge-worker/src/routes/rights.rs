//! The rights of a fan over what is stored of the account: to have all of it, and to have it erased as far as nothing needs it
//! any more. The origin answers for orders; lines are asked for in the events that it names, and in those that the browser's
//! cookies name.

use std::collections::BTreeSet;

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use worker::{Method, Response};

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::Call;
use crate::clock;
use crate::credentials::{self, set_cookie};
use crate::objects;
use crate::origin;
use crate::problem::{Code, Problem};
use crate::routes::{account, booking};
use crate::wire::{MeterAsk, pacer_op, shard_op};

/// Events whose lines one call asks.
const EVENTS_MAX: usize = 20;
/// Erasures of an account in an event's line, in a minute: each is a call to every shard.
const ERASURES: u32 = 5;
/// Patience with the Pacer, which asks every shard, in milliseconds.
const PATIENCE_MS: u64 = 8_000;

/// `GET /v1/account`: everything that is stored of the account.
pub async fn export(call: &Call) -> Answer {
    let who = credentials::account(call, clock::now())?.account;
    let mut told = match of_origin(call, Method::Get).await? {
        Ok(told) => told,
        Err(refused) => return booking::pass_on(refused),
    };
    let asked = events(call, &told).into_iter().map(async |event| {
        let kept = traces(call, &event, &who).await;
        kept.map_or_else(|problem| told_not(&event, &problem), |kept| json!({ "event": event, "kept": kept }))
    });
    told.insert("lines".into(), join_all(asked).await.into());
    answer::json(200, &told)
}

/// `DELETE /v1/account`: erases it, and tells what went and what stays.
pub async fn erase(call: &mut Call) -> Answer {
    call.ignore_body().await?;
    let who = credentials::account(call, clock::now())?.account;
    let mut told = match of_origin(call, Method::Delete).await? {
        Ok(told) => told,
        Err(refused) => return booking::pass_on(refused),
    };
    let events = events(call, &told);
    let asked = join_all(events.iter().map(|event| of_line(call, event, &who))).await;
    let lines = events.iter().zip(&asked).map(|(event, erased)| match erased {
        Ok(erased) => json!({ "event": event, "erased": erased }),
        Err(problem) => told_not(event, problem),
    });
    told.insert("lines".into(), lines.collect());
    let mut response = answer::json(200, &told)?;
    for (event, _) in events.iter().zip(&asked).filter(|(_, erased)| matches!(erased, Ok(true))) {
        for kind in ["place", "registration", "access", "stamp"] {
            response =
                answer::with_cookie(response, &set_cookie(&call.config, &format!("onsale_{kind}_{event}"), "", 0))?;
        }
    }
    Ok(response)
}

/// A line that could not be asked is told of, and can be asked again.
fn told_not(event: &EventId, problem: &Problem) -> Value {
    json!({ "event": event, "erased": false, "code": problem.code })
}

async fn of_origin(call: &Call, method: Method) -> Result<Result<Map<String, Value>, Response>, Problem> {
    let outgoing = account::outgoing(call, method, "/v1/account".into())?;
    let mut response = origin::send(&call.config, outgoing).await?;
    if response.status_code() != 200 {
        return Ok(Err(response));
    }
    Ok(Ok(response.json().await?))
}

/// The events that the origin named, and those that the browser has cookies of.
fn events(call: &Call, told: &Map<String, Value>) -> BTreeSet<EventId> {
    let named = told.get("events").and_then(Value::as_array).into_iter().flatten();
    let named = named.filter_map(|id| id.as_str()?.parse().ok());
    named.chain(credentials::events(call)).take(EVENTS_MAX).collect()
}

/// What the account's shard of each of the event's lines keeps of it, by line.
async fn traces(call: &Call, event: &EventId, who: &AccountId) -> Result<Value, Problem> {
    let view = cache::view(&call.env, event).await?;
    let mut kept = Map::new();
    for line in view.event.lines() {
        let shard = shard_of(who, view.event.shards_of(line));
        let stub = objects::line_shard(&call.env, event, line, shard)?;
        let found: Map<String, Value> = objects::ask(&stub, shard_op::TRACES, who).await?;
        if !found.is_empty() {
            kept.insert(line.to_string(), found.into());
        }
    }
    Ok(kept.into())
}

/// Erases the account's entries in the event's lines; false while the on-sale is not closed, for then they are its place.
async fn of_line(call: &Call, event: &EventId, who: &AccountId) -> Result<bool, Problem> {
    let view = cache::view(&call.env, event).await?;
    if !view.closed {
        return Ok(false);
    }
    let shard = objects::shard(&call.env, event, shard_of(who, view.event.shards))?;
    let ask = MeterAsk { key: format!("erase/{who}"), count: ERASURES, per_ms: 60_000 };
    let _: () = objects::ask(&shard, shard_op::METER, &ask).await?;
    let told = objects::ask_within(&objects::pacer(&call.env, event)?, pacer_op::ERASE, who, PATIENCE_MS).await?;
    if told { Ok(true) } else { Err(Code::LineUnavailable.into()) }
}
