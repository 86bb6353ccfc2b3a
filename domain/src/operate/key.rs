//! An operator's key: 16 random bytes and a tag, so that keys nobody was ever given are refused without asking anybody.
//!
//! `key = base64url(random, 16 bytes ‖ first 16 bytes of HMAC-SHA256(key(operator, event), random))`. Whether a genuine key
//! still stands for somebody, the event's list of operators says; it keeps the keys' hashes only.

use crate::ids::EventId;
use crate::keys::{KeyKind, MasterKeys, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;

/// A key as its operator holds it. `Debug` shows nothing of it.
pub struct OperatorKey(String);

impl OperatorKey {
    /// A new key of an event, from 16 fresh random bytes.
    pub fn new(random: [u8; 16], keys: &MasterKeys, event: &EventId) -> Self {
        let key = keys.signing_key(KeyKind::Operator, event);
        Self(URL_SAFE_NO_PAD.encode([random, tag(&key, &random)].concat()))
    }

    /// A shown key, if it was made for this event under a live master key.
    pub fn read(shown: &str, keys: &MasterKeys, event: &EventId) -> Option<Self> {
        let bytes: [u8; 32] = URL_SAFE_NO_PAD.decode(shown).ok()?.try_into().ok()?;
        let (random, shown_tag) = bytes.split_at(16);
        let made =
            |id| keys.key(KeyKind::Operator, event, id).is_some_and(|key| tag(&key, random).ct_eq(shown_tag).into());
        // All of them, so that the time tells nothing about which.
        (keys.ids().filter(|id| made(*id)).count() > 0).then(|| Self(shown.to_owned()))
    }

    /// The key itself, shown once.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What is kept of it: SHA-256. The key is random, so a plain hash cannot be guessed back.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for OperatorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorKey(…)")
    }
}

fn tag(key: &[u8; 32], random: &[u8]) -> [u8; 16] {
    let mut tag = [0; 16];
    tag.copy_from_slice(&hmac(key, &[random])[..16]);
    tag
}

/// An operator's name: 1 to 40 of a–z, 0–9, `.`, `_` and `-`. The journal keeps it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OperatorName(String);

impl OperatorName {
    /// The name of whoever shows the deployment's own key; nobody else gets it.
    pub const BOOTSTRAP: &'static str = "bootstrap";

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for OperatorName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
        let good = (1..=40).contains(&text.len()) && text.bytes().all(plain) && text != Self::BOOTSTRAP;
        let why = "an operator's name has 1 to 40 of a-z, 0-9, '.', '_', '-', and is not \"bootstrap\"";
        good.then(|| Self(text.to_owned())).ok_or_else(|| why.to_owned())
    }
}

impl TryFrom<String> for OperatorName {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<OperatorName> for String {
    fn from(name: OperatorName) -> Self {
        name.0
    }
}
