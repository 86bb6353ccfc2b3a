//! Tokens: a text is accepted as a kind for an event if and only if it was issued as that.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::ids::{AccountId, EventId, SessionId};
use domain::keys::{KeyKind, MasterKeys, hmac};
use domain::time::{EventMs, WallMs};
use domain::token::{AccessToken, AccountToken, Claims, Door, Entrance, PlaceToken, PulseToken, Token};

use super::dice::Dice;
use super::{hunt, mutate};

const CASES: u64 = 1_000_000;
/// Two live masters, and a third under an id of the first two that was never live here.
const LIVE: &str = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8,2:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8";
const STRANGE: &str = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const RETIRED: &str = "3:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
const EVENTS: [&str; 2] = ["demo", "stadium-night"];
const KINDS: [KeyKind; 4] = [KeyKind::Place, KeyKind::Access, KeyKind::Account, KeyKind::Pulse];

fn keys(text: &str) -> MasterKeys {
    MasterKeys::parse(text).expect("good keys")
}

fn event(text: &str) -> EventId {
    text.parse().expect("a good id")
}

/// One token of each kind for an event, in the order of `KINDS`.
fn minted(keys: &MasterKeys, event: &EventId, n: u64) -> [String; 4] {
    let (account, rev) = (AccountId::derive("fuzz", &n.to_string()), n as u32 % 3);
    let entrance = Entrance { lane: n as u8 % 4, door: Door::from_bits(n as u8 % 32).expect("known bits") };
    let (joined, expires) = (WallMs(1_800_000_000_000), WallMs(1_800_100_000_000));
    let place =
        PlaceToken { account, shard: 3, epoch: 1, index: n, joined, place: n, cohort: 7, entrance, rev, expires };
    let session = SessionId::from_bytes([n as u8; 16]);
    let access = AccessToken { account, session, place: n, lane: 0, rev, expires: EventMs(1_800_000_900_000) };
    let account = AccountToken { account, rehearsal: n.is_multiple_of(2), claims: Claims::MAIL, expires };
    let pulse = PulseToken { beat: n, expires };
    [place.encode(keys, event), access.encode(keys, event), account.encode(keys, event), pulse.encode(keys, event)]
}

/// What was issued, and beside it good frames that were not issued here.
struct World {
    live: MasterKeys,
    events: [EventId; 2],
    /// (position in `KINDS`, position in `EVENTS`, text)
    issued: HashSet<(usize, usize, String)>,
    frames: Vec<Vec<u8>>,
}

impl World {
    fn new() -> Self {
        let (live, events) = (keys(LIVE), EVENTS.map(event));
        let swapped = LIVE.split_once(',').map(|(a, b)| format!("{b},{a}")).expect("two keys");
        let (mut issued, mut texts) = (HashSet::new(), Vec::new());
        for (at, event) in events.iter().enumerate() {
            for signer in [&live, &keys(&swapped)] {
                for (kind, text) in (0..8).flat_map(|n| minted(signer, event, n).into_iter().enumerate()) {
                    texts.push(text.clone());
                    issued.insert((kind, at, text));
                }
            }
            for signer in [keys(STRANGE), keys(RETIRED)] {
                texts.extend((0..2).flat_map(|n| minted(&signer, event, n)));
            }
        }
        let frames = texts.iter().map(|text| URL_SAFE_NO_PAD.decode(text).expect("own tokens are base64url")).collect();
        Self { live, events, issued, frames }
    }

    /// A text to try: noise, or a good frame that was spoiled as bytes, signed anew under a wrong key, or spoiled as text.
    fn text(&self, dice: &mut Dice) -> Vec<u8> {
        let frame = dice.pick(&self.frames).clone();
        match dice.below(6) {
            0 => {
                let len = dice.below(200);
                URL_SAFE_NO_PAD.encode(dice.bytes(len)).into_bytes()
            }
            1 => {
                let len = dice.below(200);
                dice.bytes(len)
            }
            2 => URL_SAFE_NO_PAD.encode(self.signed_wrongly(dice, frame)).into_bytes(),
            3 => {
                let others: Vec<Vec<u8>> =
                    (0..2).map(|_| URL_SAFE_NO_PAD.encode(dice.pick(&self.frames)).into_bytes()).collect();
                mutate::spoil(dice, URL_SAFE_NO_PAD.encode(frame).as_bytes(), &others)
            }
            4 => written_oddly(dice, &frame),
            _ => URL_SAFE_NO_PAD.encode(mutate::spoil(dice, &frame, &self.frames)).into_bytes(),
        }
    }

