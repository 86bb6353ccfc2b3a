//! Signing in at the organiser's identity provider, and out again.
//!
//! The code is exchanged here and not in the page: no token of the provider ever reaches a script, pages need no
//! permission to speak to other servers, and a provider that wants a client secret can have one.

use domain::oidc::challenge;
use domain::token::{AccountToken, Token, account_scope};
use serde::Deserialize;
use serde_json::json;
use worker::{Headers, Response};

use super::sign_in::LIFE_S;
use crate::answer::{self, Answer};
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::config::Oidc;
use crate::credentials::{cookie, set_cookie};
use crate::oidc::attempt::Attempt;
use crate::oidc::{self, configured};
use crate::problem::{Code, Problem};

/// The cookie of an attempt to sign in, and how long it lives, in seconds.
const ATTEMPT: &str = "onsale_sign_in";
const ATTEMPT_S: i64 = 900;

#[derive(Deserialize)]
struct SignIn {
    id_token: String,
    nonce: String,
}

/// `POST /v1/session`: an ID token for an account token. For clients that went to the provider themselves.
pub async fn create(call: &mut Call) -> Answer {
    configured(&call.config)?;
    let SignIn { id_token, nonce } = call.json(BODY_MAX).await?;
    if nonce.is_empty() {
        return Err(Problem::because(Code::BadRequest, "a nonce of the sign-in is needed"));
    }
    let token = account(configured(&call.config)?, &id_token, &nonce).await?;
    let body = json!({ "account": token.account, "token": text(call, &token) });
    answer::with_cookie(answer::json(200, &body)?, &account_cookie(call, &token))
}

/// `DELETE /v1/session`: forgets the account on this device. Its place stays.
pub async fn end(call: &mut Call) -> Answer {
    call.ignore_body().await?;
    answer::with_cookie(answer::json(200, &json!({}))?, &set_cookie(&call.config, "onsale_account", "", 0))
}

/// `GET /v1/session/start?to=…`: to the provider. With `again` it asks who one is, even if it knows.
pub async fn start(call: &Call) -> Answer {
    let oidc = configured(&call.config)?;
    let attempt = Attempt::new(clock::random32(), &call.query("to").unwrap_or_default());
    let mut there = oidc::known(oidc).await?.authorization.clone();
    there
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &oidc.client)
        .append_pair("redirect_uri", &back(call))
        .append_pair("scope", &oidc.scope)
        .append_pair("state", &attempt.state())
        .append_pair("nonce", &attempt.nonce())
        .append_pair("code_challenge", &challenge(&attempt.verifier()))
        .append_pair("code_challenge_method", "S256");
    if call.query("again").is_some() {
        there.query_pairs_mut().append_pair("prompt", "login");
    }
    see_other(there.as_str(), &[set_cookie(&call.config, ATTEMPT, &attempt.cookie(), ATTEMPT_S)])
}

/// `GET /v1/session/callback`: the way back. Whatever came of it, the fan returns to the page; a failure is named there.
pub async fn callback(call: &Call) -> Answer {
    let oidc = configured(&call.config)?;
    let attempt = cookie(call, ATTEMPT).and_then(|value| Attempt::of_cookie(&value)).ok_or(Code::SignInFailed)?;
    let over = set_cookie(&call.config, ATTEMPT, "", 0);
    match returned(call, oidc, &attempt).await {
        Ok(token) => see_other(&attempt.to, &[over, account_cookie(call, &token)]),
        Err(problem) => see_other(&format!("{}?sign_in={}", attempt.to, problem.word()), &[over]),
    }
}

/// Ladder: this browser's attempt, this provider, a code, its exchange, the ID token.
async fn returned(call: &Call, oidc: &Oidc, attempt: &Attempt) -> Result<AccountToken, Problem> {
    let mine = call.query("state").is_some_and(|state| attempt.is(&state));
    let theirs = call.query("iss").is_none_or(|issuer| issuer == oidc.issuer);
    let code = call.query("code").filter(|_| mine && theirs).ok_or(Code::SignInFailed)?;
    let id_token = oidc::code_for_token(oidc, &code, &attempt.verifier(), &back(call)).await?;
    account(oidc, &id_token, &attempt.nonce()).await
}

async fn account(oidc: &Oidc, id_token: &str, nonce: &str) -> Result<AccountToken, Problem> {
    let who = oidc::identify(oidc, id_token, nonce).await?;
    let expires = clock::now().plus(LIFE_S * 1_000);
    Ok(AccountToken { account: who.account, rehearsal: false, claims: who.claims, expires })
}

fn text(call: &Call, token: &AccountToken) -> String {
    token.encode(&call.config.keys, &account_scope())
}

fn account_cookie(call: &Call, token: &AccountToken) -> String {
    set_cookie(&call.config, "onsale_account", &text(call, token), LIFE_S)
}

/// Where the provider sends fans back to; registered there.
fn back(call: &Call) -> String {
    format!("{}/v1/session/callback", call.url.origin().ascii_serialization())
}

fn see_other(to: &str, cookies: &[String]) -> Answer {
    let headers = Headers::new();
    headers.set("Location", to)?;
    headers.set("Cache-Control", "no-store")?;
    headers.set("Referrer-Policy", "no-referrer")?;
    cookies.iter().try_for_each(|cookie| headers.append("Set-Cookie", cookie))?;
    Ok(Response::empty()?.with_status(303).with_headers(headers))
}
