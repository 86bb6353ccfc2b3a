//! 32 bytes written as 64 lower-case hex digits, the form of hashes and seeds in published files.

use serde::{Deserialize as _, Deserializer, Serializer};

/// Lower-case hex of `bytes`.
pub fn to_hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads exactly 64 lower-case hex digits.
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

/// For `#[serde(with = "crate::bytes32")]`.
pub fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&to_hex(bytes))
}

/// For `#[serde(with = "crate::bytes32")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
    from_hex(&text).ok_or_else(|| serde::de::Error::custom("expected 64 lower-case hex digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_and_refuses_the_rest() {
        let bytes: [u8; 32] = std::array::from_fn(|i| i as u8 * 8);
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        for bad in ["", "00", &"0".repeat(63), &"0".repeat(65), &"G".repeat(64), &"A".repeat(64)] {
            assert_eq!(from_hex(bad), None, "{bad:?}");
        }
    }
}
