//! The operator's routes, behind the operator's key.

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::call::{Call, OPERATOR_BODY_MAX};
use crate::event::{EdgeEvent, findings};
use crate::fault::{self, Fault};
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{Command, pacer_op, shard_op};

#[derive(Deserialize)]
struct Pause {
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Rate {
    per_minute: u32,
}

#[derive(Deserialize)]
struct Appeal {
    account: AccountId,
}

#[derive(Deserialize)]
struct Panic {
    panic: Fault,
}

/// Refuses whoever does not show the operator's key.
pub fn check(call: &Call) -> Result<(), Problem> {
    let shown = call.header("Authorization").unwrap_or_default();
    let key = shown.strip_prefix("Bearer ").unwrap_or_default();
    call.config.is_operator(key).then_some(()).ok_or_else(|| Code::OperatorRequired.into())
}

/// `PUT …/{id}`: creates or updates the event.
pub async fn put(call: &mut Call, id: &EventId) -> Answer {
    let body = call.body(OPERATOR_BODY_MAX).await?;
    let event = match EdgeEvent::read(&body, id) {
        Ok(event) => event,
        Err(found) => return Err(findings(&found).err().unwrap_or_else(|| Code::BadEvent.into())),
    };
    let stored: Value = objects::ask(&objects::pacer(&call.env, id)?, pacer_op::PUT, &event).await?;
    answer::json(200, &stored)
}

/// `GET …/{id}`: the on-sale, live.
pub async fn live(call: &Call, event: &EventId) -> Answer {
    let live: Value = objects::ask(&objects::pacer(&call.env, event)?, pacer_op::LIVE, &()).await?;
    answer::json(200, &live)
}

/// `POST …/pause`
pub async fn pause(call: &mut Call, event: &EventId) -> Answer {
    let Pause { reason } = call.json(OPERATOR_BODY_MAX).await?;
    command(call, event, Command::Pause { reason }).await
}

/// `POST …/resume`
pub async fn resume(call: &Call, event: &EventId) -> Answer {
    command(call, event, Command::Resume).await
}

/// `POST …/rate`
pub async fn rate(call: &mut Call, event: &EventId) -> Answer {
    let Rate { per_minute } = call.json(OPERATOR_BODY_MAX).await?;
    command(call, event, Command::Rate { per_minute }).await
}

/// `POST …/close`
pub async fn close(call: &Call, event: &EventId) -> Answer {
    command(call, event, Command::Close).await
}

async fn command(call: &Call, event: &EventId, command: Command) -> Answer {
    let done: Value = objects::ask(&objects::pacer(&call.env, event)?, pacer_op::COMMAND, &command).await?;
    answer::json(200, &done)
}

/// `POST …/appeal`: an account that was taken for a bot is none. Its next claim opens a session.
pub async fn appeal(call: &mut Call, event: &EventId) -> Answer {
    let Appeal { account } = call.json(OPERATOR_BODY_MAX).await?;
    let view = crate::cache::view(&call.env, event).await?;
    let shard = objects::shard(&call.env, event, shard_of(&account, view.event.shards))?;
    let was_slowed: bool = objects::ask(&shard, shard_op::LIFT, &account).await?;
    answer::json(200, &json!({ "account": account, "was_slowed": was_slowed }))
}

/// `POST …/faults`: only where the variable `FAULTS` is 1.
pub async fn inject(call: &mut Call, event: &EventId) -> Answer {
    if !call.config.faults {
        return Err(Code::NotFound.into());
    }
    let Panic { panic } = call.json(OPERATOR_BODY_MAX).await?;
    let done: Value = match panic {
        Fault::Front => {
            fault::order(panic);
            Value::Null
        }
        Fault::Shard => objects::ask(&objects::shard(&call.env, event, 0)?, shard_op::PANIC, &()).await?,
        fault => objects::ask(&objects::pacer(&call.env, event)?, pacer_op::FAULT, &fault).await?,
    };
    answer::json(200, &done)
}
