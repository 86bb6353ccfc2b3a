//! The token of an operator's call that the edge hands on to the origin.

use super::Token;
use super::sealed::Layout;
use super::wire::{Reader, Writer};
use crate::keys::KeyKind;
use crate::time::WallMs;

/// How long it is good, in milliseconds: longer than any delay between edge and origin.
const DESK_LIFE_MS: i64 = 30_000;

/// "The edge found that this operator may do it": short-lived, beside the signature of the call itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeskToken {
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl DeskToken {
    /// A token of `now`.
    pub fn issue(now: WallMs) -> Self {
        Self { expires: now.plus(DESK_LIFE_MS) }
    }

    /// Whether the token has not expired at `now`.
    pub fn live(&self, now: WallMs) -> bool {
        now < self.expires
    }
}

impl Layout for DeskToken {
    const KIND: u8 = 8;
    const KEY: KeyKind = KeyKind::Desk;
    const FIELDS_LEN: usize = 0;
    fn account_bytes(&self) -> [u8; 16] {
        [0; 16]
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, _: &mut Writer) {}
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let token = Self { expires: WallMs(from.i64()?) };
        (account == [0; 16]).then_some(token)
    }
}

impl Token for DeskToken {}
