//! Local times with a zone, as instants; clock changes included.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use super::finding::Code;
use crate::time::WallMs;

/// The zone of this name, from the bundled database: the machine's own is not asked.
pub(super) fn zone(name: &str) -> Option<TimeZone> {
    TimeZoneDatabase::bundled().get(name).ok()
}

/// The instant of a text: with an offset it stands for itself, else it is local time in `zone`.
///
/// # Errors
/// [`Code::Time`] for nonsense, [`Code::TimeSkipped`] and [`Code::TimeTwice`] around clock changes.
pub(super) fn instant(text: &str, zone: &TimeZone) -> Result<WallMs, Code> {
    let instant = match text.parse::<Timestamp>() {
        Ok(instant) => instant,
        Err(_) => local(text.parse().map_err(|_| Code::Time)?, zone)?,
    };
    let year = instant.to_zoned_datetime(TimeZone::UTC).year();
    if (2000..=2200).contains(&year) { Ok(WallMs(instant.as_millisecond())) } else { Err(Code::Time) }
}

/// An instant as a clock in the zone shows it, with its offset: `2027-06-12T20:00:00+02:00`.
pub(super) fn shown(at: WallMs, zone_name: &str) -> Option<String> {
    let time = Timestamp::from_millisecond(at.0).ok()?.to_zoned_datetime(zone(zone_name)?);
    Some(time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

fn local(time: DateTime, zone: &TimeZone) -> Result<Timestamp, Code> {
    let ambiguous = zone.to_ambiguous_zoned_datetime(time);
    match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => Err(Code::TimeSkipped),
        AmbiguousOffset::Fold { .. } => Err(Code::TimeTwice),
        AmbiguousOffset::Unambiguous { .. } => Ok(ambiguous.compatible().map_err(|_| Code::Time)?.timestamp()),
    }
}
