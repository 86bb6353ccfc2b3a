//! The organiser's identity provider: its keys, the check of its ID tokens, and the way there and back.
//!
//! The rules are `domain::oidc`'s. Signatures are checked by the runtime's own WebCrypto: RSA and P-256 compiled to wasm would
//! make the Worker larger and slower, and add to what has to be audited.

pub mod attempt;
mod provider;
mod signature;

use domain::oidc::{BadIdToken, Expected, Identity, SignedToken, check};

use crate::clock;
use crate::config::{Config, Oidc};
use crate::problem::{Code, Problem};

pub use provider::{code_for_token, known};

/// The provider's configuration, where there is a provider.
pub fn configured(config: &Config) -> Result<&Oidc, Problem> {
    config.oidc.as_ref().ok_or_else(|| Code::NotFound.into())
}

/// Whom an ID token names, once its signature and its claims were checked.
pub async fn identify(oidc: &Oidc, text: &str, nonce: &str) -> Result<Identity, Problem> {
    let token = SignedToken::parse(text).map_err(refused)?;
    let key = match token.key(&provider::known(oidc).await?.keys) {
        // The provider may have changed its keys.
        Err(BadIdToken::UnknownKey) => token.key(&provider::renewed(oidc).await?.keys),
        found => found,
    };
    let key = key.map_err(refused)?;
    if !signature::fits(&token, &key).await? {
        return Err(refused(BadIdToken::Signature));
    }
    let expected = Expected { issuer: &oidc.issuer, client: &oidc.client, nonce };
    check(&token, &expected, clock::now()).map_err(refused)
}

fn refused(why: BadIdToken) -> Problem {
    Problem::because(Code::IdTokenInvalid, why.to_string())
}
