//! What a token whose signature fits must say.

use super::{BadIdToken, SignedToken};
use crate::ids::AccountId;
use crate::time::WallMs;
use crate::token::Claims;
use serde::Deserialize;
use serde_json::Value;

/// How far the provider's clock may be off, in milliseconds.
const SKEW_MS: i64 = 60_000;
/// An ID token is for signing in now: how long ago it may have been issued, in milliseconds.
const AGE_MS: i64 = 600_000;
const DAY_MS: i64 = 86_400_000;

/// What this deployment and this attempt to sign in expect.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The provider, to the letter.
    pub issuer: &'a str,
    /// This client at the provider.
    pub client: &'a str,
    /// The nonce of this attempt.
    pub nonce: &'a str,
}

/// Whom a token names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The account of issuer and subject.
    pub account: AccountId,
    /// What the provider vouches for.
    pub claims: Claims,
}

#[derive(Deserialize)]
struct IdToken {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    nonce: Option<String>,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    #[serde(default)]
    email_verified: Value,
    #[serde(default)]
    phone_number_verified: Value,
    #[serde(default)]
    card_verified: Value,
    #[serde(default)]
    deposit_paid: Value,
    #[serde(default)]
    account_created_at: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    /// For this client; if for others too, then issued to this client.
    fn is(&self, client: &str, azp: Option<&str>) -> bool {
        let (named, alone) = match self {
            Self::One(one) => (one == client, true),
            Self::Many(many) => (many.iter().any(|one| one == client), many.len() == 1),
        };
        named && azp.map_or(alone, |azp| azp == client)
    }
}

/// Checks the claims of a token whose signature was found good. Ladder: issuer, audience and authorised party, nonce,
/// expiry, times that lie ahead, age, subject.
pub fn check(token: &SignedToken<'_>, expected: &Expected<'_>, now: WallMs) -> Result<Identity, BadIdToken> {
    let id: IdToken = token.claims()?;
    let ahead = now.plus(SKEW_MS);
    let refused = match () {
        () if id.iss != expected.issuer => BadIdToken::Issuer,
        () if !id.aud.is(expected.client, id.azp.as_deref()) => BadIdToken::Audience,
        () if id.nonce.as_deref() != Some(expected.nonce) => BadIdToken::Nonce,
        () if now.plus(-SKEW_MS) >= at(id.exp) => BadIdToken::Expired,
        () if at(id.iat) > ahead || id.nbf.is_some_and(|nbf| at(nbf) > ahead) => BadIdToken::NotYet,
        () if now.since(at(id.iat)) > AGE_MS + SKEW_MS => BadIdToken::TooOld,
        () if id.sub.is_empty() || id.sub.len() > 255 => BadIdToken::Subject,
        () => return Ok(identity(&id, now)),
    };
    Err(refused)
}

fn identity(id: &IdToken, now: WallMs) -> Identity {
    let is = |claim: &Value| *claim == Value::Bool(true);
    let created = id.account_created_at.as_f64().map(at);
    let aged = |days: i64| created.is_some_and(|created| now.since(created) >= days * DAY_MS);
    let vouched = [
        (is(&id.email_verified), Claims::MAIL),
        (is(&id.phone_number_verified), Claims::PHONE),
        (is(&id.card_verified), Claims::CARD),
        (is(&id.deposit_paid), Claims::DEPOSIT),
        (aged(30), Claims::AGED_30_DAYS),
        (aged(365), Claims::AGED_365_DAYS),
    ];
    let claims = vouched.iter().filter(|(said, _)| *said).fold(Claims::NONE, |all, (_, one)| all.with(*one));
    Identity { account: AccountId::derive(&id.iss, &id.sub), claims }
}

/// Seconds since 1970 as JSON writes them; a number beyond all times is the end of them.
fn at(seconds: f64) -> WallMs {
    WallMs((seconds * 1_000.0) as i64)
}
