//! `POST …/admission`: a place whose turn has come becomes a session.

use domain::channel;
use domain::cohort::shard_of;
use domain::ids::{EventId, SessionId};
use domain::status::Phase;
use domain::token::{AccessToken, PlaceToken, Token};
use serde::Deserialize;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache::{self, Status};
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::credentials;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::routes::line;
use crate::wire::{Session, SessionAsk, shard_op};

/// The body of a claim; nothing at all will do.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wish {
    longer: bool,
    /// Show a session that is over, too: its token proves the turn to the waiting list, and opens nothing.
    ended: bool,
}

/// Claims the turn. Ladder: a number, its turn, a live beat (for a first claim), the session's own time.
pub async fn claim(call: &mut Call, event: &EventId) -> Answer {
    let wish: Wish = call.optional_json(BODY_MAX).await?.unwrap_or_default();
    let call = &*call;
    let shown = credentials::place(call, event, clock::now())?;
    let (token, _) = line::stand(call, event, &shown).await?;
    let place = token.number().ok_or(Code::NotNumbered)?;
    let status = cache::status(&call.env, event).await?;
    let may_open = turn(&status, token.entrance.lane, place)?;
    let session = session(call, event, (&token, &wish), &status, may_open).await?;
    respond(call, event, &token, session)
}

/// Whether a session may be opened now, or only an open one be shown again; refused before the turn.
fn turn(status: &Status, lane: u8, place: u64) -> Result<Result<(), Problem>, Problem> {
    let stale = !status.file.is_fresh(clock::now());
    let not_now = match status.file.phase {
        _ if stale => Err(Code::Paused.into()),
        Phase::Paused => Err(Code::Paused.into()),
        Phase::Stopped => Err(Code::Stopped.into()),
        Phase::Closed => Err(Code::Closed.into()),
        _ => Ok(()),
    };
    let admitted = status.file.admitted_of(lane);
    if place > admitted {
        not_now?;
        let refused = Problem::from(Code::NotYet).with("admitted_up_to", admitted);
        return Err(refused.with("place", place));
    }
    Ok(not_now)
}

async fn session(
    call: &Call,
    event: &EventId,
    (token, wish): (&PlaceToken, &Wish),
    status: &Status,
    may_open: Result<(), Problem>,
) -> Result<Session, Problem> {
    let ask = SessionAsk {
        account: token.account,
        place: token.place,
        lane: token.entrance.lane,
        door: token.entrance.door,
        rev: token.rev,
        vouched: credentials::vouched(call, token, clock::now()),
        now: status.event_now(clock::now()),
        session: may_open.is_ok().then(|| SessionId::from_bytes(clock::random16())),
        longer: wish.longer,
        ended: wish.ended,
    };
    // An account has one session, whatever lane its turn came in: its shard in the main line keeps it.
    let view = cache::view(&call.env, event).await?;
    let shard = objects::shard(&call.env, event, shard_of(&token.account, view.event.shards))?;
    let session: Option<Session> = objects::ask(&shard, shard_op::SESSION, &ask).await?;
    match (session, may_open) {
        (Some(session), _) => Ok(session),
        (None, Err(refused)) => Err(refused),
        (None, Ok(())) => Err(Code::LineUnavailable.into()),
    }
}

fn respond(call: &Call, event: &EventId, place: &PlaceToken, session: Session) -> Answer {
    let Session { session, expires, longer, rev } = session;
    let PlaceToken { account, place: number, entrance, .. } = *place;
    let token = AccessToken { account, session, place: number, lane: entrance.lane, rev, expires };
    let text = token.encode(&call.config.keys, event);
    let channel = channel::of_lane(entrance.lane);
    let body =
        json!({ "token": text, "session": session, "expires_ms": expires, "channel": channel, "longer": longer });
    answer::with_cookie(answer::json(200, &body)?, &credentials::access_cookie(&call.config, event, &text))
}
