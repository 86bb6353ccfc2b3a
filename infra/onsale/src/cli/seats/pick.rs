//! From what was typed to a list of seats.

use std::collections::BTreeSet;

use anyhow::{Context, bail};
use domain::ids::SeatId;
use domain::layout::{Layout, Row, Section};
use serde_json::Value;

use super::args::{KeptFor, Which};

/// The seats that are named, each once; none where nothing is named.
pub(super) fn named(which: &Which, layout: &Layout) -> anyhow::Result<BTreeSet<SeatId>> {
    let mut seats = BTreeSet::new();
    for id in &which.seats {
        seats.insert(seat(id)?);
    }
    if let Some(file) = &which.file {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            seats.insert(seat(line)?);
        }
    }
    for id in &which.section {
        let section = layout.sections.iter().find(|section| section.id.as_str() == id);
        let section = section.with_context(|| format!("there is no section {id}"))?;
        seats.extend(rows(section, which.rows.as_deref())?.iter().flat_map(|row| of_row(section, row)));
    }
    Ok(seats)
}

fn seat(text: &str) -> anyhow::Result<SeatId> {
    text.parse().with_context(|| format!("{text:?} is no seat"))
}

/// The rows from one label to another, in the plan's order.
fn rows<'a>(section: &'a Section, range: Option<&str>) -> anyhow::Result<&'a [Row]> {
    let Some(range) = range else { return Ok(&section.rows) };
    let (from, to) = range.split_once("..").unwrap_or((range, range));
    let at = |label: &str| {
        let found = section.rows.iter().position(|row| row.label == label);
        found.with_context(|| format!("section {} has no row {label:?}", section.id))
    };
    let (from, to) = (at(from)?, at(to)?);
    if from > to {
        bail!("the rows are named from back to front: the plan has them the other way round");
    }
    Ok(&section.rows[from..=to]) // both are positions in it
}

fn of_row<'a>(section: &'a Section, row: &'a Row) -> impl Iterator<Item = SeatId> + use<'a> {
    row.seats.iter().filter_map(|seat| seat.id_in(&section.id, &row.label))
}

/// Kept seats of a listing that this means, at a wall time in ms.
pub(super) fn kept(listing: &Value, means: &KeptFor, now_ms: i64) -> BTreeSet<SeatId> {
    let house = |group: &Value| {
        let due = group["until_ms"].as_i64().is_some_and(|until| until <= now_ms);
        means.house.as_deref().is_some_and(|name| group["name"] == name) || (means.due && due)
    };
    let blocked = |group: &Value| means.reason.as_deref().is_some_and(|reason| group["reason"] == reason);
    let groups = |name: &str| listing[name].as_array().cloned().unwrap_or_default();
    let meant = groups("house").into_iter().filter(house).chain(groups("blocked").into_iter().filter(blocked));
    let ids = meant.flat_map(|group| group["seats"].as_array().cloned().unwrap_or_default());
    ids.filter_map(|id| id.as_str()?.parse().ok()).collect()
}

/// The seats, if there are any.
pub(super) fn some(seats: BTreeSet<SeatId>) -> anyhow::Result<Vec<SeatId>> {
    if seats.is_empty() { bail!("no seat is meant by that") } else { Ok(seats.into_iter().collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearse::hall;
    use domain::time::WallMs;
    use serde_json::json;

    fn picked(which: &Which) -> anyhow::Result<Vec<String>> {
        let layout = hall("pick", 100, WallMs(1_900_000_000_000)).expect("a hall").layout;
        Ok(named(which, &layout)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn sections_rows_and_lists_are_read() {
        let sections = || vec!["H01".to_owned()];
        let row = |range: &str| Which { section: sections(), rows: Some(range.into()), ..Which::default() };
        let all = picked(&Which { section: sections(), ..Which::default() }).unwrap();
        let two = picked(&row("1..2")).unwrap();
        assert!(two.len() < all.len() && two.iter().all(|id| id.starts_with("H01-1-") || id.starts_with("H01-2-")));
        assert_eq!(picked(&row("2..2")).unwrap(), picked(&row("2")).unwrap());
        let twice = Which { seats: vec!["H01-1-1".into(), "H01-1-1".into()], ..Which::default() };
        assert_eq!(picked(&twice).unwrap(), ["H01-1-1"]);
        for bad in [row("2..1"), row("9..99"), Which { section: vec!["X".into()], ..Which::default() }] {
            assert!(picked(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn kept_seats_are_found_by_name_time_and_reason() {
        let listing = json!({
            "house": [{"name": "press", "until_ms": 5, "seats": ["A-1"]}, {"name": "press", "until_ms": null, "seats": ["A-2"]}],
            "blocked": [{"reason": "broken", "seats": ["A-3"]}],
        });
        let found = |means: KeptFor| kept(&listing, &means, 5).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found(KeptFor { house: Some("press".into()), ..KeptFor::default() }), ["A-1", "A-2"]);
        assert_eq!(found(KeptFor { due: true, ..KeptFor::default() }), ["A-1"]);
        assert_eq!(found(KeptFor { reason: Some("broken".into()), ..KeptFor::default() }), ["A-3"]);
        assert!(found(KeptFor::default()).is_empty());
    }
}
