//! A real round of drand's quicknet, arithmetic of rounds, and answers that lie.

use super::*;

/// Quicknet of the League of Entropy, as its public `/info` says.
fn quicknet() -> Chain {
    let json = r#"{"chain":"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "public_key":"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        "genesis_s":1692803367,"period_s":3,"scheme":"bls-unchained-g1-rfc9380"}"#;
    serde_json::from_str(json).expect("a chain")
}

/// Round 123 as it was published.
const SIGNATURE: &str =
    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";

fn round_123() -> Round {
    Round { round: 123, signature: bytes32::from_hex(SIGNATURE).expect("48 bytes") }
}

fn answer(round: u64, randomness: &[u8; 32], signature: &str) -> Vec<u8> {
    let randomness = bytes32::to_hex(randomness);
    format!(r#"{{"round":{round},"randomness":"{randomness}","signature":"{signature}"}}"#).into_bytes()
}

#[test]
fn a_real_round_verifies_and_no_other_does() {
    let (chain, round) = (quicknet(), round_123());
    assert!(chain.is_sound() && chain.is_signed(&round));
    assert!(!chain.is_signed(&Round { round: 124, ..round }));
    let mut odd = round;
    odd.signature[47] ^= 1;
    assert!(!chain.is_signed(&odd));
    let secret = [7; 64];
    let foreign = Chain { public_key: public_key(&secret), ..quicknet() };
    assert!(!foreign.is_signed(&round), "another key");
    assert!(foreign.is_signed(&Round { round: 123, signature: sign(&secret, 123) }));
}

#[test]
fn rounds_follow_from_time() {
    let chain = quicknet();
    let genesis = WallMs(1_692_803_367_000);
    assert_eq!(chain.time_of(1), genesis);
    assert_eq!(chain.time_of(123), genesis.plus(366_000));
    let cases = [(-5_000, 1), (0, 1), (1, 2), (2_999, 2), (3_000, 2), (3_001, 3)];
    for (after_ms, round) in cases {
        assert_eq!(chain.first_round_at(genesis.plus(after_ms)), round, "{after_ms} ms after genesis");
    }
    for sealed in (0..20_000).step_by(777).map(|ms| genesis.plus(ms)) {
        let wait_ms = chain.time_of(chain.round_for(sealed)).since(sealed);
        assert!((LEAD_MS..LEAD_MS + 3_000).contains(&wait_ms), "{wait_ms}");
    }
}

#[test]
fn an_answer_is_taken_only_if_all_of_it_is_true() {
    let (chain, random) = (quicknet(), round_123().randomness());
    assert_eq!(chain.read(123, &answer(123, &random, SIGNATURE)), Ok(round_123()));
    let other = bytes32::to_hex(&sign(&[7; 64], 123));
    let others_random = Sha256::digest(sign(&[7; 64], 123)).into();
    let cases = [
        (answer(124, &random, SIGNATURE), BeaconFault::Round),
        (answer(123, &[0; 32], SIGNATURE), BeaconFault::Randomness),
        (answer(123, &others_random, &other), BeaconFault::Signature),
        (answer(123, &random, "00"), BeaconFault::Form),
        (b"{}".to_vec(), BeaconFault::Form),
        (b"<html>".to_vec(), BeaconFault::Form),
    ];
    for (at, (bytes, fault)) in cases.into_iter().enumerate() {
        assert_eq!(chain.read(123, &bytes), Err(fault), "case {at}");
    }
}

#[test]
fn nonsense_is_no_chain() {
    let identity = {
        let mut bytes = [0; 96];
        bytes[0] = 0xc0;
        bytes
    };
    let odd = [
        Chain { scheme: "pedersen-bls-chained".into(), ..quicknet() },
        Chain { period_s: 0, ..quicknet() },
        Chain { public_key: [0; 96], ..quicknet() },
        Chain { public_key: identity, ..quicknet() },
    ];
    assert!(odd.iter().all(|chain| !chain.is_sound()));
}
