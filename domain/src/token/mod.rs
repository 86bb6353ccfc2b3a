//! Signed tokens: one fixed binary layout, base64url without padding.
//!
//! `version u8 = 1 · kind u8 · key id u8 · event tag [16] · account [16] · fields of the kind · expiry i64 BE · HMAC-SHA256 [32]`
//!
//! All numbers are big-endian. The event tag is the first 16 bytes of SHA-256 over the event id. The HMAC covers every byte
//! before it, under the key of (kind, event, key id). The version fixes layout and algorithm. Comparison takes constant time,
//! and anything odd (length, trailing bytes, foreign kind, event or key, a flipped bit) gets one and the same answer.

mod checks;
mod desk;
mod document;
mod entrance;
mod kinds;
mod verifier;
mod wire;

pub use checks::{MailToken, StampToken, WorkToken, challenge_data};
pub use desk::DeskToken;
pub use document::DocumentToken;
pub use entrance::{Claims, Door, Entrance, UnknownBits};
pub use kinds::{AccessToken, AccountToken, PlaceToken, PulseToken, account_scope};
pub use verifier::Verifier;

use crate::ids::{EventId, digest16};
use crate::keys::{KeyKind, Keyed, MasterKeys};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use wire::{Reader, Writer};

/// The layout version that this code writes and reads.
pub const VERSION: u8 = 1;
const TAG_LEN: usize = 32;
/// Version, kind, key id, event tag, account, expiry and HMAC: all bytes but the fields of the kind.
const FRAME_LEN: usize = 3 + 16 + 16 + 8 + TAG_LEN;

/// The one answer to everything that is not a token issued here. It tells nothing more, on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the token is not valid")]
pub struct BadToken;

/// What a kind of token adds to the common frame. Implemented by the kinds of this module only.
pub trait Token: Sized + sealed::Layout {
    /// Signs this token for `event` with the signing master key.
    fn encode(&self, keys: &MasterKeys, event: &EventId) -> String {
        let mut out = Writer::default();
        out.u8(VERSION).u8(Self::KIND).u8(keys.signing_id());
        out.bytes(&event_tag(event)).bytes(&self.account_bytes());
        self.write_fields(&mut out);
        out.i64(self.expiry_ms());
        let key = Keyed::new(&keys.signing_key(Self::KEY, event));
        mask::<Self>(&key, out.as_mut_slice());
        let tag = key.hmac(&[out.as_slice()]);
        out.bytes(&tag);
        URL_SAFE_NO_PAD.encode(out.as_slice())
    }

    /// Reads a token that was issued for `event` under any live master key. Expiry is *not* checked here: see `live`.
    /// Whoever reads many of one event keeps a [`Verifier`].
    fn decode(text: &str, keys: &MasterKeys, event: &EventId) -> Result<Self, BadToken> {
        Verifier::new(keys, event).decode(text)
    }
}

pub(crate) mod sealed {
    use super::{KeyKind, Reader, Writer};

    /// The fields of one kind and how they lie in the frame.
    pub trait Layout: Sized {
        /// The kind byte.
        const KIND: u8;
        /// The kind of key that signs it.
        const KEY: KeyKind;
        /// Length of the fields, in bytes.
        const FIELDS_LEN: usize;
        /// Where the frame has a byte that the token's holder must not be able to read, if anywhere.
        const MASKED: Option<usize> = None;
        /// The account in the frame, zeros where there is none.
        fn account_bytes(&self) -> [u8; 16];
        /// Expiry in milliseconds, of the time the kind uses.
        fn expiry_ms(&self) -> i64;
        /// Appends exactly `FIELDS_LEN` bytes.
        fn write_fields(&self, out: &mut Writer);
        /// Reads the fields between account and expiry.
        fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self>;
    }
}

/// The first 16 bytes of SHA-256 over the event id.
fn event_tag(event: &EventId) -> [u8; 16] {
    digest16(&[event.as_str().as_bytes()])
}

/// Masks the byte at `MASKED`, or unmasks it: XOR with the first byte of HMAC(key, `"mask\0"` + all bytes before it).
fn mask<T: Token>(key: &Keyed, body: &mut [u8]) {
    if let Some((before, [byte, ..])) = T::MASKED.and_then(|at| body.split_at_mut_checked(at)) {
        let [mask, ..] = key.hmac(&[b"mask\0", before]);
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests;
