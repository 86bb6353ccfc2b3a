//! The operator's routes. Which there are and who may call them is `domain::operate::Action`'s table.

mod codes;
mod seats;
mod strangers;

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use domain::operate::{Action, Command, OperatorKey, OperatorName, Role};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::answer::{self, Answer};
use crate::call::{Call, OPERATOR_BODY_MAX};
use crate::clock;
use crate::event::{EdgeEvent, findings};
use crate::fault::{self, Fault};
use crate::objects;
use crate::operator::{Act, OperatorCall, Shown};
use crate::problem::{Code, Problem};
use crate::routes::sign_in;
use crate::wire::{pacer_op, shard_op};

/// Patience with the Pacer, in milliseconds: some commands beat at once, and tell every shard before they are acknowledged.
const PATIENCE_MS: u64 = 8_000;

#[derive(Deserialize)]
struct NewRole {
    role: Role,
}

#[derive(Deserialize)]
struct OfAccount {
    account: AccountId,
}

#[derive(Deserialize)]
struct Panic {
    panic: Fault,
}

/// Answers a call below `/v1/operator/events/{id}`. Ladder: a genuine key, a route, then the Pacer's word on who it is.
pub async fn answer(call: &mut Call, event: &EventId, path: &[&str]) -> Answer {
    let Some(shown) = shown(call, event) else {
        return Err(strangers::refuse(call, event).await);
    };
    let (action, name) = Action::of(call.request.method().as_ref(), path).ok_or(Code::NotFound)?;
    let desk = Desk { event, shown, action };
    match action {
        Action::Look => answer::json(200, &desk.ask::<Value>(call, Act::Look).await?),
        Action::Log => log(call, &desk).await,
        Action::Course => course(call, &desk).await,
        Action::Define => define(call, &desk).await,
        Action::Operators => answer::json(200, &desk.ask::<Value>(call, Act::Operators).await?),
        Action::AddOperator => add(call, &desk, named(name)?).await,
        Action::RemoveOperator => {
            answer::json(200, &desk.ask::<Value>(call, Act::Remove { name: named(name)? }).await?)
        }
        Action::ImportCodes => codes::import(call, &desk).await,
        Action::Appeal => appeal(call, &desk).await,
        Action::Erase => erase(call, &desk).await,
        Action::Seats | Action::BlockSeats | Action::HouseSeats | Action::ReleaseSeats | Action::AssignSeats => {
            seats::forward(call, &desk).await
        }
        Action::ChannelKey => seats::key(call, &desk, name.unwrap_or_default()).await,
        Action::BoxOffice => seats::box_office(call, &desk).await,
        Action::Accounts => {
            desk.ask::<Value>(call, Act::Pass { what: Value::Null }).await?;
            sign_in::rehearsal(call, event).await
        }
        Action::Fault => inject(call, &desk).await,
        _ => order(call, &desk).await,
    }
}

/// Whose key the call shows; `None` if nobody was ever given it.
fn shown(call: &Call, event: &EventId) -> Option<Shown> {
    let header = call.header("Authorization")?;
    let key = header.strip_prefix("Bearer ")?;
    if call.config.is_operator(key) {
        return Some(Shown::Bootstrap);
    }
    OperatorKey::read(key, &call.config.keys, event).map(|key| Shown::Key(key.hash()))
}

fn named(name: Option<&str>) -> Result<OperatorName, Problem> {
    name.unwrap_or_default().parse().map_err(|why: String| Problem::because(Code::BadRequest, why))
}

/// Where operators' calls are decided: the event's Pacer, told who asks for what.
struct Desk<'a> {
    event: &'a EventId,
    shown: Shown,
    action: Action,
}

impl Desk<'_> {
    async fn ask<R: DeserializeOwned>(&self, call: &Call, act: Act) -> Result<R, Problem> {
        let (shown, correlation) = (self.shown.clone(), call.correlation.clone());
        let ask = OperatorCall { shown, action: self.action, correlation, act };
        objects::ask_within(&objects::pacer(&call.env, self.event)?, pacer_op::OPERATOR, &ask, PATIENCE_MS).await
    }
}

/// `GET …/log`: lines after `?after=`, one JSON object each.
async fn log(call: &Call, desk: &Desk<'_>) -> Answer {
    let after = call.query("after").map_or(Ok(0), |text| text.parse());
    let after = after.map_err(|_| Problem::because(Code::BadRequest, "`after` is the number of a line"))?;
    answer::lines(desk.ask(call, Act::Log { after }).await?)
}

/// `GET …/course`: how the line stood after `?after=`, one JSON object a line.
async fn course(call: &Call, desk: &Desk<'_>) -> Answer {
    let after = call.query("after").map_or(Ok(0), |text| text.parse());
    let after = after.map_err(|_| Problem::because(Code::BadRequest, "`after` is a time in milliseconds"))?;
    answer::lines(desk.ask(call, Act::Course { after }).await?)
}

