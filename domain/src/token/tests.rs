//! Format, refusals and rotation. The golden file freezes the bytes.

use super::sealed::Layout as _;
use super::*;
use crate::ids::{AccountId, SessionId};
use crate::keys::hmac;
use crate::time::{EventMs, WallMs};

pub(super) const MASTERS: &str =
    "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8,2:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8";

fn keys() -> MasterKeys {
    MasterKeys::parse(MASTERS).expect("test keys parse")
}

fn event(text: &str) -> EventId {
    text.parse().expect("a valid event id")
}

fn place() -> PlaceToken {
    PlaceToken {
        account: AccountId::derive("dev", "ada"),
        shard: 3,
        epoch: 1,
        index: 41,
        joined: WallMs(1_800_000_000_123),
        place: 1_234,
        cohort: 7,
        entrance: Entrance { lane: 2, door: Door::WORK.with(Door::CLAIMS) },
        rev: 5,
        expires: WallMs(1_800_100_000_000),
    }
}

fn access() -> AccessToken {
    AccessToken {
        account: AccountId::derive("dev", "ada"),
        session: SessionId::from_bytes([9; 16]),
        place: 1_234,
        lane: 2,
        rev: 5,
        expires: EventMs(1_800_000_900_000),
    }
}

fn account() -> AccountToken {
    AccountToken {
        account: AccountId::derive("dev", "ada"),
        rehearsal: true,
        claims: Claims::MAIL,
        expires: WallMs(1_800_100_000_000),
    }
}

fn pulse() -> PulseToken {
    PulseToken { beat: 77, expires: WallMs(1_800_000_010_000) }
}

#[test]
fn every_kind_round_trips() {
    let (keys, e) = (keys(), event("demo"));
    assert_eq!(PlaceToken::decode(&place().encode(&keys, &e), &keys, &e), Ok(place()));
    assert_eq!(AccessToken::decode(&access().encode(&keys, &e), &keys, &e), Ok(access()));
    assert_eq!(PulseToken::decode(&pulse().encode(&keys, &e), &keys, &e), Ok(pulse()));
    let desk = DeskToken::issue(WallMs(5));
    assert_eq!(DeskToken::decode(&desk.encode(&keys, &e), &keys, &e), Ok(desk));
    assert_eq!(PulseToken::decode(&desk.encode(&keys, &e), &keys, &e), Err(BadToken), "of another kind");
    let scope = account_scope();
    assert_eq!(AccountToken::decode(&account().encode(&keys, &scope), &keys, &scope), Ok(account()));
}

/// What the door found must not show: the byte differs from the bits, and from fan to fan with the same bits.
#[test]
fn the_doors_byte_cannot_be_read() {
    let (keys, e) = (keys(), event("demo"));
    let byte = |token: PlaceToken| {
        URL_SAFE_NO_PAD.decode(token.encode(&keys, &e)).expect("own tokens are base64url")
            [PlaceToken::MASKED.expect("a masked byte")]
    };
    let marked = |name: &str, door| PlaceToken {
        account: AccountId::derive("dev", name),
        entrance: Entrance { lane: 0, door },
        ..place()
    };
    let all: std::collections::BTreeSet<u8> = (0..200).map(|n| byte(marked(&n.to_string(), Door::SLOWED))).collect();
    assert!(all.len() > 64, "one byte tells nothing: {} values", all.len());
    let token = marked("ada", Door::SLOWED);
    assert_eq!(PlaceToken::decode(&token.encode(&keys, &e), &keys, &e), Ok(token));
}

#[test]
fn token_format_unchanged() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../golden/tokens.json")).expect("golden/tokens.json is JSON");
    let (keys, e) = (keys(), event("demo"));
    let now = [
        ("place", place().encode(&keys, &e)),
        ("access", access().encode(&keys, &e)),
        ("account", account().encode(&keys, &account_scope())),
        ("pulse", pulse().encode(&keys, &e)),
    ];
    for (kind, token) in now {
        assert_eq!(
            golden[kind].as_str(),
            Some(token.as_str()),
            "the {kind} token's bytes changed: fans in line would lose their places and foreign shops could no longer \
             verify tokens. Introduce a new version instead."
        );
    }
}

