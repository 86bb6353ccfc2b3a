//! Who may write to the index: calls are signed over what they ask for, their time and their body's very bytes.
//!
//! `X-Onsale-Signature: t=<seconds>,k=<id of the master key>,v1=<hex>`, where `v1` is HMAC-SHA256 under key(search) over
//! `<path>` LF `<t>` `.` `<body>`.

use subtle::ConstantTimeEq;

use crate::bytes32::{from_hex, to_hex};
use crate::keys::{KeyKind, MasterKeys, hmac};
use crate::time::WallMs;
use crate::token::account_scope;

/// How far a call's time may be from ours, in seconds. A call that is sent again within it changes nothing.
const TOLERANCE_S: u64 = 300;

/// A call that nobody who may has signed, or not lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not signed by who may write here, or not lately")]
pub struct NotSigned;

/// The header of a call.
#[must_use]
pub fn sign(path: &str, body: &[u8], keys: &MasterKeys, now: WallMs) -> String {
    let (id, time) = (keys.signing_id(), now.0.div_euclid(1_000));
    let tag = tag(id, path, time, body, keys).unwrap_or_default();
    format!("t={time},k={id},v1={}", to_hex(&tag))
}

/// Checks the header of a call.
///
/// # Errors
/// [`NotSigned`].
pub fn verify(header: &str, path: &str, body: &[u8], keys: &MasterKeys, now: WallMs) -> Result<(), NotSigned> {
    let (time, id, shown) = parts(header).ok_or(NotSigned)?;
    let right = tag(id, path, time, body, keys).ok_or(NotSigned)?;
    let authentic: bool = right.as_slice().ct_eq(&shown).into();
    let lately = now.0.div_euclid(1_000).abs_diff(time) <= TOLERANCE_S;
    if authentic && lately { Ok(()) } else { Err(NotSigned) }
}

fn parts(header: &str) -> Option<(i64, u8, [u8; 32])> {
    let mut parts = header.split(',');
    let mut part = |name: &str| parts.next()?.strip_prefix(name);
    let found = (part("t=")?.parse().ok()?, part("k=")?.parse().ok()?, from_hex::<32>(part("v1=")?)?);
    parts.next().is_none().then_some(found)
}

/// `None` where that master key is not live.
fn tag(id: u8, path: &str, time: i64, body: &[u8], keys: &MasterKeys) -> Option<[u8; 32]> {
    let key = keys.key(KeyKind::Search, &account_scope(), id)?;
    Some(hmac(&key, &[path.as_bytes(), b"\n", time.to_string().as_bytes(), b".", body]))
}
