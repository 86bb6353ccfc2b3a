//! Joining the line and asking where one stands.

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use domain::lane::MAIN;
use domain::token::{AccountToken, PlaceToken, Token};
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
use crate::routes::lanes::{self, Admitted, Way, Wish};
use crate::wire::{Entering, Grant, InLine, JoinAsk, ShownPlace, View, shard_op};

/// How long a place token lives beyond the event's end, in milliseconds: clocks differ.
const AFTER_END_MS: i64 = 3_600_000;

/// The body of a join; nothing at all will do.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Join {
    proof: Option<Proof>,
    code: Option<String>,
    lane: Option<String>,
}

/// `POST …/line`: the account's one place, or its place in a lane.
pub async fn join(call: &mut Call, event: &EventId) -> Answer {
    let Join { proof, code, lane } = call.optional_json(BODY_MAX).await?.unwrap_or_default();
    enter(call, event, proof, &Wish { code, lane }).await
}

/// Gives an account its place. An account that has one gets that, whatever the door says of it now; one that stands in a lane
/// gets that place, whatever it asks for.
pub async fn enter(call: &Call, event: &EventId, proof: Option<Proof>, wish: &Wish) -> Answer {
    let now = clock::now();
    let account = credentials::account(call, now)?;
    let view = cache::view(&call.env, event).await?;
    if account.rehearsal && !view.event.rehearsal {
        return Err(Code::AccountRequired.into());
    }
    let shown = credentials::shown_place(call, event, now).filter(|token| token.account == account.account);
    let way = wish.way(call, &view)?;
    let in_lane = shown.as_ref().is_some_and(|token| token.entrance.lane != MAIN);
    if !in_lane
        && (way.is_some() || shown.is_none())
        && let Some((token, place)) = lanes::known(call, event, &view, account.account).await?
    {
        return respond(call, event, &token, &place);
    }
    let arrival = match &shown {
        Some(token) => Arrival::known(now, token.entrance.door),
        None => door::arrive(call, event, &view, &account, proof, now).await?,
    };
    let asked = match (Flight::begin(), &way) {
        (Err(busy), _) => Err(busy),
        (Ok(_flight), Some(way)) if !in_lane => into_lane(call, event, &view, &account, way, &arrival).await,
        (Ok(_flight), _) => {
            let line = shown.as_ref().map_or(MAIN, |token| token.entrance.lane);
            let entering = arrival.entering.as_ref().ok().map(|entering| of_lane(entering, line, None));
            ask(call, event, (&view, line), account.account, shown.as_ref(), entering.as_ref()).await
        }
    };
    match asked {
        Ok((token, place)) => respond(call, event, &token, &place),
        Err(problem) => door::turned_away(call, event, account.account, arrival, problem),
    }
}

/// Enters a lane, if the door lets the account pass and the way is its own.
async fn into_lane(
    call: &Call,
    event: &EventId,
    view: &View,
    account: &AccountToken,
    way: &Way,
    arrival: &Arrival,
) -> Result<(PlaceToken, InLine), Problem> {
    let entering = arrival.entering.as_ref().map_err(Clone::clone)?;
    let Admitted { lane, grant } = lanes::admit(call, event, view, account, way).await?;
    let entering = of_lane(entering, lane, grant);
    let entered = ask(call, event, (view, lane), account.account, None, Some(&entering)).await?;
    if let Some(grant) = &grant {
        lanes::entered(call, event, view, account.account, grant).await;
    }
    Ok(entered)
}

fn of_lane(entering: &Entering, lane: u8, grant: Option<Grant>) -> Entering {
    let mut entering = Entering { grant, ..*entering };
    entering.entrance.lane = lane;
    entering
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
            match lanes::known(call, event, &view, account.account).await? {
                Some(found) => Ok(found),
                None => ask(call, event, (&view, MAIN), account.account, None, None).await,
            }
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
    ask(call, event, (&view, shown.entrance.lane), shown.account, Some(shown), None).await
}

/// Asks the account's shard of a line for its entry there, or for one.
pub async fn ask(
    call: &Call,
    event: &EventId,
    (view, line): (&View, u8),
    account: AccountId,
    shown: Option<&PlaceToken>,
    entering: Option<&Entering>,
) -> Result<(PlaceToken, InLine), Problem> {
    if !view.event.lines().any(|known| known == line) {
        return Err(Code::PlaceRequired.into());
    }
    let shard = shard_of(&account, view.event.shards_of(line));
    let shown = shown.map(|token| shown_place(call, token));
    let stub = objects::line_shard(&call.env, event, line, shard)?;
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

/// What a token that was checked says, for the shard.
pub fn shown_place(call: &Call, token: &PlaceToken) -> ShownPlace {
    ShownPlace {
        epoch: token.epoch,
        index: token.index,
        joined: token.joined,
        place: token.place,
        cohort: token.cohort,
        entrance: token.entrance,
        rev: token.rev,
        vouched: credentials::vouched(call, token, clock::now()),
    }
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
        "lane": token.entrance.lane,
        "ask_again_ms": place.ask_again_ms,
    });
    let response = answer::json(if place.fresh { 201 } else { 200 }, &body)?;
    let max_age_s = token.expires.since(clock::now()) / 1_000;
    answer::with_cookie(response, &set_cookie(&call.config, &format!("onsale_place_{event}"), &text, max_age_s))
}
