//! The ways into a lane: a presale code, an invitation of the lottery, or what the identity provider vouches for.
//!
//! An account stands in one lane at most, beside its place in the main line. Codes are counted by the protocol of
//! `domain::code`; this is its middle.

use domain::code::{self, Refused, TRIES, TRIES_MS};
use domain::cohort::shard_of;
use domain::ids::{AccountId, EventId};
use domain::keys::KeyKind;
use domain::lane::{self, Access, Lane, REGISTRATION};
use domain::token::{AccountToken, PlaceToken};
use futures_util::future::join_all;
use worker::Stub;

use super::line;
use crate::call::Call;
use crate::clock;
use crate::credentials;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::wire::{ClaimAnswer, ClaimAsk, Grant, InLine, MeterAsk, Registered, Use, View, Wish as Want, shard_op};

/// What somebody who joins names beside the event.
#[derive(Default)]
pub struct Wish {
    /// A presale code.
    pub code: Option<String>,
    /// A lane's id.
    pub lane: Option<String>,
}

/// A way into a lane, as it was asked for.
pub struct Way {
    /// The lane, unless a code tells it.
    lane: Option<u8>,
    /// The code's hash.
    code: Option<[u8; 32]>,
}

/// Where an account may enter.
pub struct Admitted {
    /// The lane.
    pub lane: u8,
    /// The use of a code that it enters by.
    pub grant: Option<Grant>,
}

impl Wish {
    /// What was asked for; nothing is the main line.
    pub fn way(&self, call: &Call, view: &View) -> Result<Option<Way>, Problem> {
        if self.code.is_none() && self.lane.is_none() {
            return Ok(None);
        }
        let named = self.lane.as_deref().map(|id| lane::find(&view.event.lanes, id).ok_or(Code::LaneUnknown));
        let named = named.transpose()?.map(|(number, _)| number);
        let code = self.code.as_deref().map(|typed| hash(call, view, typed)).transpose()?;
        Ok(Some(Way { lane: named, code }))
    }
}

fn hash(call: &Call, view: &View, typed: &str) -> Result<[u8; 32], Problem> {
    let any = view.event.lanes.iter().any(|lane| lane.access == Access::Codes);
    let code = code::normalized(typed).filter(|_| any).ok_or(Code::PresaleInvalid)?;
    Ok(code::hash(&view.event.lasting_key(&call.config.keys, KeyKind::Code)?, &code))
}

