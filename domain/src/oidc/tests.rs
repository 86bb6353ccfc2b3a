//! Tables of refusals. Signatures are the caller's; these tokens have none that is real.

use super::*;
use crate::ids::AccountId;
use crate::time::WallMs;
use crate::token::Claims;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

const NOW: WallMs = WallMs(1_800_000_000_000);
const EXPECTED: Expected<'_> = Expected { issuer: "https://id.example", client: "onsale", nonce: "n-1" };

fn token(header: Value, claims: Value) -> String {
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{}", part(header), part(claims), URL_SAFE_NO_PAD.encode([7; 64]))
}

fn good() -> Value {
    json!({ "iss": "https://id.example", "sub": "ada", "aud": "onsale", "nonce": "n-1",
        "exp": 1_800_000_300, "iat": 1_799_999_990, "email_verified": true, "phone_number_verified": "true" })
}

fn with(changes: Value) -> Value {
    let mut claims = good();
    for (name, value) in changes.as_object().expect("an object") {
        claims[name] = value.clone();
    }
    claims
}

fn judged(claims: Value) -> Result<Identity, BadIdToken> {
    let text = token(json!({ "alg": "RS256", "kid": "1" }), claims);
    check(&SignedToken::parse(&text)?, &EXPECTED, NOW)
}

#[test]
fn a_good_token_names_the_account_of_issuer_and_subject() {
    let account = AccountId::derive("https://id.example", "ada");
    assert_eq!(judged(good()), Ok(Identity { account, claims: Claims::MAIL }), "only `true` itself vouches");
    for fine in [
        json!({ "aud": ["onsale"] }),
        json!({ "aud": ["shop", "onsale"], "azp": "onsale" }),
        json!({ "exp": 1_799_999_941, "iat": 1_799_999_400 }),
        json!({ "iat": 1_800_000_059, "nbf": 1_800_000_060.0 }),
    ] {
        assert!(judged(with(fine.clone())).is_ok(), "{fine}");
    }
}