#[test]
fn truncated_or_longer_tokens_are_refused() {
    let (keys, e) = (keys(), event("demo"));
    let token = place().encode(&keys, &e);
    for len in 0..token.len() {
        assert_eq!(PlaceToken::decode(&token[..len], &keys, &e), Err(BadToken), "cut at {len}");
    }
    for tail in ["A", "AA", "AAAA", "=", "==", " ", "\n"] {
        assert_eq!(PlaceToken::decode(&format!("{token}{tail}"), &keys, &e), Err(BadToken), "tail {tail:?}");
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let (keys, e) = (keys(), event("demo"));
    let bytes = URL_SAFE_NO_PAD.decode(access().encode(&keys, &e)).expect("own tokens are base64url");
    for bit in 0..bytes.len() * 8 {
        let mut odd = bytes.clone();
        odd[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(AccessToken::decode(&URL_SAFE_NO_PAD.encode(&odd), &keys, &e), Err(BadToken), "bit {bit}");
    }
}

#[test]
fn foreign_event_kind_and_key_are_refused() {
    let (keys, e) = (keys(), event("demo"));
    let token = access().encode(&keys, &e);
    assert_eq!(AccessToken::decode(&token, &keys, &event("other")), Err(BadToken));
    assert_eq!(PlaceToken::decode(&token, &keys, &e), Err(BadToken));
    let other = MasterKeys::parse("1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").expect("a good entry");
    assert_eq!(AccessToken::decode(&token, &other, &e), Err(BadToken));
}

#[test]
fn a_well_signed_frame_of_another_version_kind_or_event_is_refused() {
    let (keys, e) = (keys(), event("demo"));
    let bytes = URL_SAFE_NO_PAD.decode(pulse().encode(&keys, &e)).expect("own tokens are base64url");
    for at in [0, 1, 3, 19] {
        let mut odd = bytes.clone();
        odd[at] ^= 1;
        let body = odd.len() - 32;
        let tag = hmac(&keys.signing_key(KeyKind::Pulse, &e), &[&odd[..body]]);
        odd[body..].copy_from_slice(&tag);
        assert_eq!(PulseToken::decode(&URL_SAFE_NO_PAD.encode(&odd), &keys, &e), Err(BadToken), "byte {at}");
    }
}

#[test]
fn rotation_drops_nobody_until_the_old_key_is_retired() {
    let e = event("demo");
    let old = MasterKeys::parse(MASTERS.split(',').next().expect("two entries")).expect("a good entry");
    let second = MASTERS.split(',').nth(1).expect("two entries");
    let both = MasterKeys::parse(&format!("{second},{}", MASTERS.split(',').next().expect("two entries")))
        .expect("good entries");
    let token = place().encode(&old, &e);
    assert_eq!(PlaceToken::decode(&token, &both, &e), Ok(place()));
    assert_ne!(place().encode(&both, &e), token, "the new first key signs");
    let new = MasterKeys::parse(second).expect("a good entry");
    assert_eq!(PlaceToken::decode(&token, &new, &e), Err(BadToken));
}

#[test]
fn expiry_is_exclusive() {
    assert!(place().live(WallMs(1_800_099_999_999)) && !place().live(WallMs(1_800_100_000_000)));
    assert!(access().live(EventMs(1_800_000_899_999)) && !access().live(EventMs(1_800_000_900_000)));
    assert!(account().live(WallMs(0)) && !account().live(WallMs(i64::MAX)));
    let desk = DeskToken::issue(WallMs(5));
    assert!(desk.live(WallMs(30_004)) && !desk.live(WallMs(30_005)));
    assert!(pulse().live(WallMs(0)) && !pulse().live(WallMs(1_800_000_010_000)));
}
