//! Accounts without an identity provider: for development on loopback, and for rehearsals.

use domain::ids::{AccountId, EventId};
use domain::token::{AccountToken, Claims, Token, account_scope};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{BODY_MAX, Call, OPERATOR_BODY_MAX};
use crate::clock;
use crate::credentials::set_cookie;
use crate::problem::{Code, Problem};

/// Life of an account's credential, in seconds: a day.
pub const LIFE_S: i64 = 86_400;
/// Longest name, in bytes.
const NAME_MAX: usize = 100;
/// Most rehearsal accounts in one call.
const NAMES_MAX: usize = 1_000;

#[derive(Deserialize)]
struct SignIn {
    name: String,
}

#[derive(Deserialize)]
struct Names {
    names: Vec<String>,
}

#[derive(Serialize)]
struct Minted<'a> {
    name: &'a str,
    account: AccountId,
    token: String,
}

/// `POST /v1/dev/sign-in`: only where the variable `DEV_SIGN_IN` is 1.
pub async fn sign_in(call: &mut Call) -> Answer {
    if !call.config.dev_sign_in {
        return Err(Code::NotFound.into());
    }
    let SignIn { name } = call.json(BODY_MAX).await?;
    respond(call, &mint(call, "dev", &name, false)?)
}

fn respond(call: &Call, minted: &Minted<'_>) -> Answer {
    let response = answer::json(200, &json!({ "account": minted.account, "token": minted.token }))?;
    answer::with_cookie(response, &set_cookie(&call.config, "onsale_account", &minted.token, LIFE_S))
}

/// The same by a form, for pages without JavaScript.
pub fn by_form(call: &Call, name: &str) -> Answer {
    if !call.config.dev_sign_in {
        return Err(Code::NotFound.into());
    }
    respond(call, &mint(call, "dev", name.trim(), false)?)
}

/// `POST …/rehearsal-accounts`: only for events marked as rehearsals.
pub async fn rehearsal(call: &mut Call, event: &EventId) -> Answer {
    let Names { names } = call.json(OPERATOR_BODY_MAX).await?;
    if names.len() > NAMES_MAX {
        return Err(Problem::because(Code::BadRequest, "at most 1000 names in one call"));
    }
    if !cache::view(&call.env, event).await?.event.rehearsal {
        return Err(Code::NotRehearsal.into());
    }
    let issuer = format!("rehearsal/{event}");
    let accounts = names.iter().map(|name| mint(call, &issuer, name, true)).collect::<Result<Vec<_>, _>>()?;
    answer::json(200, &json!({ "accounts": accounts }))
}

fn mint<'a>(call: &Call, issuer: &str, name: &'a str, rehearsal: bool) -> Result<Minted<'a>, Problem> {
    if name.is_empty() || name.len() > NAME_MAX {
        return Err(Problem::because(Code::BadRequest, "a name has 1 to 100 bytes"));
    }
    let account = AccountId::derive(issuer, name);
    let expires = clock::now().plus(LIFE_S * 1_000);
    let token = AccountToken { account, rehearsal, claims: Claims::NONE, expires };
    Ok(Minted { name, account, token: token.encode(&call.config.keys, &account_scope()) })
}