/// `PUT …/{id}`: creates or updates the event.
async fn define(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let body = call.body(OPERATOR_BODY_MAX).await?;
    let event = match EdgeEvent::read(&body, desk.event) {
        Ok(event) => Box::new(event),
        Err(found) => return Err(findings(&found).err().unwrap_or_else(|| Code::BadEvent.into())),
    };
    if event.beacon.is_some() && call.config.beacon_urls.is_empty() {
        return Err(Problem::because(Code::BadEvent, "this deployment knows no beacon's address (BEACON_URLS)"));
    }
    answer::json(200, &desk.ask::<Value>(call, Act::Define { event }).await?)
}

/// `PUT …/operators/{name}`: the only answer that ever shows the key.
async fn add(call: &mut Call, desk: &Desk<'_>, name: OperatorName) -> Answer {
    let NewRole { role } = call.json(OPERATOR_BODY_MAX).await?;
    let key = OperatorKey::new(clock::random16(), &call.config.keys, desk.event);
    desk.ask::<Value>(call, Act::Add { name: name.clone(), role, hash: key.hash() }).await?;
    answer::json(200, &json!({ "name": name, "role": role, "key": key.text() }))
}

/// A command: its name is the route, its particulars are the body.
async fn order(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let body = call.body(OPERATOR_BODY_MAX).await?;
    let command = command(&body, desk.action)?;
    answer::json(200, &desk.ask::<Value>(call, Act::Order { command }).await?)
}

fn command(body: &[u8], action: Action) -> Result<Command, Problem> {
    let body: Option<Map<String, Value>> = if body.is_empty() { None } else { serde_json::from_slice(body)? };
    let mut command = body.unwrap_or_default();
    command.insert("do".into(), action.word().into());
    Ok(serde_json::from_value(Value::Object(command))?)
}

/// `POST …/appeal`: an account that was taken for a bot is none. Its next claim opens a session.
async fn appeal(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let OfAccount { account } = call.json(OPERATOR_BODY_MAX).await?;
    desk.ask::<Value>(call, Act::Pass { what: Value::Null }).await?;
    let view = crate::cache::view(&call.env, desk.event).await?;
    let shard = objects::shard(&call.env, desk.event, shard_of(&account, view.event.shards))?;
    let was_slowed: bool = objects::ask(&shard, shard_op::LIFT, &account).await?;
    answer::json(200, &json!({ "account": account, "was_slowed": was_slowed }))
}

/// `POST …/erasure`: nothing at the edge names the account any more, once the on-sale is closed. The journal does not name it.
async fn erase(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let OfAccount { account } = call.json(OPERATOR_BODY_MAX).await?;
    desk.ask::<Value>(call, Act::Pass { what: Value::Null }).await?;
    let pacer = objects::pacer(&call.env, desk.event)?;
    let erased: bool = objects::ask_within(&pacer, pacer_op::ERASE, &account, PATIENCE_MS).await?;
    answer::json(200, &json!({ "account": account, "erased": erased }))
}

/// `POST …/faults`: only where the variable `FAULTS` is 1.
async fn inject(call: &mut Call, desk: &Desk<'_>) -> Answer {
    if !call.config.faults {
        return Err(Code::NotFound.into());
    }
    let Panic { panic } = call.json(OPERATOR_BODY_MAX).await?;
    desk.ask::<Value>(call, Act::Pass { what: Value::Null }).await?;
    let done: Value = match panic {
        Fault::Front => {
            fault::order(panic);
            Value::Null
        }
        Fault::Shard => objects::ask(&objects::shard(&call.env, desk.event, 0)?, shard_op::PANIC, &()).await?,
        fault => objects::ask(&objects::pacer(&call.env, desk.event)?, pacer_op::FAULT, &fault).await?,
    };
    answer::json(200, &done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_named_by_its_route() {
        let all: [(Action, &str); 11] = [
            (Action::Invite, r#"{"count":5}"#),
            (Action::Pause, r#"{"reason":"rain"}"#),
            (Action::Resume, ""),
            (Action::Rate, r#"{"per_minute":5}"#),
            (Action::Message, r#"{"text":"hello"}"#),
            (Action::Message, r#"{"text":null}"#),
            (Action::Stop, r#"{"reason":"fire"}"#),
            (Action::Lift, "null"),
            (Action::OpenEarly, r#"{"opens_at_ms":5}"#),
            (Action::DrawWithoutBeacon, "{}"),
            (Action::Close, "{}"),
        ];
        for (action, body) in all {
            assert!(command(body.as_bytes(), action).is_ok(), "{action:?}");
        }
        for (action, body) in [(Action::Pause, ""), (Action::Rate, r#"{"per_minute":-1}"#), (Action::Look, "{}")] {
            assert!(command(body.as_bytes(), action).is_err(), "{action:?}");
        }
    }
}
