//! Files that travel in the open: status, draw, ticket, and the list of keys.

use domain::draw::DrawFile;
use domain::keys::MasterKeys;
use domain::oidc::{Expected, SignedToken, check};
use domain::status::{Status, public_key};
use domain::ticket::{TicketContent, public_key as ticket_key};
use domain::time::WallMs;

use super::{hunt, mutate};

/// Checking a signature takes milliseconds without optimisation; reading alone takes microseconds.
const SIGNED_CASES: u64 = 300;
const CASES: u64 = 20_000;
const SEED: [u8; 32] = [7; 32];

/// A member of a golden file.
fn golden(file: &str, member: &str) -> Vec<u8> {
    let golden: serde_json::Value = serde_json::from_str(file).expect("golden files are JSON");
    golden[member].as_str().expect("the member is a text").as_bytes().to_vec()
}

fn status() -> Vec<u8> {
    let file = golden(include_str!("../../golden/status.json"), "file");
    Status::parse_unverified(&file).expect("the golden status").sign(&SEED).expect("it is short enough")
}

#[test]
fn a_status_that_was_not_signed_is_refused() {
    let (good, key) = (status(), public_key(&SEED));
    assert!(Status::verify(&good, &key).is_ok());
    let spoilt = |dice: &mut super::dice::Dice| mutate::spoil(dice, &good, std::slice::from_ref(&good));
    let accepted = |bytes: &[u8]| (bytes != good && Status::verify(bytes, &key).is_ok()).then(|| "accepted".into());
    assert_eq!(hunt(SIGNED_CASES, spoilt, accepted), None);
    let read = |bytes: &[u8]| {
        drop(Status::parse_unverified(bytes));
        None
    };
    assert_eq!(hunt(CASES, spoilt, read), None);
}

#[test]
fn a_draw_file_that_was_changed_does_not_verify() {
    let good = golden(include_str!("../../golden/draw.json"), "file");
    let file = DrawFile::parse(&good).expect("the golden draw");
    let secret = [9; 32];
    assert_eq!(file.verify(&secret), Ok(()));
    let spoilt = |dice: &mut super::dice::Dice| mutate::spoil(dice, &good, std::slice::from_ref(&good));
    let accepted = |bytes: &[u8]| {
        let read = DrawFile::parse(bytes).ok()?;
        for cut in &read.cuts {
            read.place_of(cut.shard, cut.epoch, cut.from);
        }
        // What the seed follows from. The rest is compared by whoever recomputes a whole on-sale.
        let under_seed = |file: &DrawFile| {
            let roots: Vec<_> = file.cuts.iter().map(|cut| cut.root).collect();
            (file.k, file.n, roots, file.seed, file.commitment, file.beacon)
        };
        (under_seed(&read) != under_seed(&file) && read.verify(&secret).is_ok()).then(|| "verified".into())
    };
    assert_eq!(hunt(CASES, spoilt, accepted), None);
}

#[test]
fn a_ticket_that_was_changed_does_not_open_a_gate() {
    let good = include_str!("../../golden/ticket.txt").trim().as_bytes().to_vec();
    let verify = |bytes: &[u8]| {
        TicketContent::verify(&String::from_utf8_lossy(bytes), |id| (id == 1).then(|| ticket_key(&SEED)))
    };
    assert!(verify(&good).is_ok());
    let spoilt = |dice: &mut super::dice::Dice| mutate::spoil(dice, &good, std::slice::from_ref(&good));
    let accepted = |bytes: &[u8]| (bytes != good && verify(bytes).is_ok()).then(|| "accepted".into());
    assert_eq!(hunt(SIGNED_CASES, spoilt, accepted), None);
}

#[test]
fn an_id_token_is_read_or_refused() {
    let good = b"eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJhIn0.c2lnbmF0dXJl".to_vec();
    let keys = serde_json::json!({ "keys": [{ "kty": "RSA", "kid": "1", "n": "n".repeat(342), "e": "AQAB" }] });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(SignedToken::parse(&text(&good)).is_ok_and(|token| token.key(&keys).is_ok()));
    let spoilt = |dice: &mut super::dice::Dice| mutate::spoil(dice, &good, std::slice::from_ref(&good));
    let odd = |bytes: &[u8]| {
        let text = text(bytes);
        let token = SignedToken::parse(&text).ok()?;
        let expected = Expected { issuer: "a", client: "b", nonce: "c" };
        (!text.as_bytes().starts_with(token.signed) || check(&token, &expected, WallMs(0)).is_ok())
            .then(|| "read".into())
    };
    assert_eq!(hunt(CASES, spoilt, odd), None);
}

#[test]
fn a_list_of_keys_is_read_or_refused() {
    let good = b"1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8,2:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8".to_vec();
    let spoilt = |dice: &mut super::dice::Dice| mutate::spoil(dice, &good, std::slice::from_ref(&good));
    let odd = |bytes: &[u8]| {
        let keys = MasterKeys::parse(&String::from_utf8_lossy(bytes)).ok()?;
        (keys.signing_id() == 0 || keys.ids().count() == 0).then(|| "keys without an id".into())
    };
    assert_eq!(hunt(CASES, spoilt, odd), None);
}
