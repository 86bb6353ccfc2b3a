//! The token in a link to an order's documents.

use super::Token;
use super::sealed::Layout;
use super::wire::{Reader, Writer};
use crate::ids::{AccountId, OrderId};
use crate::keys::KeyKind;
use crate::time::WallMs;

/// How long a link is good, in milliseconds.
const DOCUMENT_LIFE_MS: i64 = 900_000;

/// "Whoever has this link may read this order's tickets for a quarter of an hour": the only token that travels in an address,
/// since a browser opens a document with nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentToken {
    /// Whose order it is.
    pub account: AccountId,
    /// The order.
    pub order: OrderId,
    /// Revocation epoch at issue.
    pub rev: u32,
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl DocumentToken {
    /// A link's token of `now`.
    pub fn issue(account: AccountId, order: OrderId, rev: u32, now: WallMs) -> Self {
        Self { account, order, rev, expires: now.plus(DOCUMENT_LIFE_MS) }
    }

    /// Whether it opens this order's documents at `now`.
    pub fn opens(&self, order: &OrderId, now: WallMs) -> bool {
        self.order == *order && now < self.expires
    }
}

impl Layout for DocumentToken {
    const KIND: u8 = 9;
    const KEY: KeyKind = KeyKind::Document;
    const FIELDS_LEN: usize = 20;
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.bytes(self.order.as_bytes()).u32(self.rev);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let (account, order, rev) = (AccountId::from_bytes(account), OrderId::from_bytes(from.bytes()?), from.u32()?);
        Some(Self { account, order, rev, expires: WallMs(from.i64()?) })
    }
}

impl Token for DocumentToken {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::EventId;
    use crate::keys::MasterKeys;
    use crate::token::AccessToken;

    const NOW: WallMs = WallMs(1_800_000_000_000);

    #[test]
    fn a_link_opens_its_order_for_a_quarter_of_an_hour() {
        let keys = MasterKeys::parse("1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").expect("a key");
        let event: EventId = "demo".parse().expect("an id");
        let (order, other) = (OrderId::from_bytes([9; 16]), OrderId::from_bytes([8; 16]));
        let token = DocumentToken::issue(AccountId::derive("dev", "ada"), order, 3, NOW);
        let text = token.encode(&keys, &event);
        assert_eq!(DocumentToken::decode(&text, &keys, &event), Ok(token));
        assert!(token.opens(&order, NOW) && token.opens(&order, NOW.plus(899_999)));
        assert!(!token.opens(&order, NOW.plus(900_000)) && !token.opens(&other, NOW));
        assert!(DocumentToken::decode(&text, &keys, &"other".parse().expect("an id")).is_err());
        assert!(AccessToken::decode(&text, &keys, &event).is_err(), "it opens documents and nothing else");
    }
}