#[test]
fn what_a_provider_vouches_for_becomes_claims() {
    let days = |days: i64| json!(NOW.0 / 1_000 - days * 86_400);
    for (said, want) in [
        (json!({ "card_verified": true }), Claims::CARD),
        (json!({ "deposit_paid": true }), Claims::DEPOSIT),
        (json!({ "card_verified": "true", "deposit_paid": 1 }), Claims::NONE),
        (json!({ "account_created_at": days(30) }), Claims::AGED_30_DAYS),
        (json!({ "account_created_at": days(29) }), Claims::NONE),
        (json!({ "account_created_at": days(365) }), Claims::AGED_30_DAYS.with(Claims::AGED_365_DAYS)),
        (json!({ "account_created_at": days(-1) }), Claims::NONE),
        (json!({ "account_created_at": "long ago" }), Claims::NONE),
    ] {
        let claims = judged(with(said.clone())).map(|identity| identity.claims);
        assert_eq!(claims, Ok(Claims::MAIL.with(want)), "{said}");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let table = [
        (json!({ "iss": "https://id.example/" }), BadIdToken::Issuer),
        (json!({ "aud": "shop" }), BadIdToken::Audience),
        (json!({ "aud": [] }), BadIdToken::Audience),
        (json!({ "aud": ["onsale", "shop"] }), BadIdToken::Audience),
        (json!({ "azp": "shop" }), BadIdToken::Audience),
        (json!({ "nonce": "n-2" }), BadIdToken::Nonce),
        (json!({ "nonce": null }), BadIdToken::Nonce),
        (json!({ "exp": 1_799_999_940 }), BadIdToken::Expired),
        (json!({ "exp": -1.0e300 }), BadIdToken::Expired),
        (json!({ "iat": 1_800_000_061 }), BadIdToken::NotYet),
        (json!({ "nbf": 1.0e300 }), BadIdToken::NotYet),
        (json!({ "iat": 1_799_999_339 }), BadIdToken::TooOld),
        (json!({ "iat": -1.0e300 }), BadIdToken::TooOld),
        (json!({ "sub": "" }), BadIdToken::Subject),
        (json!({ "sub": null }), BadIdToken::Form),
        (json!({ "exp": "soon" }), BadIdToken::Form),
    ];
    for (change, want) in table {
        assert_eq!(judged(with(change.clone())), Err(want), "{change}");
    }
}

/// The example of RFC 7636, appendix B.
#[test]
fn the_challenge_is_that_of_the_standard() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    assert_eq!(challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

#[test]
fn only_two_algorithms_exist() {
    for (header, want) in [
        (json!({ "alg": "none" }), BadIdToken::Algorithm),
        (json!({ "alg": "HS256", "kid": "1" }), BadIdToken::Algorithm),
        (json!({ "alg": "RS512" }), BadIdToken::Algorithm),
        (json!({ "alg": "rs256" }), BadIdToken::Algorithm),
        (json!({ "alg": "RS256", "crit": ["exp"] }), BadIdToken::Form),
        (json!({ "alg": "RS256", "typ": "at+jwt" }), BadIdToken::Form),
        (json!({ "kid": "1" }), BadIdToken::Form),
    ] {
        assert_eq!(SignedToken::parse(&token(header.clone(), good())).err(), Some(want), "{header}");
    }
    let text = token(json!({ "alg": "ES256", "typ": "jwt" }), good());
    for odd in
        ["", "a", "a.b", "..", &text[..text.rfind('.').expect("a dot")], &format!("{text}.x"), &format!("{text}=")]
    {
        assert_eq!(SignedToken::parse(odd).err(), Some(BadIdToken::Form), "{odd}");
    }
    assert_eq!(SignedToken::parse(&"a".repeat(20_000)).err(), Some(BadIdToken::Form));
}

#[test]
fn the_key_is_the_one_named_of_the_right_kind_and_length() {
    let n = "n".repeat(342);
    let rsa = json!({ "kty": "RSA", "kid": "1", "use": "sig", "n": n, "e": "AQAB", "d": "secret" });
    let ec = json!({ "kty": "EC", "kid": "2", "crv": "P-256", "x": "x", "y": "y" });
    let set = json!({ "keys": [rsa, ec, { "kty": "oct", "kid": "3", "k": "a" }, { "kty": "RSA", "kid": "4", "n": "short", "e": "AQAB" },
        { "kty": "RSA", "kid": "5", "use": "enc", "n": n, "e": "AQAB" }, { "kty": "EC", "kid": "6", "crv": "P-384", "x": "x", "y": "y" },
        { "kty": "RSA", "kid": "7", "alg": "PS256", "n": n, "e": "AQAB" }] });
    let key = |header: Value| {
        let text = token(header, good());
        SignedToken::parse(&text).and_then(|token| token.key(&set))
    };
    let plain = json!({ "kty": "RSA", "n": n, "e": "AQAB" });
    assert_eq!(key(json!({ "alg": "RS256", "kid": "1" })), Ok(plain.clone()));
    assert_eq!(key(json!({ "alg": "RS256" })), Ok(plain), "the only one that fits");
    assert!(key(json!({ "alg": "ES256", "kid": "2" })).is_ok());
    for (alg, kid) in [
        ("ES256", "1"),
        ("RS256", "2"),
        ("RS256", "3"),
        ("RS256", "4"),
        ("RS256", "5"),
        ("ES256", "6"),
        ("RS256", "7"),
        ("RS256", "8"),
    ] {
        assert_eq!(key(json!({ "alg": alg, "kid": kid })), Err(BadIdToken::UnknownKey), "{alg} {kid}");
    }
    assert!(SignedToken::parse(&token(json!({ "alg": "RS256" }), good())).expect("a token").key(&json!(7)).is_err());
}
