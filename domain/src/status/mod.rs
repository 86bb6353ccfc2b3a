//! The status file: one small signed answer, the same bytes for everybody, served from caches once a second.
//!
//! `{"v":1,…,"next":2000,"sig":"<base64url Ed25519>"}`; the signature covers the exact bytes before `,"sig":`. At most
//! [`MAX_BYTES`] without the message and the reason.

mod largest;

pub use largest::largest_bytes;

use crate::ids::EventId;
use crate::time::{Clock, EventMs, WallMs};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Longest status file without its texts, signature included.
pub const MAX_BYTES: usize = 640;
/// Longest message and longest reason, in bytes of UTF-8; longer ones are cut at a character.
pub const MAX_MESSAGE: usize = 280;

/// Where an on-sale stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Joining is not possible yet.
    Scheduled,
    /// Joining is possible; those who come now are drawn.
    Prequeue,
    /// The opening has passed, the draw is not done.
    Drawing,
    /// The line moves.
    Open,
    /// The line stands; places are safe.
    Paused,
    /// An emergency stop: the line stands, and booking calls are refused.
    Stopped,
    /// Nothing is left and nothing is held.
    SoldOut,
    /// Over.
    Closed,
}

/// How much of a price level is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Band {
    /// At least a tenth.
    Many,
    /// Less than a tenth.
    Few,
    /// Nothing free at the moment.
    None,
}

/// The band of a level with `free` of `capacity` seats.
pub fn band(free: u64, capacity: u64) -> Band {
    match free {
        0 => Band::None,
        _ if free.saturating_mul(10) < capacity => Band::Few,
        _ => Band::Many,
    }
}

/// The contents of a status file. Field order is the order of the bytes, frozen by `golden/status.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// Version of the form: 1.
    pub v: u8,
    /// The event.
    pub event: EventId,
    /// The Pacer's beat; readers refuse lower ones than they have seen.
    pub beat: u64,
    /// Where the on-sale stands.
    pub phase: Phase,
    /// The event clock's triple: wall ms, event ms, run ms.
    pub clock: (i64, i64, i64),
    /// Opening, wall ms.
    pub opens: WallMs,
    /// Places up to this one have had their turn.
    pub admitted: u64,
    /// Places given so far.
    pub given: u64,
    /// People who have joined so far, numbered or not.
    pub joined: u64,
    /// For how many more turns the stock will probably last, see [`crate::pace::turns_left`].
    pub turns: u64,
    /// When places had their turn last, wall ms.
    pub moved: Option<WallMs>,
    /// Admission rate, places per minute.
    pub rate: u32,
    /// Stock per price level.
    pub bands: BTreeMap<String, Band>,
    /// [`crate::draw::file_hash`] of the draw file of cohort 0, once it is drawn.
    pub draw: Option<String>,
    /// Revocation epoch.
    pub rev: u32,
    /// Why the line stands: the operator's words, or `origin`, `stock`, or what the draw waits for.
    pub why: Option<String>,
    /// The operator's message.
    pub msg: Option<String>,
    /// Wall ms from which this file is stale: then the line counts as paused.
    pub fresh: WallMs,
    /// Milliseconds until the next poll, before the reader's own jitter.
    pub next: u32,
    /// [`crate::draw::SealFile::hash`] while the people of cohort 0 are fixed and wait for the beacon's round; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// For each lane beside the main line, in its order: places that have had their turn, and places given. Absent without lanes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<(u64, u64)>,
}

/// Why a status file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadStatus {
    /// Not JSON of this form and version.
    #[error("not a status file")]
    Form,
    /// Not signed with the event's key.
    #[error("the status file's signature is wrong")]
    Signature,
    /// To be signed, but longer than [`MAX_BYTES`] without its message.
    #[error("the status file would take {0} bytes")]
    TooLong(usize),
}

/// The public key to a status or ticket seed (`keys::KeyKind::Status`): base64url of 32 bytes, as published in the event.
pub fn public_key(seed: &[u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(seed).verifying_key().as_bytes())
}

/// Until when a status of `now` is fresh: 5 s, or three beats where the beat is slower.
pub fn fresh_until(now: WallMs, beat_ms: i64) -> WallMs {
    now.plus(beat_ms.saturating_mul(3).max(5_000))
}

