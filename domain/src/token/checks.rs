//! Tokens of the door: arrival stamps, riddles of the proof of work, and tickets for a code by mail.

use subtle::ConstantTimeEq as _;

use super::sealed::Layout;
use super::wire::{Reader, Writer};
use super::{Door, Token};
use crate::ids::{AccountId, EventId};
use crate::keys::{KeyKind, MasterKeys, hmac};
use crate::time::WallMs;

/// How long a stamp is good, in milliseconds.
const STAMP_LIFE_MS: i64 = 900_000;
/// How long a riddle may be worked at, in milliseconds.
const WORK_LIFE_MS: i64 = 600_000;
/// How long a code by mail is good, in milliseconds.
const MAIL_LIFE_MS: i64 = 900_000;
/// Codes have eight digits.
const CODES: u64 = 100_000_000;

/// "You were here at that time, and the door could not take you": a later join counts from then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StampToken {
    /// Who came.
    pub account: AccountId,
    /// When: the time at which it was made, never earlier.
    pub at: WallMs,
    /// The checks that were passed then; some of them can be passed once only.
    pub door: Door,
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl StampToken {
    /// A stamp of `now`.
    pub fn issue(account: AccountId, now: WallMs, door: Door) -> Self {
        Self { account, at: now, door, expires: now.plus(STAMP_LIFE_MS) }
    }

    /// Whether it counts at `now` for this account.
    pub fn counts(&self, account: &AccountId, now: WallMs) -> bool {
        self.account == *account && self.at <= now && now < self.expires
    }
}

impl Layout for StampToken {
    const KIND: u8 = 5;
    const KEY: KeyKind = KeyKind::Stamp;
    const FIELDS_LEN: usize = 9;
    /// The door's byte, as in a place token.
    const MASKED: Option<usize> = Some(43);
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.i64(self.at.0).u8(self.door.bits());
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let (account, at, door) = (AccountId::from_bytes(account), WallMs(from.i64()?), Door::from_bits(from.u8()?)?);
        Some(Self { account, at, door, expires: WallMs(from.i64()?) })
    }
}

/// A riddle, see [`crate::door::work`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkToken {
    /// For whom.
    pub account: AccountId,
    /// Its difficulty.
    pub bits: u8,
    /// Random bytes: no answer can be found before the riddle is set.
    pub salt: [u8; 16],
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl WorkToken {
    /// A riddle of `now`.
    pub fn issue(account: AccountId, bits: u8, salt: [u8; 16], now: WallMs) -> Self {
        Self { account, bits, salt, expires: now.plus(WORK_LIFE_MS) }
    }

    /// Whether it may be answered at `now` by this account.
    pub fn counts(&self, account: &AccountId, now: WallMs) -> bool {
        self.account == *account && now < self.expires
    }
}

impl Layout for WorkToken {
    const KIND: u8 = 6;
    const KEY: KeyKind = KeyKind::Work;
    const FIELDS_LEN: usize = 17;
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.u8(self.bits).bytes(&self.salt);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let (account, bits, salt) = (AccountId::from_bytes(account), from.u8()?, from.bytes()?);
        Some(Self { account, bits, salt, expires: WallMs(from.i64()?) })
    }
}

/// "A code for this ticket is on its way by mail". Whoever has both reads that mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailToken {
    /// For whom.
    pub account: AccountId,
    /// Random bytes: each ticket has a code of its own.
    pub salt: [u8; 16],
    /// Wall time from which it is refused.
    pub expires: WallMs,
}

impl MailToken {
    /// A ticket of `now`.
    pub fn issue(account: AccountId, salt: [u8; 16], now: WallMs) -> Self {
        Self { account, salt, expires: now.plus(MAIL_LIFE_MS) }
    }

    /// Whether it may be used at `now` by this account.
    pub fn counts(&self, account: &AccountId, now: WallMs) -> bool {
        self.account == *account && now < self.expires
    }

    /// The code of a ticket: eight digits.
    pub fn code(ticket: &str, keys: &MasterKeys, event: &EventId) -> String {
        code(&keys.signing_key(KeyKind::MailCode, event), ticket)
    }

