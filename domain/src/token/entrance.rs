//! How an account came into the line, and what is known of the account: sets of bits that tokens carry.

use serde::{Deserialize, Serialize};

/// The lane an account stands in, and the checks that it passed at the door. Kept with its entry and carried by its place
/// token, so that they are asked once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Entrance {
    /// Lane; 0 is the main line.
    pub lane: u8,
    /// Checks at the door.
    pub door: Door,
}

/// A byte of bits did not come from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} has unknown bits")]
pub struct UnknownBits(u8);

/// A set of named bits in one byte. A set with unknown bits does not exist.
macro_rules! bits {
    ($(#[$about:meta])* $set:ident { $($(#[$what:meta])* $name:ident = $bit:literal),* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $set(u8);

        impl $set {
            /// The empty set.
            pub const NONE: Self = Self(0);
            $($(#[$what])* pub const $name: Self = Self($bit);)*
            const ALL: u8 = 0 $(| $bit)*;

            /// The set as a byte.
            pub const fn bits(self) -> u8 {
                self.0
            }
            /// The set of a byte, if all of its bits are known.
            pub const fn from_bits(bits: u8) -> Option<Self> {
                if bits & !Self::ALL == 0 { Some(Self(bits)) } else { None }
            }
            /// Whether all of `other` is in this set.
            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
            /// What is in either.
            #[must_use]
            pub const fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl TryFrom<u8> for $set {
            type Error = UnknownBits;

            fn try_from(bits: u8) -> Result<Self, UnknownBits> {
                Self::from_bits(bits).ok_or(UnknownBits(bits))
            }
        }

        impl From<$set> for u8 {
            fn from(set: $set) -> Self {
                set.bits()
            }
        }
    };
}

bits! {
    /// Checks passed at the door.
    Door {
        /// The platform's challenge.
        CHALLENGE = 1,
        /// A proof of work.
        WORK = 2,
        /// A code sent by mail.
        MAIL_CODE = 4,
        /// The claims that the event requires of an account.
        CLAIMS = 8,
        /// Certainly a bot: waits for ever. Shown nowhere.
        SLOWED = 16
    }
}

bits! {
    /// What an identity provider vouched for when the fan signed in.
    Claims {
        /// The mail address is the fan's.
        MAIL = 1,
        /// The telephone number is the fan's.
        PHONE = 2,
        /// A payment card is the fan's.
        CARD = 4,
        /// The fan left a deposit.
        DEPOSIT = 8,
        /// The account was 30 days old when the fan signed in.
        AGED_30_DAYS = 16,
        /// The account was 365 days old when the fan signed in.
        AGED_365_DAYS = 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_bits_make_a_set() {
        for byte in 0..=255 {
            assert_eq!(Door::from_bits(byte).map(Door::bits), (byte < 32).then_some(byte));
            assert_eq!(Claims::try_from(byte).map(u8::from), if byte < 64 { Ok(byte) } else { Err(UnknownBits(byte)) });
        }
        let both = Door::WORK.with(Door::CLAIMS);
        assert!(both.has(Door::WORK) && both.has(Door::NONE) && !both.has(Door::CHALLENGE));
    }
}