/// Milliseconds to the next poll: every 2 s while the line moves or is about to, 5 s in the last ten minutes and while the line
/// stands, 30 s long before and after.
pub fn next_poll_ms(phase: Phase, until_opening_ms: i64) -> u32 {
    match phase {
        Phase::Open | Phase::Drawing => 2_000,
        Phase::Scheduled | Phase::Prequeue if until_opening_ms <= 30_000 => 2_000,
        Phase::Scheduled | Phase::Prequeue if until_opening_ms <= 600_000 => 5_000,
        Phase::Paused | Phase::Stopped => 5_000,
        Phase::Scheduled | Phase::Prequeue | Phase::SoldOut | Phase::Closed => 30_000,
    }
}

impl Status {
    /// The event clock in this file; `beat` is the file's own.
    pub fn event_clock(&self) -> Clock {
        let (wall, event, run_ms) = self.clock;
        Clock { beat: self.beat, wall: WallMs(wall), event: EventMs(event), run_ms }
    }

    /// Places of a lane that have had their turn; none for a lane that the event does not have.
    pub fn admitted_of(&self, lane: u8) -> u64 {
        match usize::from(lane).checked_sub(1) {
            None => self.admitted,
            Some(at) => self.lanes.get(at).map_or(0, |(admitted, _)| *admitted),
        }
    }

    /// Whether the file may still be believed at `now`. Admission fails closed without a fresh one.
    pub fn is_fresh(&self, now: WallMs) -> bool {
        now < self.fresh
    }

    /// The signed bytes. Texts longer than [`MAX_MESSAGE`] are cut; a file too long for other reasons is refused.
    pub fn sign(&self, seed: &[u8; 32]) -> Result<Vec<u8>, BadStatus> {
        let (why, msg) = (cut(self.why.as_deref()), cut(self.msg.as_deref()));
        let texts_len = written_len(why.as_deref()) + written_len(msg.as_deref());
        let mut bytes = serde_json::to_vec(&Self { why, msg, ..self.clone() }).map_err(|_| BadStatus::Form)?;
        bytes.pop(); // the closing brace comes back after the signature
        let signature = SigningKey::from_bytes(seed).sign(&bytes);
        bytes.extend_from_slice(format!(",\"sig\":\"{}\"}}", URL_SAFE_NO_PAD.encode(signature.to_bytes())).as_bytes());
        let len = bytes.len() - texts_len;
        if len > MAX_BYTES { Err(BadStatus::TooLong(len)) } else { Ok(bytes) }
    }

    /// Reads a status file and checks its signature against the event's public key (see [`public_key`]).
    pub fn verify(bytes: &[u8], public_key: &str) -> Result<Self, BadStatus> {
        let key: [u8; 32] =
            URL_SAFE_NO_PAD.decode(public_key).ok().and_then(|k| k.try_into().ok()).ok_or(BadStatus::Signature)?;
        let (body, signature) = split(bytes).ok_or(BadStatus::Form)?;
        let key = VerifyingKey::from_bytes(&key).map_err(|_| BadStatus::Signature)?;
        key.verify_strict(body, &Signature::from_bytes(&signature)).map_err(|_| BadStatus::Signature)?;
        read(body)
    }

    /// Reads a status file that came over a trusted path, without checking its signature.
    pub fn parse_unverified(bytes: &[u8]) -> Result<Self, BadStatus> {
        read(split(bytes).ok_or(BadStatus::Form)?.0)
    }
}

/// A text, cut to [`MAX_MESSAGE`].
fn cut(text: Option<&str>) -> Option<String> {
    text.map(|text| text[..text.floor_char_boundary(MAX_MESSAGE)].to_owned())
}

/// Bytes that a text takes in the file; `null` counts as part of the file.
fn written_len(text: Option<&str>) -> usize {
    text.and_then(|text| serde_json::to_string(text).ok()).map_or(0, |written| written.len())
}

/// The signed bytes and the signature: the file ends in `,"sig":"<86 characters>"}` and nothing else.
fn split(bytes: &[u8]) -> Option<(&[u8], [u8; 64])> {
    let (body, tail) = bytes.split_at_checked(bytes.len().checked_sub(8 + 86 + 2)?)?;
    let text = tail.strip_prefix(b",\"sig\":\"")?.strip_suffix(b"\"}")?;
    Some((body, URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?))
}

fn read(body: &[u8]) -> Result<Status, BadStatus> {
    let status: Status = serde_json::from_slice(&[body, b"}"].concat()).map_err(|_| BadStatus::Form)?;
    if status.v == 1 { Ok(status) } else { Err(BadStatus::Form) }
}

#[cfg(test)]
mod tests;