    /// A frame with a good tag under a key of another kind, event or master.
    fn signed_wrongly(&self, dice: &mut Dice, frame: Vec<u8>) -> Vec<u8> {
        let mut frame = if dice.below(2) == 0 { frame } else { mutate::spoil(dice, &frame, &self.frames) };
        let body = frame.len().saturating_sub(32);
        let right = frame.get(1).map_or(0, |kind| usize::from(*kind).wrapping_sub(1));
        let wrong: Vec<KeyKind> = (0..4).filter(|kind| *kind != right).map(|kind| KINDS[kind]).collect();
        let key = match dice.below(2) {
            0 => self.live.signing_key(*dice.pick(&wrong), dice.pick(&self.events)),
            _ => keys(STRANGE).signing_key(*dice.pick(&KINDS), dice.pick(&self.events)),
        };
        let tag = hmac(&key, &[&frame[..body]]);
        frame.truncate(body);
        frame.extend(tag);
        frame
    }

    /// What is wrong with the answer of `decoder`, if anything.
    fn judge(&self, decoder: impl Fn(usize, &str, &EventId) -> bool, text: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(text);
        let all = (0..4).flat_map(|kind| (0..2).map(move |event| (kind, event)));
        let mut wrong = all.filter(|(kind, event)| {
            decoder(*kind, &text, &self.events[*event]) != self.issued.contains(&(*kind, *event, text.clone().into()))
        });
        wrong.next().map(|(kind, event)| format!("{:?} for {}", KINDS[kind], EVENTS[event]))
    }

    fn accepts(&self, kind: usize, text: &str, event: &EventId) -> bool {
        match kind {
            0 => PlaceToken::decode(text, &self.live, event).is_ok(),
            1 => AccessToken::decode(text, &self.live, event).is_ok(),
            2 => AccountToken::decode(text, &self.live, event).is_ok(),
            _ => PulseToken::decode(text, &self.live, event).is_ok(),
        }
    }
}

/// The same bytes in another alphabet, with padding, blanks, or bits set after the last byte.
fn written_oddly(dice: &mut Dice, frame: &[u8]) -> Vec<u8> {
    let mut text = URL_SAFE_NO_PAD.encode(frame).into_bytes();
    match dice.below(4) {
        0 => STANDARD.encode(frame).into_bytes(),
        1 => [text, b"=".to_vec()].concat(),
        2 => {
            let at = dice.below(text.len() + 1);
            text.insert(at, *dice.pick(b" \n\t\0%"));
            text
        }
        _ => {
            let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            let last = text.pop().and_then(|c| alphabet.iter().position(|a| *a == c)).expect("a character of ours");
            text.push(alphabet[(last + 1 + dice.below(3)) % 64]);
            text
        }
    }
}

#[test]
fn nothing_is_accepted_that_was_not_issued() {
    let world = World::new();
    assert!(world.issued.iter().all(|(kind, at, text)| world.accepts(*kind, text, &world.events[*at])));
    let wrong = |text: &[u8]| world.judge(|kind, text, event| world.accepts(kind, text, event), text);
    assert_eq!(hunt(CASES, |dice| world.text(dice), wrong), None);
}

/// The twins: readers that lack one check each, and are found out.
#[test]
fn a_reader_without_one_of_its_checks_is_found_out() {
    let world = World::new();
    let canonical = |text: &str| {
        let plain = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
        plain.split_whitespace().collect::<String>()
    };
    let longer = |text: &str| text.get(..text.len().min(154)).map(str::to_owned).unwrap_or_default();
    let stranger = keys(&format!("{STRANGE},{RETIRED}"));
    let spelling = |kind, text: &str, event: &EventId| world.accepts(kind, &canonical(text), event);
    let length = |kind, text: &str, event: &EventId| world.accepts(kind, &longer(text), event);
    let master = |kind: usize, text: &str, event: &EventId| {
        world.accepts(kind, text, event) || (kind == 0 && PlaceToken::decode(text, &stranger, event).is_ok())
    };
    let found = [
        hunt(CASES, |dice| world.text(dice), |text| world.judge(spelling, text)),
        hunt(CASES, |dice| world.text(dice), |text| world.judge(length, text)),
        hunt(CASES, |dice| world.text(dice), |text| world.judge(master, text)),
    ];
    assert!(found.iter().all(Option::is_some), "{found:?}");
}
