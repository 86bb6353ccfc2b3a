//! Times as they are typed and shown.

use anyhow::Context;
use domain::time::WallMs;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// A time with an offset, or a local one in the event's zone, in milliseconds.
pub(in crate::cli) fn instant(text: &str, zone: &str) -> anyhow::Result<i64> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(instant.as_millisecond());
    }
    let local: DateTime = text
        .parse()
        .with_context(|| format!("{text:?} is no time; write 2027-03-01T10:00 (in {zone}) or 2027-03-01T09:00:00Z"))?;
    let zone =
        TimeZoneDatabase::bundled().get(zone).with_context(|| format!("the event's zone {zone} is not known here"))?;
    let zoned = zone.to_ambiguous_zoned_datetime(local).unambiguous();
    Ok(zoned
        .with_context(|| format!("{text} does not exist, or exists twice, on the clock of the zone"))?
        .timestamp()
        .as_millisecond())
}

/// This machine's clock.
pub(in crate::cli) fn now() -> WallMs {
    WallMs(Timestamp::now().as_millisecond())
}

/// A time in the event's zone, with its offset.
pub(in crate::cli) fn shown(ms: i64, zone: &str) -> String {
    let Ok(at) = Timestamp::from_millisecond(ms) else { return ms.to_string() };
    let zone = TimeZoneDatabase::bundled().get(zone).unwrap_or(TimeZone::UTC);
    at.to_zoned_datetime(zone).strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_events_zone_unless_they_say_otherwise() {
        let want = 1_803_891_600_000;
        for text in ["2027-03-01T10:00", "2027-03-01T10:00:00", "2027-03-01T09:00:00Z", "2027-03-01T11:00:00+02:00"] {
            assert_eq!(instant(text, "Europe/Berlin").unwrap(), want, "{text}");
        }
        assert_eq!(shown(want, "Europe/Berlin"), "2027-03-01 10:00:00 +01:00");
        for bad in ["10 o'clock", "2027-03-28T02:30", ""] {
            assert!(instant(bad, "Europe/Berlin").is_err(), "{bad}");
        }
    }
}
