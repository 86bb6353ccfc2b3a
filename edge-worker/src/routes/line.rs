//! Joining the line and asking where one stands.

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use domain::token::{PlaceToken, Token};
use serde::Deserialize;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::credentials::{self, set_cookie};
use crate::door::{self, Arrival, Flight, Proof};
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{Entering, InLine, JoinAsk, ShownPlace, View, shard_op};

/// How long a place token lives beyond the event's end, in milliseconds: clocks differ.
const AFTER_END_MS: i64 = 3_600_000;

/// The body of a join; nothing at all will do.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Join {
    proof: Option<Proof>,
}

/// `POST …/line`: the account's one place.
pub async fn join(call: &mut Call, event: &EventId) -> Answer {
    let Join { proof } = call.optional_json(BODY_MAX).await?.unwrap_or_default();
    enter(call, event, proof).await
}

/// Gives an account its place. An account that has one gets that, whatever the door says of it now.
pub async fn enter(call: &Call, event: &EventId, proof: Option<Proof>) -> Answer {
    let now = clock::now();
    let account = credentials::account(call, now)?;
    let view = cache::view(&call.env, event).await?;
    if account.rehearsal && !view.event.rehearsal {
        return Err(Code::AccountRequired.into());
    }
    let shown = credentials::shown_place(call, event, now).filter(|token| token.account == account.account);
    let arrival = match &shown {
        Some(_) => Arrival::known(now),
        None => door::arrive(call, event, &view, &account, proof, now).await?,
    };
    let entering = arrival.entering.as_ref().ok();
    let asked = match Flight::begin() {
        Ok(_flight) => ask(call, event, &view, account.account, shown.as_ref(), entering).await,
        Err(busy) => Err(busy),
    };
    match asked {
        Ok((token, place)) => respond(call, event, &token, &place),
        Err(problem) => door::turned_away(call, event, account.account, arrival, problem),
    }
}

/// `GET …/line`: the place with its number, once it is known. On a new device the account alone will do.
pub async fn look_up(call: &Call, event: &EventId) -> Answer {
    let (token, place) = place(call, event).await?;
    respond(call, event, &token, &place)
}

/// The place that the call shows, or its account has.
pub async fn place(call: &Call, event: &EventId) -> Result<(PlaceToken, InLine), Problem> {
    let now = clock::now();
    match credentials::shown_place(call, event, now) {
        Some(shown) => stand(call, event, &shown).await,
        None => {
            let account = credentials::account(call, now)?;
            let view = cache::view(&call.env, event).await?;
            ask(call, event, &view, account.account, None, None).await
        }
    }
}

/// Where a place stands: by its token alone if that has a number, else by its shard.
pub async fn stand(call: &Call, event: &EventId, shown: &PlaceToken) -> Result<(PlaceToken, InLine), Problem> {
    if let Some(number) = shown.number() {
        let place = InLine {
            epoch: shown.epoch,
            index: shown.index,
            joined: shown.joined,
            number: Some((number, shown.cohort)),
            entrance: shown.entrance,
            rev: shown.rev,
            fresh: false,
            ask_again_ms: 0,
        };
        return Ok((*shown, place));
    }
    let view = cache::view(&call.env, event).await?;
    ask(call, event, &view, shown.account, Some(shown), None).await
}

async fn ask(
    call: &Call,
    event: &EventId,
    view: &View,
    account: AccountId,
    shown: Option<&PlaceToken>,
    entering: Option<&Entering>,
) -> Result<(PlaceToken, InLine), Problem> {
    let shard = shard_of(&account, view.event.shards);
    let shown = shown.map(|token| ShownPlace {
        epoch: token.epoch,
        index: token.index,
        joined: token.joined,
        place: token.place,
        cohort: token.cohort,
        entrance: token.entrance,
        rev: token.rev,
        vouched: credentials::vouched(call, token, clock::now()),
    });
    let stub = objects::shard(&call.env, event, shard)?;
    let place: InLine =
        objects::ask(&stub, shard_op::JOIN, &JoinAsk { account, shown, entering: entering.copied() }).await?;
    let (number, cohort) = place.number.unwrap_or_default();
    let token = PlaceToken {
        account,
        shard,
        epoch: place.epoch,
        index: place.index,
        joined: place.joined,
        place: number,
        cohort,
        entrance: place.entrance,
        rev: place.rev,
        expires: view.event.ends_at_ms.plus(AFTER_END_MS),
    };
    Ok((token, place))
}

fn respond(call: &Call, event: &EventId, token: &PlaceToken, place: &InLine) -> Answer {
    let text = token.encode(&call.config.keys, event);
    let body = json!({
        "token": text,
        "shard": token.shard,
        "epoch": token.epoch,
        "index": token.index,
        "joined_ms": token.joined,
        "place": place.number.map(|(number, _)| number),
        "cohort": place.number.map(|(_, cohort)| cohort),
        "ask_again_ms": place.ask_again_ms,
    });
    let response = answer::json(if place.fresh { 201 } else { 200 }, &body)?;
    let max_age_s = token.expires.since(clock::now()) / 1_000;
    answer::with_cookie(response, &set_cookie(&call.config, &format!("onsale_place_{event}"), &text, max_age_s))
}
