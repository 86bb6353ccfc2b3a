//! The demo: a stadium of 39,350 seats and a standing floor, with a fresh id at each start.

use std::time::Duration;

use domain::plan_import::{Imported, import};
use jiff::Timestamp;

use super::EventError;
use super::files::gunzip;

const EVENT: &str = include_str!("../../demo/event.toml");
const PLAN: &[u8] = include_bytes!("../../demo/stadium-39350.json.gz");
/// How long after its opening the demo ends.
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);
/// How long before its end the show starts, and before that the doors open.
const SHOW_LASTS: Duration = Duration::from_secs(3 * 60 * 60);
const DOORS_BEFORE: Duration = Duration::from_secs(90 * 60);

/// When and under which name the demo goes on sale.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The event's id.
    pub id: String,
    /// When it opens.
    pub opens_at: Timestamp,
}

impl Demo {
    /// A demo that opens `after` from `now`, at a whole second. The id derives from `now`.
    pub fn opening(now: Timestamp, after: Duration) -> Self {
        let opens = now.as_second() + i64::try_from(after.as_secs()).unwrap_or(60) + 1;
        // Seconds of this age of the world are timestamps.
        let opens_at = Timestamp::from_second(opens).unwrap_or(now);
        Self { id: format!("demo-{:x}", now.as_second()), opens_at }
    }

    /// The event, ready to be imported.
    ///
    /// # Errors
    /// The demo's own files have been edited into something that is refused.
    pub fn read(&self) -> Result<Imported, EventError> {
        let plan = gunzip(PLAN).map_err(|source| EventError::File { path: "the demo's plan".into(), source })?;
        import(&self.event_toml(), &plan).map_err(EventError::Findings)
    }

    fn event_toml(&self) -> String {
        let ends_at = self.opens_at + LASTS;
        let line = |line: &str| match line.split(" = ").next() {
            Some("id") if line == "id = \"demo\"" => format!("id = \"{}\"", self.id),
            Some("opens_at") => format!("opens_at = \"{}\"", self.opens_at),
            Some("ends_at") => format!("ends_at = \"{ends_at}\""),
            Some("starts_at") => format!("starts_at = \"{}\"", ends_at - SHOW_LASTS),
            Some("doors_at") => format!("doors_at = \"{}\"", ends_at - SHOW_LASTS - DOORS_BEFORE),
            _ => line.to_owned(),
        };
        EVENT.lines().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_accepted_and_opens_when_told() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let imported = Demo::opening(now, Duration::from_secs(60)).read().unwrap();
        assert_eq!(imported.definition.id.to_string(), "demo-6b49d200");
        assert_eq!(imported.definition.opens_at_ms.0, 1_800_000_061_000);
        assert_eq!(imported.layout.seat_count(), 39_350);
        assert_eq!(imported.definition.pools.len(), 1);
    }

    #[test]
    fn the_demos_file_can_be_imported_by_hand() {
        let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/demo/event.toml"));
        assert_eq!(super::super::read(path).unwrap().layout.seat_count(), 39_350);
    }
}
