//! Signatures as Standard Webhooks has them: `v1,` and base64 of HMAC-SHA256 over `<id>.<seconds>.<body>`.
//!
//! Each event has a key of its own, derived from the master keys, so that the receiver of one event's messages can forge no
//! other's. While master keys are rotated there is a signature by each.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::ids::EventId;
use crate::keys::{KeyKind, MasterKeys};
use crate::time::WallMs;

/// An event's keys, the newest first. `Debug` shows their number only.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKeys(Vec<[u8; 32]>);

impl SigningKeys {
    /// The keys of an event.
    #[must_use]
    pub fn of(masters: &MasterKeys, event: &EventId) -> Self {
        Self(masters.ids().filter_map(|id| masters.key(KeyKind::Webhook, event, id)).collect())
    }

    /// What receivers are given, one for each key.
    pub fn secrets(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|key| secret(key))
    }

    /// The value of `webhook-signature`: one for each key.
    #[must_use]
    pub fn sign(&self, id: &str, at: WallMs, body: &str) -> String {
        let each: Vec<String> = self.0.iter().map(|key| signature(key, id, at, body)).collect();
        each.join(" ")
    }
}

impl fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKeys({})", self.0.len())
    }
}

/// A key as receivers' libraries take it.
#[must_use]
pub fn secret(key: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(key))
}

/// One signature.
#[must_use]
pub fn signature(key: &[u8], id: &str, at: WallMs, body: &str) -> String {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return String::new() };
    mac.update(format!("{id}.{}.", at.0.div_euclid(1_000)).as_bytes());
    mac.update(body.as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}
