//! Operators' calls about seats: the Pacer says who may and writes it down, the box office does it. Keys of channels and access
//! tokens for the box office are made here.

use domain::channel;
use domain::ids::{AccountId, ChannelId, SessionId};
use domain::operate::told;
use domain::time::WallMs;
use domain::token::{AccessToken, DeskToken, Token};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Desk;
use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{Call, OPERATOR_BODY_MAX};
use crate::clock;
use crate::operator::Act;
use crate::origin::{self, Outgoing};
use crate::problem::{Code, Problem};
use crate::routes::booking::pass_on;

/// How long an access token of the box office is good, in milliseconds of event time.
const BOX_OFFICE_MS: i64 = 900_000;
/// Longest reference of a buyer, in bytes.
const BUYER_MAX: usize = 200;

/// `/seats…`: hands the call on to the box office, as it is.
pub async fn forward(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let body = if call.is_read() { Vec::new() } else { call.body(OPERATOR_BODY_MAX).await? };
    let what = if body.is_empty() { Value::Null } else { told(&serde_json::from_slice(&body)?) };
    desk.ask::<Value>(call, Act::Pass { what }).await?;
    let token = DeskToken::issue(clock::now()).encode(&call.config.keys, desk.event);
    let (_, below, _) = desk.action.route();
    let outgoing = Outgoing {
        method: call.request.method(),
        path: format!("/v1/events/{}{below}", desk.event),
        headers: vec![
            ("x-desk-token", token),
            ("x-correlation-id", call.correlation.clone()),
            ("content-type", "application/json".into()),
        ],
        body,
        timeout_ms: origin::BOOKING_TIMEOUT_MS,
    };
    pass_on(origin::send(&call.config, outgoing).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Until {
    expires_ms: WallMs,
}

/// `POST /channels/{channel}`: a key of a channel. Whoever holds it may take the channel's seats.
pub async fn key(call: &mut Call, desk: &Desk<'_>, name: &str) -> Answer {
    let Until { expires_ms } = call.json(OPERATOR_BODY_MAX).await?;
    let name: ChannelId =
        name.parse().map_err(|_| Problem::because(Code::BadRequest, "a channel is a-z, 0-9 and -, at most 40"))?;
    if channel::is_lane(&name) {
        return Err(Problem::because(Code::BadRequest, "this channel is shown by a lane, not by a key"));
    }
    if expires_ms <= clock::now() {
        return Err(Problem::because(Code::BadRequest, "the key would have expired"));
    }
    let what = json!({ "channel": name, "expires_ms": expires_ms });
    desk.ask::<Value>(call, Act::Pass { what }).await?;
    let key = channel::key(&name, expires_ms, &call.config.keys, desk.event);
    answer::json(200, &json!({ "channel": name, "expires_ms": expires_ms, "key": key }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Buyer {
    buyer: String,
}

/// `POST /box-office`: an access token in the name of a buyer, whose own limit counts and nobody else's.
pub async fn box_office(call: &mut Call, desk: &Desk<'_>) -> Answer {
    let Buyer { buyer } = call.json(OPERATOR_BODY_MAX).await?;
    let buyer = buyer.trim();
    if buyer.is_empty() || buyer.len() > BUYER_MAX {
        return Err(Problem::because(Code::BadRequest, "a buyer's reference has 1 to 200 bytes"));
    }
    let account = AccountId::derive("box-office", buyer);
    // The reference may be a name: the journal gets what follows from it.
    desk.ask::<Value>(call, Act::Pass { what: json!({ "account": account }) }).await?;
    let status = cache::status(&call.env, desk.event).await?;
    let expires = status.event_now(clock::now()).plus(BOX_OFFICE_MS);
    let session = SessionId::from_bytes(clock::random16());
    let token = AccessToken { account, session, place: 0, lane: channel::BOX_OFFICE, rev: status.file.rev, expires };
    let token = token.encode(&call.config.keys, desk.event);
    answer::json(200, &json!({ "account": account, "token": token, "expires_ms": expires }))
}
