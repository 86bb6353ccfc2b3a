//! The registration lottery as fans see it: register, see how it stands, withdraw.

use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use domain::lane::{Access, REGISTRATION};
use domain::token::{PlaceToken, Token};
use serde::Deserialize;
use serde_json::json;

use super::{lanes, line};
use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::credentials::{self, set_cookie};
use crate::door::{self, Flight, Proof};
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{Entering, InLine, Registered, RegisteredAsk, View, Wish, shard_op};

/// The body of a registration; nothing at all will do.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Register {
    proof: Option<Proof>,
}

/// `POST …/registration`: registers the account, through the same door as the line's. Again answers the same.
pub async fn register(call: &mut Call, event: &EventId) -> Answer {
    let Register { proof } = call.optional_json(BODY_MAX).await?.unwrap_or_default();
    let now = clock::now();
    let account = credentials::account(call, now)?;
    let view = view_of(call, event).await?;
    if account.rehearsal && !view.event.rehearsal {
        return Err(Code::AccountRequired.into());
    }
    let arrival = door::arrive(call, event, &view, &account, proof, now).await?;
    let entering = arrival.entering.as_ref().ok().map(registering);
    let shown = lanes::shown_registration(call, event, account.account);
    let asked = match Flight::begin() {
        Ok(_flight) => {
            line::ask(call, event, (&view, REGISTRATION), account.account, shown.as_ref(), entering.as_ref()).await
        }
        Err(busy) => Err(busy),
    };
    match asked {
        Ok((token, place)) => {
            let wish = if place.fresh { Wish::Know } else { Wish::Return };
            let stands = match ask(call, event, &view, account.account, wish).await {
                // Past the draw there is nothing to return to.
                Err(closed) if closed.code == Code::RegistrationClosed => {
                    ask(call, event, &view, account.account, Wish::Know).await?
                }
                other => other?,
            };
            respond(call, event, &view, Some((&token, &place)), &stands)
        }
        Err(problem) => door::turned_away(call, event, account.account, arrival, problem),
    }
}

fn registering(entering: &Entering) -> Entering {
    let mut entering = *entering;
    entering.entrance.lane = REGISTRATION;
    entering
}

/// `GET …/registration`: how the account's registration stands.
pub async fn look_up(call: &Call, event: &EventId) -> Answer {
    wish(call, event, Wish::Know).await
}

/// `DELETE …/registration`: withdraws it; who is next in drawn order is invited instead.
pub async fn withdraw(call: &Call, event: &EventId) -> Answer {
    wish(call, event, Wish::Withdraw).await
}

async fn wish(call: &Call, event: &EventId, wish: Wish) -> Answer {
    let account = credentials::account(call, clock::now())?.account;
    let view = view_of(call, event).await?;
    if wish == Wish::Withdraw
        && lanes::known(call, event, &view, account).await?.is_some_and(|(token, _)| by_it(&view, &token))
    {
        return Err(Problem::because(Code::LaneRefused, "the invitation is used: the account stands in its lane"));
    }
    let stands = ask(call, event, &view, account, wish).await?;
    respond(call, event, &view, None, &stands)
}

fn by_it(view: &View, token: &PlaceToken) -> bool {
    let lane = domain::lane::numbered(&view.event.lanes, token.entrance.lane);
    lane.is_some_and(|lane| lane.access == Access::Invitation)
}

/// Asks the account's shard among those who registered.
pub async fn ask(
    call: &Call,
    event: &EventId,
    view: &View,
    account: AccountId,
    wish: Wish,
) -> Result<Registered, Problem> {
    let shard = shard_of(&account, view.event.shards_of(REGISTRATION));
    let shown = lanes::shown_registration(call, event, account).map(|token| line::shown_place(call, &token));
    let stub = objects::line_shard(&call.env, event, REGISTRATION, shard)?;
    objects::ask(&stub, shard_op::REGISTERED, &RegisteredAsk { account, shown, wish }).await
}

async fn view_of(call: &Call, event: &EventId) -> Result<std::rc::Rc<View>, Problem> {
    let view = cache::view(&call.env, event).await?;
    if view.event.registration.is_none() { Err(Code::NotFound.into()) } else { Ok(view) }
}

fn respond(
    call: &Call,
    event: &EventId,
    view: &View,
    fresh: Option<(&PlaceToken, &InLine)>,
    stands: &Registered,
) -> Answer {
    let Registered { rank, withdrawn, invited, invited_up_to } = *stands;
    let lane = view.event.lanes.iter().find(|lane| lane.access == Access::Invitation).map(|lane| &lane.id);
    let mut body = json!({
        "rank": rank, "withdrawn": withdrawn, "invited": invited, "invited_up_to": invited_up_to, "lane": lane,
    });
    let Some((token, place)) = fresh else { return answer::json(200, &body) };
    let text = token.encode(&call.config.keys, event);
    if let Some(fields) = body.as_object_mut() {
        fields.insert("token".into(), text.as_str().into());
    }
    let response = answer::json(if place.fresh { 201 } else { 200 }, &body)?;
    let max_age_s = token.expires.since(clock::now()) / 1_000;
    answer::with_cookie(response, &set_cookie(&call.config, &format!("onsale_registration_{event}"), &text, max_age_s))
}
