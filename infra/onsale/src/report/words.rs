//! Times, numbers and money as people read them.

use domain::money::{Currency, Money};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// A clock on the wall of the event's venue.
pub(super) struct Clock(TimeZone);

impl Clock {
    /// The clock of a zone; of one that is not known here, UTC.
    pub fn of(zone: &str) -> Self {
        Self(TimeZoneDatabase::bundled().get(zone).unwrap_or(TimeZone::UTC))
    }

    /// Day, time and offset.
    pub fn full(&self, ms: i64) -> String {
        self.shown(ms, "%Y-%m-%d %H:%M:%S %:z")
    }

    /// As much as tells bins of this width apart.
    pub fn of_bin(&self, ms: i64, width_ms: i64) -> String {
        let form = match width_ms {
            ..60_000 => "%H:%M:%S",
            60_000..3_600_000 => "%H:%M",
            3_600_000..86_400_000 => "%m-%d %H:%M",
            _ => "%Y-%m-%d",
        };
        self.shown(ms, form)
    }

    fn shown(&self, ms: i64, form: &str) -> String {
        let Ok(at) = Timestamp::from_millisecond(ms) else { return ms.to_string() };
        at.to_zoned_datetime(self.0.clone()).strftime(form).to_string()
    }
}

/// `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
pub(super) fn duration(ms: i64) -> String {
    let two = |whole: i64, unit: &str, rest: i64, part: &str| match rest {
        0 => format!("{whole} {unit}"),
        _ => format!("{whole} {unit} {rest} {part}"),
    };
    let seconds = ms / 1_000;
    match seconds {
        ..1 => format!("{ms} ms"),
        1..60 if ms % 1_000 < 50 => format!("{seconds} s"),
        1..60 => format!("{seconds}.{} s", ms % 1_000 / 100),
        60..3_600 => two(seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => two(seconds / 3_600, "h", seconds % 3_600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

/// With a comma between thousands.
pub(super) fn number(number: u64) -> String {
    grouped(&number.to_string())
}

/// With decimals, code, and a comma between thousands; of an unknown currency in minor units.
pub(super) fn money(minor: i64, currency: &str) -> String {
    let Ok(currency) = currency.parse::<Currency>() else { return format!("{minor} {currency} (minor units)") };
    let text = Money { minor, currency }.to_string();
    let whole = text.find(['.', ' ']).unwrap_or(text.len());
    let (sign, digits) = if minor < 0 { ("−", &text[1..whole]) } else { ("", &text[..whole]) };
    format!("{sign}{}{}", grouped(digits), &text[whole..])
}

fn grouped(digits: &str) -> String {
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|d| std::str::from_utf8(d).ok()).collect();
    groups.join(",")
}

/// Part of a whole, in per cent.
pub(super) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", part as f64 * 100.0 / whole as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_numbers_are_short() {
        let cases = [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1 s"),
            (4_230, "4.2 s"),
            (200_000, "3 min 20 s"),
            (120_000, "2 min"),
            (7_500_000, "2 h 5 min"),
            (273_600_000, "3 d 4 h"),
        ];
        for (ms, text) in cases {
            assert_eq!(duration(ms), text);
        }
        assert_eq!((number(0), number(1_000), number(1_234_567)), ("0".into(), "1,000".into(), "1,234,567".into()));
        assert_eq!((percent(1, 0), percent(1, 3)), ("–".into(), "33.3 %".into()));
    }

    #[test]
    fn money_has_its_currencys_decimals() {
        for (minor, currency, text) in [
            (123_456_789, "EUR", "1,234,567.89 EUR"),
            (-5, "EUR", "−0.05 EUR"),
            (1_234, "JPY", "1,234 JPY"),
            (7, "xx", "7 xx (minor units)"),
        ] {
            assert_eq!(money(minor, currency), text);
        }
    }

    #[test]
    fn bins_are_told_by_the_clock_of_the_venue() {
        let clock = Clock::of("Europe/Berlin");
        assert_eq!(clock.full(1_803_891_600_000), "2027-03-01 10:00:00 +01:00");
        assert_eq!(clock.of_bin(1_803_891_600_000, 1_000), "10:00:00");
        assert_eq!(clock.of_bin(1_803_891_600_000, 86_400_000), "2027-03-01");
        assert_eq!(Clock::of("Nowhere").of_bin(1_803_891_600_000, 60_000), "09:00");
    }
}
