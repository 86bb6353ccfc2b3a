//! Signing in by OpenID Connect: what an ID token must be before it makes an account.
//!
//! OpenID Connect Core 1.0, sections 2 and 3.1.3.7; JWS compact serialisation, RFC 7515. The signature itself is checked by
//! the caller, with the key that [`SignedToken::key`] chooses; nothing in the claims counts before that.

mod claims;
mod jws;
#[cfg(test)]
mod tests;

pub use claims::{Expected, Identity, check};
pub use jws::{Alg, SignedToken};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// The challenge (`S256`) to a verifier: base64url of its SHA-256 (RFC 7636, section 4.2).
pub fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// Why an ID token makes no account. None of these says more than its sender may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadIdToken {
    /// Not three parts of base64url with JSON inside, or parts that must not be ignored.
    #[error("it is not a signed token")]
    Form,
    /// Signed in another way than RS256 or ES256.
    #[error("it is not signed with RS256 or ES256")]
    Algorithm,
    /// The provider publishes no such key for this algorithm; it may be a new one.
    #[error("the provider has no such key")]
    UnknownKey,
    /// The signature does not fit.
    #[error("its signature is wrong")]
    Signature,
    /// From somebody else.
    #[error("it comes from another issuer")]
    Issuer,
    /// For somebody else.
    #[error("it is meant for another client")]
    Audience,
    /// Of another attempt to sign in.
    #[error("its nonce is not the one of this sign-in")]
    Nonce,
    /// Its time has passed.
    #[error("it has expired")]
    Expired,
    /// Its time has not come.
    #[error("it is not valid yet")]
    NotYet,
    /// Issued too long ago for signing in now.
    #[error("it was issued too long ago")]
    TooOld,
    /// Nobody is named.
    #[error("it names nobody")]
    Subject,
}
