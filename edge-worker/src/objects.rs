//! Talking to the Durable Objects: one JSON message each way, bounded in time.

use std::time::Duration;

use domain::ids::EventId;
use domain::lane::MAIN;
use futures_util::future::{Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Delay, Env, Headers, Method, Request, RequestInit, Response, Stub};

use crate::problem::{Code, Problem};

/// Patience with a Durable Object, in milliseconds.
pub const PATIENCE_MS: u64 = 3_000;
/// Patience of a beat with a shard, in milliseconds: a slow shard catches up, the line does not wait for it.
pub const BEAT_PATIENCE_MS: u64 = 1_500;
/// The status that marks an answer as a [`Problem`]; any other than 200 is the runtime's own trouble.
const REFUSED: u16 = 422;

/// The event's Pacer.
pub fn pacer(env: &Env, event: &EventId) -> Result<Stub, Problem> {
    Ok(env.durable_object("PACER")?.get_by_name(event.as_str())?)
}

/// A shard of the event's main line.
pub fn shard(env: &Env, event: &EventId, number: u16) -> Result<Stub, Problem> {
    line_shard(env, event, MAIN, number)
}

/// A shard of any line of the event.
pub fn line_shard(env: &Env, event: &EventId, line: u8, number: u16) -> Result<Stub, Problem> {
    Ok(env.durable_object("LINE_SHARD")?.get_by_name(&shard_name(event, line, number))?)
}

/// The name of a shard's object: event and number, and the line if it is not the main one.
pub fn shard_name(event: &EventId, line: u8, number: u16) -> String {
    match line {
        MAIN => format!("{event}/{number}"),
        line => format!("{event}/{number}/{line}"),
    }
}

/// Event, line and number from a shard's name.
pub fn parse_shard_name(name: &str) -> Option<(EventId, u8, u16)> {
    let (event, rest) = name.split_once('/')?;
    let (number, line) = match rest.split_once('/') {
        None => (rest, MAIN),
        Some((number, line)) => (number, line.parse().ok()?),
    };
    Some((event.parse().ok()?, line, number.parse().ok()?))
}

/// Asks an object and waits [`PATIENCE_MS`] at most.
pub async fn ask<R: DeserializeOwned>(stub: &Stub, op: &str, args: &impl Serialize) -> Result<R, Problem> {
    ask_within(stub, op, args, PATIENCE_MS).await
}

/// Asks an object and waits `ms` at most.
pub async fn ask_within<R: DeserializeOwned>(
    stub: &Stub,
    op: &str,
    args: &impl Serialize,
    ms: u64,
) -> Result<R, Problem> {
    let request = message(op, args)?;
    let answer = Box::pin(receive(stub, request));
    let patience = Delay::from(Duration::from_millis(ms));
    match select(answer, patience).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Code::LineUnavailable.into()),
    }
}

fn message(op: &str, args: &impl Serialize) -> Result<Request, Problem> {
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(serde_json::to_string(args)?.into()));
    Ok(Request::new_with_init(&format!("https://object/{op}"), &init)?)
}

async fn receive<R: DeserializeOwned>(stub: &Stub, request: Request) -> Result<R, Problem> {
    let unreachable = |error: worker::Error| {
        worker::console_warn!("object: {error}");
        Problem::from(Code::LineUnavailable)
    };
    let mut response = stub.fetch_with_request(request).await.map_err(unreachable)?;
    match response.status_code() {
        200 => Ok(response.json().await.map_err(unreachable)?),
        REFUSED => Err(response.json().await.map_err(unreachable)?),
        _ => Err(Code::LineUnavailable.into()),
    }
}

/// The message an object received: its operation and its arguments.
pub async fn read(mut request: Request) -> Result<(String, String), Problem> {
    let op = request.path().trim_start_matches('/').to_owned();
    Ok((op, request.text().await?))
}

/// What an object answers.
pub fn reply(result: Result<String, Problem>) -> worker::Result<Response> {
    let (status, body) = match result {
        Ok(body) => (200, body),
        Err(problem) => (REFUSED, serde_json::to_string(&problem)?),
    };
    let headers = Headers::new();
    headers.set("Content-Type", "application/json")?;
    Ok(Response::ok(body)?.with_status(status).with_headers(headers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_knows_itself_by_its_name() {
        let event: EventId = "demo-1".parse().unwrap_or_else(|error| panic!("{error}"));
        for line in [MAIN, 1, 255] {
            assert_eq!(parse_shard_name(&shard_name(&event, line, 3)), Some((event.clone(), line, 3)));
        }
        assert_eq!(shard_name(&event, MAIN, 3), "demo-1/3", "stored lines are found again");
        assert_eq!(parse_shard_name("demo"), None);
    }
}
