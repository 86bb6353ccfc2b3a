//! A fixed number of bytes written as lower-case hex, the form of hashes, seeds (32 bytes), signatures and keys in published files.

use serde::{Deserialize as _, Deserializer, Serializer};

/// Lower-case hex of `bytes`.
pub fn to_hex<const N: usize>(bytes: &[u8; N]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads exactly two lower-case hex digits a byte.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
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
pub fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&to_hex(bytes))
}

/// For `#[serde(with = "crate::bytes32")]`.
pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[u8; N], D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
    from_hex(&text).ok_or_else(|| serde::de::Error::custom(format!("expected {} lower-case hex digits", 2 * N)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_and_refuses_the_rest() {
        let bytes: [u8; 32] = std::array::from_fn(|i| i as u8 * 8);
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        for bad in ["", "00", &"0".repeat(63), &"0".repeat(65), &"G".repeat(64), &"A".repeat(64)] {
            assert_eq!(from_hex::<32>(bad), None, "{bad:?}");
        }
    }
}
