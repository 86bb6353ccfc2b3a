//! Names of things: newtypes that are checked once, where text enters the system.
//!
//! Two families. *Word* ids are chosen by people (events, seats, sections); *byte* ids are 16 bytes derived by hashing and
//! written as 22 characters of base64url. Every id displays, parses and serialises as the same string.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Text that is not an id of the wanted kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind} id")]
pub struct BadId {
    /// Which kind of id was wanted, for example `event`.
    pub kind: &'static str,
}

/// Implements the string forms shared by all ids; needs `parse_text(&str) -> Option<Self>` and `to_text(&self) -> String`.
macro_rules! text_forms {
    ($name:ident, $kind:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.to_text())
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.to_text())
            }
        }
        impl std::str::FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                Self::parse_text(text).ok_or(BadId { kind: $kind })
            }
        }
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.to_text())
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

macro_rules! word_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The id's text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
            fn parse_text(text: &str) -> Option<Self> {
                let check: fn(&str) -> bool = $check;
                check(text).then(|| Self(text.to_owned()))
            }
            fn to_text(&self) -> String {
                self.0.clone()
            }
        }
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
        text_forms!($name, $kind);
    };
}

macro_rules! byte_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// Wraps 16 bytes, for ids whose bytes come from elsewhere (randomness, storage, a token).
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }
            /// The 16 bytes.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
            fn parse_text(text: &str) -> Option<Self> {
                let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
                bytes.try_into().ok().map(Self)
            }
            fn to_text(self) -> String {
                URL_SAFE_NO_PAD.encode(self.0)
            }
        }
        text_forms!($name, $kind);
    };
}

word_id!(
    /// An event (the show): `^[a-z0-9][a-z0-9-]{0,39}$`.
    EventId, "event", is_event
);
word_id!(
    /// A seat, unique in its event: `^[A-Za-z0-9._-]{1,60}$`.
    SeatId, "seat", |t| is_word(t, 60, "._-")
);
word_id!(
    /// A section of the plan: `^[A-Za-z0-9._-]{1,60}$`.
    SectionId, "section", |t| is_word(t, 60, "._-")
);
word_id!(
    /// A pool of standing places: `^[A-Za-z0-9._-]{1,60}$`.
    PoolId, "pool", |t| is_word(t, 60, "._-")
);
word_id!(
    /// A block of at most some 500 seats: a section, or `section~2` for its second run of rows; at most 64 characters.
    BlockId, "block", |t| is_word(t, 64, "._-~")
);
word_id!(
    /// A channel, seats kept for some buyers: `^[a-z0-9][a-z0-9-]{0,39}$`.
    ChannelId, "channel", is_event
);
byte_id!(
    /// A fan's verified identity, see [`AccountId::derive`].
    AccountId, "account"
);
byte_id!(
    /// One admission of one account.
    SessionId, "session"
);
byte_id!(
    /// A hold, see [`HoldId::derive`].
    HoldId, "hold"
);
byte_id!(
    /// An order, see [`OrderId::derive`].
    OrderId, "order"
);

impl AccountId {
    /// The account of `subject` at the identity provider `issuer`: one person, one id, whatever the device.
    pub fn derive(issuer: &str, subject: &str) -> Self {
        Self(digest16(&[b"account\0", issuer.as_bytes(), b"\0", subject.as_bytes()]))
    }
}

impl HoldId {
    /// The hold that `account` asks for with this idempotency key: asking again names the same hold.
    pub fn derive(account: &AccountId, idempotency_key: &str) -> Self {
        Self(digest16(&[b"hold\0", account.as_bytes(), idempotency_key.as_bytes()]))
    }
}

impl OrderId {
    /// The order that `account` places with this idempotency key: asking again names the same order.
    pub fn derive(account: &AccountId, idempotency_key: &str) -> Self {
        Self(digest16(&[b"order\0", account.as_bytes(), idempotency_key.as_bytes()]))
    }
}

/// The first 16 bytes of SHA-256 over the concatenated parts.
pub(crate) fn digest16(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    let full = hash.finalize();
    std::array::from_fn(|i| full[i])
}

fn is_event(text: &str) -> bool {
    let lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.len() <= 40 && text.bytes().next().is_some_and(lower) && text.bytes().all(|b| lower(b) || b == b'-')
}

fn is_word(text: &str, longest: usize, marks: &str) -> bool {
    (1..=longest).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || marks.as_bytes().contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_ids_as_the_pattern_says() {
        let long = "a".repeat(40);
        for good in ["a", "0", "rock-am-see-2027", long.as_str()] {
            assert_eq!(good.parse::<EventId>().map(|e| e.to_string()).as_deref(), Ok(good));
        }
        let longer = "a".repeat(41);
        for bad in ["", "-a", "A", "a_b", "a b", "a/b", "é", longer.as_str()] {
            assert!(bad.parse::<EventId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn seat_ids_as_the_pattern_says() {
        for good in ["W01-1-1", "A.7_x", "0"] {
            assert!(good.parse::<SeatId>().is_ok(), "{good:?}");
        }
        for bad in ["", "a~2", "a#b", "a b", "ä"] {
            assert!(bad.parse::<SeatId>().is_err(), "{bad:?}");
        }
        assert!("W01~2".parse::<BlockId>().is_ok());
    }

    #[test]
    fn byte_ids_round_trip_and_refuse_other_lengths_and_loose_bits() {
        let id = HoldId::from_bytes([255; 16]);
        assert_eq!(id.to_string().len(), 22);
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in
            ["", "_____________________", "_____________________x", "______________________w", "____________________+w"]
        {
            assert!(bad.parse::<HoldId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn derivations_differ_by_kind_and_part() {
        let account = AccountId::derive("dev", "ada");
        assert_eq!(account, AccountId::derive("dev", "ada"));
        assert_ne!(account, AccountId::derive("de", "vada"));
        assert_ne!(HoldId::derive(&account, "k").as_bytes(), OrderId::derive(&account, "k").as_bytes());
    }

    #[test]
    fn ids_are_strings_in_json() {
        let json = serde_json::to_string(&AccountId::from_bytes([0; 16])).expect("ids serialise");
        assert_eq!(json, "\"AAAAAAAAAAAAAAAAAAAAAA\"");
        assert!(serde_json::from_str::<EventId>("\"Bad Event\"").is_err());
    }
}
