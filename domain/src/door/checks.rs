//! What an event checks at its door. The defaults hurt no fan: limits far above what people do, and nothing else.

use core::net::IpAddr;
use core::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::BITS_MAX;
use super::rate::Rate;
use crate::token::Claims;

/// Networks on a deny list, at most.
pub const NETWORKS_MAX: usize = 200;

/// The challenge that everybody without a place has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Challenge {
    /// None.
    #[default]
    None,
    /// The platform's, Turnstile; a proof of work where that cannot be had.
    Turnstile,
    /// A proof of work.
    Work,
}

impl FromStr for Challenge {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "none" => Ok(Self::None),
            "turnstile" => Ok(Self::Turnstile),
            "work" => Ok(Self::Work),
            _ => Err(UnknownWord),
        }
    }
}

/// What an event may require that an account's provider vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// A verified mail address.
    Mail,
    /// A verified phone number.
    Phone,
    /// A verified payment card.
    Card,
    /// A deposit.
    Deposit,
    /// An account of 30 days.
    #[serde(rename = "aged_30_days")]
    Aged30Days,
    /// An account of 365 days.
    #[serde(rename = "aged_365_days")]
    Aged365Days,
}

impl Claim {
    /// The claim as account tokens carry it.
    #[must_use]
    pub const fn set(self) -> Claims {
        match self {
            Self::Mail => Claims::MAIL,
            Self::Phone => Claims::PHONE,
            Self::Card => Claims::CARD,
            Self::Deposit => Claims::DEPOSIT,
            Self::Aged30Days => Claims::AGED_30_DAYS,
            Self::Aged365Days => Claims::AGED_365_DAYS,
        }
    }
}

impl FromStr for Claim {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "mail" => Ok(Self::Mail),
            "phone" => Ok(Self::Phone),
            "card" => Ok(Self::Card),
            "deposit" => Ok(Self::Deposit),
            "aged_30_days" => Ok(Self::Aged30Days),
            "aged_365_days" => Ok(Self::Aged365Days),
            _ => Err(UnknownWord),
        }
    }
}

/// Not one of the words that are known here, or not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a known word")]
pub struct UnknownWord;

/// A network by its prefix, for example `203.0.113.0/24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network(IpNet);

impl FromStr for Network {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        text.parse().map(Self).map_err(|_| UnknownWord)
    }
}

impl TryFrom<String> for Network {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, UnknownWord> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.0.to_string()
    }
}

/// An event's checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Checks {
    /// The challenge.
    pub challenge: Challenge,
    /// Difficulty of a proof of work without suspicion, see [`super::work`].
    pub work_bits: u8,
    /// Claims that an account needs.
    pub claims: Vec<Claim>,
    /// Networks that get no place.
    pub deny: Vec<Network>,
    /// Calls that one address may make in a minute, as many of them at once as it likes. Families, schools and
    /// offices stand behind one address.
    pub address_per_minute: u32,
    /// Calls about its place that one account may make in a minute.
    pub account_per_minute: u32,
    /// New places that one shard gives in a second; beyond that arrivals get stamps.
    pub joins_per_second: u32,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            challenge: Challenge::None,
            work_bits: 13,
            claims: Vec::new(),
            deny: Vec::new(),
            address_per_minute: 1_200,
            account_per_minute: 300,
            joins_per_second: 500,
        }
    }
}

impl Checks {
    /// Whether the deny list has this address.
    #[must_use]
    pub fn denies(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.deny.iter().any(|network| network.0.contains(&address))
    }

    /// The limit of one address.
    #[must_use]
    pub const fn address_rate(&self) -> Rate {
        Rate { count: self.address_per_minute, per_ms: 60_000 }
    }

    /// Pressing faster than this is a flood.
    #[must_use]
    pub const fn flood_rate(&self) -> Rate {
        Rate { count: self.address_per_minute.saturating_mul(10), per_ms: 60_000 }
    }

    /// The limit of one account.
    #[must_use]
    pub const fn account_rate(&self) -> Rate {
        Rate { count: self.account_per_minute, per_ms: 60_000 }
    }

    /// The capacity of one shard.
    #[must_use]
    pub const fn join_rate(&self) -> Rate {
        Rate { count: self.joins_per_second, per_ms: 1_000 }
    }

    /// The numbers with the ranges they must lie in, by name.
    #[must_use]
    pub fn ranges(&self) -> [(&'static str, u32, u32, u32); 4] {
        [
            ("work_bits", u32::from(self.work_bits), 4, u32::from(BITS_MAX)),
            ("address_per_minute", self.address_per_minute, 10, 1_000_000),
            ("account_per_minute", self.account_per_minute, 10, 10_000),
            ("joins_per_second", self.joins_per_second, 1, 10_000),
        ]
    }
}
