//! A token's parts, and the key that must have signed it.

use super::BadIdToken;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Value, json};

/// Longest token, in bytes.
const MAX_LEN: usize = 16 * 1024;
/// Fewest characters of an RSA modulus: 2048 bits in base64url.
const MODULUS_MIN: usize = 342;

/// How a token is signed. There are no others: an algorithm is never taken from the token alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alg {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// ECDSA on P-256 with SHA-256; the signature is `r ‖ s`.
    Es256,
}

/// A token taken apart; nothing in it is checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedToken<'a> {
    /// How it says it is signed.
    pub alg: Alg,
    /// Which key it names.
    kid: Option<String>,
    /// The bytes under the signature.
    pub signed: &'a [u8],
    /// The signature.
    pub signature: Vec<u8>,
    claims: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

impl<'a> SignedToken<'a> {
    /// Takes a token apart. Ladder: length, three parts, header, algorithm, the rest.
    pub fn parse(text: &'a str) -> Result<Self, BadIdToken> {
        let parts: Vec<&str> = if text.len() > MAX_LEN { Vec::new() } else { text.split('.').collect() };
        let &[header, claims, signature] = parts.as_slice() else { return Err(BadIdToken::Form) };
        let bytes = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| BadIdToken::Form);
        let header: Header = serde_json::from_slice(&bytes(header)?).map_err(|_| BadIdToken::Form)?;
        let is_jwt = header.typ.is_none_or(|typ| typ.eq_ignore_ascii_case("JWT"));
        if header.crit.is_some() || !is_jwt {
            return Err(BadIdToken::Form);
        }
        let alg = match header.alg.as_str() {
            "RS256" => Alg::Rs256,
            "ES256" => Alg::Es256,
            _ => return Err(BadIdToken::Algorithm),
        };
        let signed = text.len() - signature.len() - 1;
        Ok(Self {
            alg,
            kid: header.kid,
            signed: &text.as_bytes()[..signed],
            signature: bytes(signature)?,
            claims: bytes(claims)?,
        })
    }

    /// The key of a JWK set (RFC 7517) that must have signed this token, with the parts that make it and nothing else: the
    /// one it names, or the only one if it names none; for signatures, of this algorithm, and long enough.
    pub fn key(&self, set: &Value) -> Result<Value, BadIdToken> {
        let keys = set["keys"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut fit = keys.iter().filter(|key| self.names(key)).filter_map(|key| self.plain(key));
        match (fit.next(), fit.next()) {
            (Some(key), None) => Ok(key),
            _ => Err(BadIdToken::UnknownKey),
        }
    }

    fn names(&self, key: &Value) -> bool {
        self.kid.is_none() || key["kid"].as_str() == self.kid.as_deref()
    }

    fn plain(&self, key: &Value) -> Option<Value> {
        let says = |member: &str, word: &str| key[member].is_null() || key[member] == word;
        let text = |member: &str| key[member].as_str();
        match (self.alg, text("kty")?) {
            _ if !says("use", "sig") => None,
            (Alg::Rs256, "RSA") if says("alg", "RS256") => {
                let n = text("n").filter(|n| n.len() >= MODULUS_MIN)?;
                Some(json!({ "kty": "RSA", "n": n, "e": text("e")? }))
            }
            (Alg::Es256, "EC") if says("alg", "ES256") && key["crv"] == "P-256" => {
                Some(json!({ "kty": "EC", "crv": "P-256", "x": text("x")?, "y": text("y")? }))
            }
            _ => None,
        }
    }

    /// The claims as JSON. They count only once the signature was checked.
    pub(super) fn claims<T: for<'de> Deserialize<'de>>(&self) -> Result<T, BadIdToken> {
        serde_json::from_slice(&self.claims).map_err(|_| BadIdToken::Form)
    }
}
