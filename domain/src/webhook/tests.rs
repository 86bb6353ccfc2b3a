//! The protocol of events as tables.

use super::*;
use crate::items::{InboxItem, key};
use crate::plan::memory::World;
use crate::plan::{Item, Value};
use crate::time::WallMs;

const NEW: &str = "whsec_test_0123456789abcdef";
const OLD: &str = "whsec_old_0123456789abcdef";
const AT_S: i64 = 1_800_000_000;
const ORDER: &str = "AAAAAAAAAAAAAAAAAAAAAA";
const BODY: &str = r#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","metadata":{"order":"AAAAAAAAAAAAAAAAAAAAAA"}}}}"#;
/// Both made with `openssl dgst -sha256 -hmac SECRET` over `1800000000.BODY`.
const BY_NEW: &str = "cffeb99976a4bccf4484716110128b7696e7a7d74280e466f99d87d741d2fec8";
const BY_OLD: &str = "e9800375f61a8755310dcf9842c45cc237719f4a114307a3db2d1c1c8d4107b5";

fn secrets(text: &str) -> Secrets {
    Secrets::parse(text).expect("good secrets")
}

fn at(seconds: i64) -> WallMs {
    WallMs(seconds * 1_000)
}

fn header(parts: &[&str]) -> String {
    std::iter::once("t=1800000000").chain(parts.iter().copied()).collect::<Vec<_>>().join(",")
}

#[test]
fn any_signature_by_any_secret_will_do() {
    let (new, old) = (format!("v1={BY_NEW}"), format!("v1={BY_OLD}"));
    let both = format!("{NEW},{OLD}");
    let table = [
        (vec![&*new], NEW, Ok(())),
        (vec![&*old, &*new], NEW, Ok(())),
        (vec![&*old], &*both, Ok(())),
        (vec!["v0=00", &*new, "v2=x"], NEW, Ok(())),
        (vec![&*old], NEW, Err(BadSignature::Forged)),
        (vec!["v1=00", "v1=zz"], NEW, Err(BadSignature::Shape)),
        (vec!["v0=cffeb99976a4bccf4484716110128b7696e7a7d74280e466f99d87d741d2fec8"], NEW, Err(BadSignature::Shape)),
        (vec![], NEW, Err(BadSignature::Shape)),
    ];
    for (parts, secret, expect) in table {
        assert_eq!(verify(&header(&parts), BODY.as_bytes(), &secrets(secret), at(AT_S)), expect, "{parts:?} {secret}");
    }
    for odd in ["", "v1=", &new, "t=,v1=", &format!("t=x,{new}"), "t=1800000000"] {
        assert_eq!(verify(odd, BODY.as_bytes(), &secrets(NEW), at(AT_S)), Err(BadSignature::Shape), "{odd}");
    }
}

#[test]
fn every_byte_and_the_time_are_signed() {
    let header = header(&[&format!("v1={BY_NEW}")]);
    let verify = |header: &str, body: &[u8]| verify(header, body, &secrets(NEW), at(AT_S));
    for cut in 0..BODY.len() {
        assert_eq!(verify(&header, &BODY.as_bytes()[..cut]), Err(BadSignature::Forged), "cut at {cut}");
        let mut changed = BODY.as_bytes().to_vec();
        changed[cut] ^= 1;
        assert_eq!(verify(&header, &changed), Err(BadSignature::Forged), "changed at {cut}");
    }
    assert_eq!(verify(&header.replace("t=1800000000", "t=1800000001"), BODY.as_bytes()), Err(BadSignature::Forged));
}

#[test]
fn an_old_signature_is_a_copy() {
    let header = header(&[&format!("v1={BY_NEW}")]);
    let table =
        [(0, Ok(())), (300, Ok(())), (301, Err(BadSignature::Stale)), (-300, Ok(())), (-301, Err(BadSignature::Stale))];
    for (later, expect) in table {
        assert_eq!(verify(&header, BODY.as_bytes(), &secrets(NEW), at(AT_S + later)), expect, "{later} s later");
    }
}

