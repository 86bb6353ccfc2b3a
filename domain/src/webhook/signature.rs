//! Signatures of events: `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=…]`.
//!
//! `v1` is HMAC-SHA256 under the endpoint's secret over `<t>.<body>`, the body's very bytes. While a secret is being replaced
//! there is a `v1` for each; other schemes (`v0`) are passed over.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::time::WallMs;

/// How far an event's time may be from ours, in seconds: what Stripe's own libraries allow. A delivery that is tried again is
/// signed anew, so an older signature is a copy.
pub const TOLERANCE_S: i64 = 300;

/// Most secrets at once: the old one and the new one.
const SECRETS_MAX: usize = 2;
/// Most parts of a header that are looked at.
const PARTS_MAX: usize = 16;

/// The endpoint's secrets; any of them may have signed. `Debug` shows their number only.
#[derive(Clone, PartialEq, Eq)]
pub struct Secrets(Vec<String>);

/// Why a text is no list of secrets. Never shows the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSecrets {
    /// None, or too many.
    #[error("one secret, or two while one is being replaced")]
    Number,
    /// Not `whsec_` and at least 16 letters and digits.
    #[error("a secret is whsec_ and at least 16 letters, digits or signs of base64")]
    Shape,
}

/// Why an event is not the provider's, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// No header, or not one with a time and a signature.
    #[error("no time or no signature of a known scheme")]
    Shape,
    /// Signed by somebody else, or something else was signed.
    #[error("no signature fits")]
    Forged,
    /// Rightly signed, but too long ago, or by a clock that is far ahead.
    #[error("signed too long ago or in the future")]
    Stale,
}

impl Secrets {
    /// Reads secrets separated by commas.
    ///
    /// # Errors
    /// None, more than two, or not a secret.
    pub fn parse(text: &str) -> Result<Self, BadSecrets> {
        let secrets: Vec<String> = text.split(',').map(|secret| secret.trim().to_owned()).collect();
        if secrets.len() > SECRETS_MAX || text.trim().is_empty() {
            return Err(BadSecrets::Number);
        }
        if secrets.iter().all(|secret| is_secret(secret)) { Ok(Self(secrets)) } else { Err(BadSecrets::Shape) }
    }
}

fn is_secret(text: &str) -> bool {
    let is_sign = |b: u8| b.is_ascii_alphanumeric() || b"+/=_-".contains(&b);
    text.strip_prefix("whsec_").is_some_and(|rest| (16..=200).contains(&rest.len()) && rest.bytes().all(is_sign))
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

/// Whether the provider signed this body, not long ago.
///
/// # Errors
/// See [`BadSignature`].
pub fn verify(header: &str, body: &[u8], secrets: &Secrets, now: WallMs) -> Result<(), BadSignature> {
    let (time, signatures) = parts(header).ok_or(BadSignature::Shape)?;
    let right: Vec<[u8; 32]> = secrets.0.iter().filter_map(|secret| tag(secret, time, body)).collect();
    let fits = |signature: &[u8; 32]| right.iter().any(|tag| tag.as_slice().ct_eq(signature).into());
    if !signatures.iter().any(fits) {
        return Err(BadSignature::Forged);
    }
    let apart_s = now.0.div_euclid(1_000).abs_diff(time);
    if apart_s <= TOLERANCE_S.unsigned_abs() { Ok(()) } else { Err(BadSignature::Stale) }
}

/// The header with which a provider sends this body at `now`: one signature for each of its secrets.
#[must_use]
pub fn sign(body: &[u8], secrets: &Secrets, now: WallMs) -> String {
    let time = now.0.div_euclid(1_000);
    let tags = secrets.0.iter().filter_map(|secret| tag(secret, time, body));
    tags.fold(format!("t={time}"), |header, tag| header + ",v1=" + &hex(&tag))
}

/// The time and the signatures of the known scheme.
fn parts(header: &str) -> Option<(i64, Vec<[u8; 32]>)> {
    let (mut time, mut signatures) = (None, Vec::new());
    for (name, value) in header.split(',').take(PARTS_MAX).filter_map(|part| part.trim().split_once('=')) {
        match name {
            "t" => time = Some(value.parse::<i64>().ok()?),
            "v1" => signatures.extend(crate::bytes32::from_hex::<32>(value)),
            _ => {}
        }
    }
    if signatures.is_empty() { None } else { Some((time?, signatures)) }
}

/// `None` never comes: HMAC takes keys of any length.
fn tag(secret: &str, time: i64, body: &[u8]) -> Option<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    mac.update(time.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac.finalize().into_bytes().into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
