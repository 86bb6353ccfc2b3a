//! What the provider publishes about itself, kept in the isolate's memory; and its token endpoint.

use std::cell::RefCell;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::time::WallMs;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use worker::{Headers, Method, Request, RequestInit, Url};

use crate::clock;
use crate::config::Oidc;
use crate::outside;
use crate::problem::{Code, Problem};

/// Patience with the provider, in milliseconds.
const PATIENCE_MS: u64 = 5_000;
/// Age at which the provider's keys are read again, in milliseconds.
const AGE_MS: i64 = 600_000;
/// Shortest time between two readings, in milliseconds: made-up key ids must not turn this deployment against the provider.
const PAUSE_MS: i64 = 10_000;

/// The provider as it describes itself.
pub struct Known {
    /// Where fans sign in.
    pub authorization: Url,
    /// Its JWK set.
    pub keys: Value,
    token: String,
    read: WallMs,
}

/// OpenID Connect Discovery 1.0, section 3.
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

thread_local! {
    static KNOWN: RefCell<Option<Rc<Known>>> = const { RefCell::new(None) };
}

/// The provider; read at most every ten minutes. One that is out is known as it was.
pub async fn known(oidc: &Oidc) -> Result<Rc<Known>, Problem> {
    at_most(oidc, AGE_MS).await
}

/// The provider, read again unless that was done a moment ago.
pub async fn renewed(oidc: &Oidc) -> Result<Rc<Known>, Problem> {
    at_most(oidc, PAUSE_MS).await
}

async fn at_most(oidc: &Oidc, age_ms: i64) -> Result<Rc<Known>, Problem> {
    let last = KNOWN.with_borrow(Clone::clone);
    if let Some(known) = last.as_ref().filter(|known| clock::now().since(known.read) < age_ms) {
        return Ok(Rc::clone(known));
    }
    match (read(oidc).await, last) {
        (Ok(known), _) => {
            let known = Rc::new(known);
            KNOWN.set(Some(Rc::clone(&known)));
            Ok(known)
        }
        (Err(_), Some(known)) => Ok(known),
        (Err(problem), None) => Err(problem),
    }
}

async fn read(oidc: &Oidc) -> Result<Known, Problem> {
    let place = format!("{}/.well-known/openid-configuration", oidc.issuer.trim_end_matches('/'));
    let found: Discovery = answer(Request::new(&place, Method::Get)?).await?;
    if found.issuer != oidc.issuer {
        worker::console_error!("sign-in: the provider calls itself otherwise than OIDC_ISSUER");
        return Err(Code::SignInUnavailable.into());
    }
    let authorization = Url::parse(&found.authorization_endpoint).map_err(|_| Code::SignInUnavailable)?;
    let keys = answer(Request::new(&found.jwks_uri, Method::Get)?).await?;
    Ok(Known { authorization, keys, token: found.token_endpoint, read: clock::now() })
}

/// Exchanges a code for its ID token (RFC 6749, section 4.1.3, with RFC 7636).
pub async fn code_for_token(oidc: &Oidc, code: &str, verifier: &str, back: &str) -> Result<String, Problem> {
    let known = known(oidc).await?;
    let mut form = Url::parse("https://form.invalid/").map_err(|_| Code::Internal)?;
    form.query_pairs_mut()
        .append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", back)
        .append_pair("client_id", &oidc.client)
        .append_pair("code_verifier", verifier);
    let headers = Headers::new();
    headers.set("Content-Type", "application/x-www-form-urlencoded")?;
    if let Some(secret) = &oidc.secret {
        let pair = STANDARD.encode(format!("{}:{}", escaped(&oidc.client), escaped(secret)));
        headers.set("Authorization", &format!("Basic {pair}"))?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_headers(headers).with_body(form.query().map(Into::into));
    let tokens: Tokens = answer(Request::new_with_init(&known.token, &init)?).await?;
    Ok(tokens.id_token)
}

fn escaped(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// The provider's answer. A refusal means that the code is not good; anything else that it is out.
async fn answer<T: DeserializeOwned>(request: Request) -> Result<T, Problem> {
    let response = outside::send(request, PATIENCE_MS).await.map_err(|_| Code::SignInUnavailable)?;
    match response.status_code() {
        200 => outside::json(response, PATIENCE_MS).await.map_err(|_| Code::SignInUnavailable.into()),
        400..=499 => Err(Code::SignInFailed.into()),
        _ => Err(Code::SignInUnavailable.into()),
    }
}
