//! The kinds of token. Their fields, order and widths are frozen by `golden/tokens.json`.

use super::sealed::Layout;
use super::wire::{Reader, Writer};
use super::{Claims, Door, Entrance, Token};
use crate::ids::{AccountId, EventId, SessionId};
use crate::keys::KeyKind;
use crate::time::{EventMs, WallMs};

/// "You stand in line": where the log holds the account's entry, and its number once that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceToken {
    /// Whose place it is.
    pub account: AccountId,
    /// Shard whose log holds the entry.
    pub shard: u16,
    /// Epoch of that log (with the shard: the virtual shard).
    pub epoch: u32,
    /// Index of the entry in that log, from 0.
    pub index: u64,
    /// Time of joining.
    pub joined: WallMs,
    /// Place in the line from 1, or 0 while it is not numbered yet.
    pub place: u64,
    /// Cohort of the place; meaningless while `place` is 0.
    pub cohort: u32,
    /// How it came into the line.
    pub entrance: Entrance,
    /// Revocation epoch at issue.
    pub rev: u32,
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl PlaceToken {
    /// Whether the token has not expired at `now`.
    pub fn live(&self, now: WallMs) -> bool {
        now < self.expires
    }
    /// The place from 1, or `None` while it is not numbered yet.
    pub fn number(&self) -> Option<u64> {
        (self.place > 0).then_some(self.place)
    }
}

impl Layout for PlaceToken {
    const KIND: u8 = 1;
    const KEY: KeyKind = KeyKind::Place;
    const FIELDS_LEN: usize = 40;
    /// The door's byte: whoever is marked as a bot must not learn it from the token.
    const MASKED: Option<usize> = Some(70);
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.u16(self.shard).u32(self.epoch).u64(self.index).i64(self.joined.0).u64(self.place).u32(self.cohort);
        out.u8(self.entrance.lane).u8(self.entrance.door.bits()).u32(self.rev);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            account: AccountId::from_bytes(account),
            shard: from.u16()?,
            epoch: from.u32()?,
            index: from.u64()?,
            joined: WallMs(from.i64()?),
            place: from.u64()?,
            cohort: from.u32()?,
            entrance: Entrance { lane: from.u8()?, door: Door::from_bits(from.u8()?)? },
            rev: from.u32()?,
            expires: WallMs(from.i64()?),
        })
    }
}

/// "You may shop": one session of one account, until an *event* time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessToken {
    /// Who may shop.
    pub account: AccountId,
    /// The session that the turn opened; one per place.
    pub session: SessionId,
    /// The place whose turn it was.
    pub place: u64,
    /// The lane that the place is in; 0 is the main line.
    pub lane: u8,
    /// Revocation epoch at issue.
    pub rev: u32,
    /// Event time from which it is refused (15 minutes after the first claim by default).
    pub expires: EventMs,
}

impl AccessToken {
    /// Whether the session has not expired at event time `now`.
    pub fn live(&self, now: EventMs) -> bool {
        now < self.expires
    }
}

impl Layout for AccessToken {
    const KIND: u8 = 2;
    const KEY: KeyKind = KeyKind::Access;
    const FIELDS_LEN: usize = 29;
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.bytes(self.session.as_bytes()).u64(self.place).u8(self.lane).u32(self.rev);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            account: AccountId::from_bytes(account),
            session: SessionId::from_bytes(from.bytes()?),
            place: from.u64()?,
            lane: from.u8()?,
            rev: from.u32()?,
            expires: EventMs(from.i64()?),
        })
    }
}

/// The event id under which account tokens are issued: they belong to the fan, not to one event.
/// Sharing the id with a real event would be harmless, since the kind of key differs.
pub fn account_scope() -> EventId {
    // "accounts" satisfies the pattern of event ids (a test encodes with it).
    "accounts".parse().unwrap_or_else(|_| unreachable!("a constant, checked by a test"))
}

/// The fan's credential, issued under [`account_scope`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountToken {
    /// The verified identity.
    pub account: AccountId,
    /// Minted by an operator; good only for events that are marked as rehearsal.
    pub rehearsal: bool,
    /// What the identity provider vouched for when the fan signed in.
    pub claims: Claims,
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl AccountToken {
    /// Whether the token has not expired at `now`.
    pub fn live(&self, now: WallMs) -> bool {
        now < self.expires
    }
}

impl Layout for AccountToken {
    const KIND: u8 = 3;
    const KEY: KeyKind = KeyKind::Account;
    const FIELDS_LEN: usize = 2;
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.u8(u8::from(self.rehearsal)).u8(self.claims.bits());
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let rehearsal = match from.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let (account, claims) = (AccountId::from_bytes(account), Claims::from_bits(from.u8()?)?);
        Some(Self { account, rehearsal, claims, expires: WallMs(from.i64()?) })
    }
}

/// Authenticates one pulse of an event's Pacer to the origin; short-lived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PulseToken {
    /// The beat it carries; must equal the beat in the body.
    pub beat: u64,
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl PulseToken {
    /// Whether the token has not expired at `now`.
    pub fn live(&self, now: WallMs) -> bool {
        now < self.expires
    }
}

impl Layout for PulseToken {
    const KIND: u8 = 4;
    const KEY: KeyKind = KeyKind::Pulse;
    const FIELDS_LEN: usize = 8;
    fn account_bytes(&self) -> [u8; 16] {
        [0; 16]
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.u64(self.beat);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let token = Self { beat: from.u64()?, expires: WallMs(from.i64()?) };
        (account == [0; 16]).then_some(token)
    }
}

impl Token for PlaceToken {}
impl Token for AccessToken {}
impl Token for AccountToken {}
impl Token for PulseToken {}