#[test]
fn what_is_signed_here_is_signed_as_the_provider_does() {
    let both = secrets(&format!("{NEW},{OLD}"));
    assert_eq!(sign(BODY.as_bytes(), &both, at(AT_S)), header(&[&format!("v1={BY_NEW}"), &format!("v1={BY_OLD}")]));
}

#[test]
fn secrets_are_one_or_two_and_never_shown() {
    let three = format!("{NEW},{OLD},{NEW}");
    for (text, expect) in [("", BadSecrets::Number), (" ", BadSecrets::Number), (&three, BadSecrets::Number)] {
        assert_eq!(Secrets::parse(text), Err(expect), "{text}");
    }
    for text in ["whsec_", "sk_test_0123456789abcdef", "whsec_short", "whsec_0123456789 abcdef", &format!("{NEW},")] {
        assert_eq!(Secrets::parse(text), Err(BadSecrets::Shape), "{text}");
    }
    assert_eq!(format!("{:?}", secrets(&format!("{NEW}, {OLD}"))), "Secrets(2)");
}

fn event(kind: &str, object: &str) -> String {
    format!(r#"{{"id":"evt_1","type":"{kind}","data":{{"object":{object}}}}}"#)
}

#[test]
fn an_event_tells_whose_order_it_is_about() {
    let ours = format!(r#"{{"metadata":{{"order":"{ORDER}"}}}}"#);
    let hint = |kind: &str| {
        Ok(Said::Of(Hint { event: "evt_1".into(), kind: kind.into(), order: ORDER.parse().expect("an id") }))
    };
    let table = [
        (event("payment_intent.succeeded", &ours), hint("payment_intent.succeeded")),
        (event("payment_intent.not_known_yet", &ours), hint("payment_intent.not_known_yet")),
        (event("charge.expired", &ours), hint("charge.expired")),
        (event("refund.created", &ours), hint("refund.created")),
        (event("payment_intent.created", &ours), Ok(Said::Nothing)),
        (event("customer.created", &ours), Ok(Said::Nothing)),
        (event("charge.succeeded", "{}"), Ok(Said::Nothing)),
        (event("charge.succeeded", r#"{"metadata":null}"#), Ok(Said::Nothing)),
        (event("charge.succeeded", r#"{"metadata":{"order":"of another shop"}}"#), Ok(Said::Nothing)),
        (event("payment_intent.succeeded", &ours).replace("evt_1", "evt_#"), Err(Unreadable)),
        (event("payment_intent.succeeded", &ours).replace("evt_1", "pi_1"), Err(Unreadable)),
        (event("payment_intent succeeded", &ours), Err(Unreadable)),
        (r#"{"id":"evt_1","type":"payment_intent.succeeded"}"#.to_owned(), Err(Unreadable)),
        (String::new(), Err(Unreadable)),
        ("[]".to_owned(), Err(Unreadable)),
    ];
    for (body, said) in table {
        assert_eq!(read(body.as_bytes()), said, "{body}");
    }
}

#[test]
fn a_hint_is_kept_once_beside_its_order_and_counts_up() {
    let order = ORDER.parse().expect("an id");
    let hint = Hint { event: "evt_1".into(), kind: "charge.expired".into(), order };
    let keep = |wall| Keep { hint: hint.clone(), wall: WallMs(wall) };
    let mut world = World::new();
    assert_eq!(world.decide(keep(1)), Err(NoOrder));
    assert_eq!(world.items().count(), 0, "nothing is kept for an order that is not there");
    let k = key::order(&order);
    world.put(Item::from([("pk".to_owned(), Value::S(k.pk)), ("sk".to_owned(), Value::S(k.sk))]));
    for wall in [2, 3] {
        world.decide(keep(wall)).expect("kept");
    }
    let item = InboxItem::from_item(world.get(&key::inbox(&order, "evt_1")).expect("kept")).expect("readable");
    assert_eq!(
        item,
        InboxItem { order, event: "evt_1".into(), kind: "charge.expired".into(), times: 2, wall: WallMs(3) }
    );
}
