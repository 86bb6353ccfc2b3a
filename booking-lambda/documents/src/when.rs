//! Times in words, as they are at the venue.

use domain::time::WallMs;
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// A time in an IANA zone, with the zone; in UTC where the zone is not known.
pub fn local(time: WallMs, zone: &str) -> String {
    let zone = TimeZoneDatabase::bundled().get(zone).unwrap_or(TimeZone::UTC);
    let instant = Timestamp::from_millisecond(time.0).unwrap_or_default();
    instant.to_zoned_datetime(zone).strftime("%A, %-d %B %Y, %H:%M (%Z, %Q)").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_with_its_zone() {
        let show = WallMs(1_812_823_200_000);
        assert_eq!(local(show, "Europe/Berlin"), "Saturday, 12 June 2027, 20:00 (CEST, Europe/Berlin)");
        assert_eq!(local(show, "Asia/Tokyo"), "Sunday, 13 June 2027, 03:00 (JST, Asia/Tokyo)");
        assert_eq!(local(show, "Nowhere/There"), "Saturday, 12 June 2027, 18:00 (UTC, UTC)");
    }
}
