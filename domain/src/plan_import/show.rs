//! What tickets tell of the show: when it starts, when the doors open, and where to go in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::{Code, Finding};
use super::reader::Reader;
use super::times;
use crate::search::Point;
use crate::time::WallMs;

/// The show, as stored with the event's definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Show {
    /// When it starts.
    pub starts_at_ms: WallMs,
    /// When the doors open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doors_at_ms: Option<WallMs>,
    /// The venue's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The show in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where the venue is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// The entrance of all sections and pools that have none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrance: Option<String>,
    /// Entrances of sections and pools, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub entrances: BTreeMap<String, String>,
}

const KEYS: &[&str] =
    &["starts_at", "doors_at", "address", "description", "latitude", "longitude", "entrance", "entrances"];

impl Show {
    /// Where to go in for a section or pool.
    #[must_use]
    pub fn entrance_of(&self, area: &str) -> Option<&str> {
        self.entrances.get(area).or(self.entrance.as_ref()).map(String::as_str)
    }
}

/// Reads `[show]`; an empty table is none. `times` are zone, opening and end of the event.
pub(super) fn read(
    table: &toml::Table,
    times: Option<&(String, WallMs, WallMs)>,
    findings: &mut Vec<Finding>,
) -> Option<Show> {
    if table.is_empty() {
        return None;
    }
    let mut r = Reader::new(table, "show", KEYS, findings);
    let (starts, doors) = (r.text("starts_at"), r.opt_text("doors_at"));
    let (address, entrance) = (r.opt_text("address"), r.opt_text("entrance"));
    let (description, point) = (r.opt_text("description"), read_point(&mut r));
    let entrances = r.table("entrances");
    let entrances = read_entrances(&entrances, r.findings());
    let (zone, _, ends) = times?;
    let zone = times::zone(zone)?;
    let mut at = |name: &str, text: &str| {
        times::instant(text, &zone).map_err(|code| r.finds(code, name, format!("{text:?}"))).ok()
    };
    let doors = doors.map(|text| at("doors_at", &text));
    let starts = at("starts_at", &starts?)?;
    let doors = doors.flatten();
    if doors.is_some_and(|doors| doors > starts) || starts >= *ends {
        r.finds(Code::ShowTimes, "starts_at", "first the doors, then the show, then the event's end");
    }
    Some(Show { starts_at_ms: starts, doors_at_ms: doors, address, description, point, entrance, entrances })
}

/// Latitude and longitude, both or none.
fn read_point(r: &mut Reader<'_>) -> Option<Point> {
    if !r.has("latitude") && !r.has("longitude") {
        return None;
    }
    for name in ["latitude", "longitude"].into_iter().filter(|name| !r.has(name)).collect::<Vec<_>>() {
        r.finds(Code::Missing, name, "is missing beside the other one");
    }
    Point::new(r.number("latitude", -90.0..=90.0, 0.0)?, r.number("longitude", -180.0..=180.0, 0.0)?)
}

fn read_entrances(table: &toml::Table, findings: &mut Vec<Finding>) -> BTreeMap<String, String> {
    let known: Vec<&str> = table.keys().map(String::as_str).collect();
    let mut r = Reader::new(table, "show.entrances", &known, findings);
    known.iter().filter_map(|area| Some(((*area).to_owned(), r.text(area)?))).collect()
}