    /// Whether `shown` is the ticket's code, under any live master key, in constant time.
    pub fn is_code(ticket: &str, shown: &str, keys: &MasterKeys, event: &EventId) -> bool {
        let live = keys.ids().filter_map(|id| keys.key(KeyKind::MailCode, event, id));
        live.map(|key| bool::from(code(&key, ticket).as_bytes().ct_eq(shown.as_bytes())))
            .fold(false, |any, is| any | is)
    }
}

fn code(key: &[u8; 32], ticket: &str) -> String {
    let [a, b, c, d, e, f, g, h, ..] = hmac(key, &[ticket.as_bytes()]);
    format!("{:08}", u64::from_be_bytes([a, b, c, d, e, f, g, h]) % CODES)
}

impl Layout for MailToken {
    const KIND: u8 = 7;
    const KEY: KeyKind = KeyKind::MailTicket;
    const FIELDS_LEN: usize = 16;
    fn account_bytes(&self) -> [u8; 16] {
        *self.account.as_bytes()
    }
    fn expiry_ms(&self) -> i64 {
        self.expires.0
    }
    fn write_fields(&self, out: &mut Writer) {
        out.bytes(&self.salt);
    }
    fn read_fields(account: [u8; 16], from: &mut Reader<'_>) -> Option<Self> {
        let (account, salt) = (AccountId::from_bytes(account), from.bytes()?);
        Some(Self { account, salt, expires: WallMs(from.i64()?) })
    }
}

impl Token for StampToken {}
impl Token for WorkToken {}
impl Token for MailToken {}

/// What the `cdata` of a Turnstile widget has to be for this event and account.
pub fn challenge_data(event: &EventId, account: &AccountId) -> String {
    format!("{event}_{account}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: WallMs = WallMs(1_800_000_000_000);

    fn setting() -> (MasterKeys, EventId, AccountId) {
        let keys = MasterKeys::parse("1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").expect("a key");
        (keys, "demo".parse().expect("an id"), AccountId::derive("dev", "ada"))
    }

    #[test]
    fn a_stamp_counts_for_its_account_and_never_for_a_time_before_it_was_made() {
        let (keys, event, ada) = setting();
        let door = Door::CHALLENGE.with(Door::SLOWED);
        let text = StampToken::issue(ada, NOW, door).encode(&keys, &event);
        let stamp = StampToken::decode(&text, &keys, &event).expect("it was just made");
        assert_eq!((stamp.at, stamp.door), (NOW, door));
        assert!(stamp.counts(&ada, NOW) && stamp.counts(&ada, NOW.plus(STAMP_LIFE_MS - 1)));
        assert!(!stamp.counts(&ada, NOW.plus(-1)) && !stamp.counts(&ada, NOW.plus(STAMP_LIFE_MS)));
        assert!(!stamp.counts(&AccountId::derive("dev", "bo"), NOW));
        assert!(StampToken::decode(&text, &keys, &"other".parse().expect("an id")).is_err());
    }

    #[test]
    fn a_code_belongs_to_its_ticket() {
        let (keys, event, ada) = setting();
        let ticket = MailToken::issue(ada, [1; 16], NOW).encode(&keys, &event);
        let other = MailToken::issue(ada, [2; 16], NOW).encode(&keys, &event);
        let code = MailToken::code(&ticket, &keys, &event);
        assert_eq!(code.len(), 8);
        assert!(MailToken::is_code(&ticket, &code, &keys, &event));
        assert!(!MailToken::is_code(&other, &code, &keys, &event));
        assert!(!MailToken::is_code(&ticket, "", &keys, &event));
    }

    #[test]
    fn kinds_are_not_taken_for_each_other() {
        let (keys, event, ada) = setting();
        let riddle = WorkToken::issue(ada, 13, [0; 16], NOW).encode(&keys, &event);
        assert!(WorkToken::decode(&riddle, &keys, &event).is_ok_and(|token| token.counts(&ada, NOW)));
        assert!(
            MailToken::decode(&riddle, &keys, &event).is_err() && StampToken::decode(&riddle, &keys, &event).is_err()
        );
    }

    #[test]
    fn challenge_data_is_short_and_plain() {
        let event = "a".repeat(40).parse().expect("the longest id");
        let data = challenge_data(&event, &AccountId::from_bytes([0xff; 16]));
        assert!(data.len() <= 255 && data.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    }
}