/// The account's place in a lane, if it has one. All lanes are asked at once.
pub async fn known(
    call: &Call,
    event: &EventId,
    view: &View,
    account: AccountId,
) -> Result<Option<(PlaceToken, InLine)>, Problem> {
    let lanes = lane::numbers(&view.event.lanes).filter(|number| *number != lane::MAIN);
    let asked = lanes.map(|number| line::ask(call, event, (view, number), account, None, None));
    for found in join_all(asked).await {
        match found {
            Ok(found) => return Ok(Some(found)),
            Err(problem) if problem.code == Code::PlaceRequired => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(None)
}

/// Whether the account may enter by this way. A code is counted for it from here on.
pub async fn admit(
    call: &Call,
    event: &EventId,
    view: &View,
    account: &AccountToken,
    way: &Way,
) -> Result<Admitted, Problem> {
    if let Some(code) = way.code {
        return claim(call, event, view, &ClaimAsk { code, account: account.account, lane: way.lane }).await;
    }
    let number = way.lane.ok_or(Code::LaneUnknown)?;
    let lane = lane::numbered(&view.event.lanes, number).ok_or(Code::LaneUnknown)?;
    match lane.access {
        Access::Codes => return Err(Problem::because(Code::LaneRefused, "this lane takes a code")),
        Access::Claims => vouched(account, lane)?,
        Access::Invitation => invited(call, event, view, account.account).await?,
    }
    Ok(Admitted { lane: number, grant: None })
}

fn vouched(account: &AccountToken, lane: &Lane) -> Result<(), Problem> {
    let missing: Vec<_> = lane.claims.iter().filter(|claim| !account.claims.has(claim.set())).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Problem::from(Code::ClaimRequired).with("claims", serde_json::to_value(missing)?))
}

async fn invited(call: &Call, event: &EventId, view: &View, account: AccountId) -> Result<(), Problem> {
    let told = super::registration::ask(call, event, view, account, Want::Know).await;
    let refused = |told: &Registered| {
        let problem = Problem::from(Code::NotInvited).with("invited_up_to", told.invited_up_to);
        told.rank.map_or(problem.clone(), |rank| problem.with("rank", rank))
    };
    match told {
        Ok(told) if told.invited => Ok(()),
        Ok(told) => Err(refused(&told)),
        Err(problem) if problem.code == Code::PlaceRequired => Err(Code::NotInvited.into()),
        Err(problem) => Err(problem),
    }
}

/// Claims a use of a code. Where all are taken, uses that were never entered are looked into once, and freed.
async fn claim(call: &Call, event: &EventId, view: &View, ask: &ClaimAsk) -> Result<Admitted, Problem> {
    meter(call, event, view, &ask.account).await?;
    let counter = counter(call, event, view, &ask.code)?;
    let mut answer: ClaimAnswer = objects::ask(&counter, shard_op::CLAIM, ask).await?;
    if let ClaimAnswer::Refused { why: Refused::UsedUp, lane, open } = &answer
        && !open.is_empty()
    {
        let found = look_into(call, event, view, (*lane, open)).await;
        let _: () = objects::ask(&counter, shard_op::FOUND, &found).await?;
        answer = objects::ask(&counter, shard_op::CLAIM, ask).await?;
    }
    match answer {
        ClaimAnswer::Granted { lane, until } => Ok(Admitted { lane, grant: Some(Grant { code: ask.code, until }) }),
        ClaimAnswer::Refused { why: Refused::Wrong, .. } => Err(Code::PresaleInvalid.into()),
        ClaimAnswer::Refused { why: Refused::NotNow, .. } => Err(Code::PresaleNotNow.into()),
        ClaimAnswer::Refused { why: Refused::UsedUp, .. } => Err(Code::PresaleUsedUp.into()),
    }
}

/// Asks the shards of those accounts whether their uses were entered; who does not answer is left as it is.
async fn look_into(call: &Call, event: &EventId, view: &View, (lane, open): (u8, &[Use])) -> Vec<Use> {
    let looks = open.iter().map(async |one| {
        let shard = shard_of(&one.account, view.event.shards_of(lane));
        let stub = objects::line_shard(&call.env, event, lane, shard)?;
        objects::ask::<Use>(&stub, shard_op::LOOK, one).await
    });
    join_all(looks).await.into_iter().flatten().collect()
}

/// Tells the code's shard that the use was entered. Should that be lost, it asks by itself before it gives the use away.
pub async fn entered(call: &Call, event: &EventId, view: &View, account: AccountId, grant: &Grant) {
    if let Ok(counter) = counter(call, event, view, &grant.code) {
        let used = Use { code: grant.code, account, until: grant.until, entered: true };
        let _: Result<(), Problem> = objects::ask(&counter, shard_op::FOUND, &[used]).await;
    }
}

/// The shard that counts a code.
fn counter(call: &Call, event: &EventId, view: &View, code: &[u8; 32]) -> Result<Stub, Problem> {
    objects::shard(&call.env, event, code::shard_of(code, view.event.shards))
}

/// Counts a try with a code, whatever comes of it, where all calls of the account come together.
async fn meter(call: &Call, event: &EventId, view: &View, account: &AccountId) -> Result<(), Problem> {
    let shard = objects::shard(&call.env, event, shard_of(account, view.event.shards))?;
    let ask = MeterAsk { key: format!("code/{account}"), count: TRIES, per_ms: TRIES_MS };
    objects::ask(&shard, shard_op::METER, &ask).await
}

/// The token of the account's registration, if it is shown.
pub fn shown_registration(call: &Call, event: &EventId, account: AccountId) -> Option<PlaceToken> {
    let token = credentials::registration(call, event, clock::now())?;
    (token.account == account && token.entrance.lane == REGISTRATION).then_some(token)
}
