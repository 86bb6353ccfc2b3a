//! Money: whole minor units of one ISO 4217 currency. No floating point, no conversion, no rounding.
//! What a fee in per cent comes to is [`crate::price`]'s.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Currencies whose minor unit is not a hundredth (ISO 4217 list one, amendment 176): code and number of decimals.
const EXPONENTS: &[(&str, u32)] = &[
    ("BIF", 0),
    ("CLP", 0),
    ("DJF", 0),
    ("GNF", 0),
    ("ISK", 0),
    ("JPY", 0),
    ("KMF", 0),
    ("KRW", 0),
    ("PYG", 0),
    ("RWF", 0),
    ("UGX", 0),
    ("UYI", 0),
    ("VND", 0),
    ("VUV", 0),
    ("XAF", 0),
    ("XOF", 0),
    ("XPF", 0),
    ("BHD", 3),
    ("IQD", 3),
    ("JOD", 3),
    ("KWD", 3),
    ("LYD", 3),
    ("OMR", 3),
    ("TND", 3),
    ("CLF", 4),
    ("UYW", 4),
];

/// The other active codes of ISO 4217 list one (two decimals), five characters apart.
const TWO_DECIMALS: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
    CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR \
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK \
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT \
    TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG";

/// Why money was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMoney {
    /// Not an active ISO 4217 code in capitals.
    #[error("{0:?} is not an ISO 4217 currency code")]
    Currency(String),
    /// Not a plain decimal number with at most the currency's decimals.
    #[error("{0:?} is not an amount of {1}")]
    Amount(String, Currency),
}

/// An ISO 4217 currency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The code, in capitals.
    pub fn code(&self) -> &str {
        // Only ASCII letters are ever stored, so the default is never taken.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Number of decimals of the minor unit: 2 for EUR, 0 for JPY, 3 for KWD.
    pub fn exponent(&self) -> u32 {
        EXPONENTS.iter().find(|(code, _)| *code == self.code()).map_or(2, |(_, e)| *e)
    }

    /// Minor units in one major unit.
    pub fn minor_per_major(&self) -> i64 {
        10_i64.pow(self.exponent())
    }

    /// The step that amounts are charged in, in minor units. Card networks charge the currencies with three decimals in
    /// steps of ten, so that the last digit is 0 (Stripe, "Three-decimal currencies").
    pub fn step_minor(&self) -> i64 {
        if self.exponent() == 3 { 10 } else { 1 }
    }

    /// Reads a plain decimal such as `12`, `12.5` or `12.50` into minor units; never rounds, refuses too many decimals.
    pub fn parse_minor(&self, text: &str) -> Result<i64, BadMoney> {
        decimal(text, self.exponent()).ok_or_else(|| BadMoney::Amount(text.to_owned(), *self))
    }

    /// Writes minor units as a plain decimal with all decimals of the currency, without the code.
    pub fn format_minor(&self, minor: i64) -> String {
        let (sign, abs, per) =
            (if minor < 0 { "-" } else { "" }, minor.unsigned_abs(), self.minor_per_major().unsigned_abs());
        match self.exponent() as usize {
            0 => format!("{sign}{abs}"),
            width => format!("{sign}{}.{:0width$}", abs / per, abs % per),
        }
    }
}

/// Reads a plain decimal of at most `exponent` decimals as a whole number of its last place; never rounds.
pub(crate) fn decimal(text: &str, exponent: u32) -> Option<i64> {
    let (whole, part) = text.split_once('.').map_or((text, None), |(w, p)| (w, Some(p)));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let part = part.map_or(Some(""), |p| digits(p).then_some(p))?;
    let room = exponent.checked_sub(u32::try_from(part.len()).ok()?)?;
    if !digits(whole) {
        return None;
    }
    format!("{whole}{part}").parse::<i64>().ok()?.checked_mul(10_i64.pow(room))
}

impl std::str::FromStr for Currency {
    type Err = BadMoney;
    fn from_str(text: &str) -> Result<Self, BadMoney> {
        let refuse = || BadMoney::Currency(text.to_owned());
        let code = <[u8; 3]>::try_from(text.as_bytes()).map_err(|_| refuse())?;
        let known = EXPONENTS.iter().any(|(c, _)| *c == text) || TWO_DECIMALS.split(' ').any(|c| c == text);
        known.then_some(Self(code)).ok_or_else(refuse)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// An amount of one currency, in minor units. Amounts of different currencies never mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    /// Minor units: cents for EUR, yen for JPY.
    pub minor: i64,
    /// The currency.
    pub currency: Currency,
}

impl Money {
    /// The sum, or `None` on overflow or when the currencies differ.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if self.currency != other.currency {
            return None;
        }
        Some(Self { minor: self.minor.checked_add(other.minor)?, ..self })
    }

    /// This amount `times` over, or `None` on overflow.
    pub fn checked_times(self, times: u32) -> Option<Self> {
        Some(Self { minor: self.minor.checked_mul(i64::from(times))?, ..self })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.currency.format_minor(self.minor), self.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        code.parse().expect("a known code")
    }

    #[test]
    fn amounts_read_exactly_or_not_at_all() {
        for (code, text, minor) in [
            ("EUR", "12", 1200),
            ("EUR", "12.5", 1250),
            ("EUR", "0.05", 5),
            ("JPY", "900", 900),
            ("KWD", "1.234", 1234),
        ] {
            assert_eq!(currency(code).parse_minor(text), Ok(minor), "{text} {code}");
        }
        for (code, text) in [
            ("EUR", "12.345"),
            ("JPY", "9.0"),
            ("EUR", ""),
            ("EUR", "-1"),
            ("EUR", "1."),
            ("EUR", ".5"),
            ("EUR", "1e3"),
            ("EUR", "99999999999999999999"),
        ] {
            assert!(currency(code).parse_minor(text).is_err(), "{text:?} {code}");
        }
    }

    #[test]
    fn amounts_show_all_decimals() {
        for (code, minor, text) in
            [("EUR", 1205, "12.05 EUR"), ("EUR", -5, "-0.05 EUR"), ("JPY", 900, "900 JPY"), ("KWD", 1, "0.001 KWD")]
        {
            assert_eq!(Money { minor, currency: currency(code) }.to_string(), text);
        }
    }

    #[test]
    fn unknown_codes_are_refused() {
        for bad in ["eur", "EU", "EURO", "XXX", "   ", "ABC"] {
            assert!(bad.parse::<Currency>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sums_do_not_mix_or_overflow() {
        let eur = Money { minor: i64::MAX, currency: currency("EUR") };
        assert_eq!(eur.checked_add(Money { minor: 1, ..eur }), None);
        assert_eq!(eur.checked_add(Money { minor: 1, currency: currency("USD") }), None);
        assert_eq!(eur.checked_times(2), None);
    }
}
