//! What makes an event nonsensical.

use super::{DAY_MS, EdgeEvent, EdgeLevel, EdgePool, EdgeType};
use crate::door::checks::NETWORKS_MAX;
use crate::operate::new_opening;
use crate::search::Point;
use crate::status::{MAX_BYTES, largest_bytes};
use crate::time::WallMs;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One thing that is wrong, by field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Path of the field, for example `levels[1].total_minor`.
    pub field: String,
    /// What is wrong with it.
    pub problem: String,
}

impl Finding {
    pub(super) fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.field, self.problem)
    }
}

/// Wall times from 2000 to 2100 make sense.
const SANE_MS: std::ops::Range<i64> = 946_684_800_000..4_102_444_800_000;

/// Nobody needs to know for longer than this after an on-sale who stood in its line.
const FORGET_AFTER_MAX_MS: i64 = 400 * DAY_MS;

/// All that is wrong with an event; empty if nothing is.
pub fn check(event: &EdgeEvent) -> Vec<Finding> {
    let mut found = Vec::new();
    texts(event, &mut found);
    times(event, &mut found);
    show(event, &mut found);
    numbers(event, &mut found);
    levels(event, &mut found);
    status_fits(event, &mut found);
    pools(event, &mut found);
    checks(event, &mut found);
    super::lanes::check(event, &mut found);
    if event.beacon.as_ref().is_some_and(|chain| !chain.is_sound()) {
        found.push(Finding::new("beacon", "is not a beacon of the scheme bls-unchained-g1-rfc9380"));
    }
    found
}

/// What an update may not change: the opening without notice (see [`new_opening`]), and shards, currency, beacon, lanes and
/// registration once anybody has joined or registered.
pub fn check_change(old: &EdgeEvent, new: &EdgeEvent, joined: u64, now: WallMs) -> Vec<Finding> {
    let mut found = Vec::new();
    if new.opens_at_ms != old.opens_at_ms
        && let Err(refused) = new_opening(old, new.opens_at_ms, now)
    {
        found.push(Finding::new("opens_at_ms", format!("cannot change: {refused}")));
    }
    if new.shards != old.shards && joined > 0 {
        found.push(Finding::new("shards", "cannot change after the first join"));
    }
    if new.beacon != old.beacon && (joined > 0 || old.opens_at_ms <= now) {
        found.push(Finding::new("beacon", "cannot change after the first join or the opening"));
    }
    super::lanes::check_change(old, new, joined, &mut found);
    if new.currency != old.currency && joined > 0 {
        found.push(Finding::new("currency", "cannot change after the first join"));
    }
    found
}

fn texts(event: &EdgeEvent, found: &mut Vec<Finding>) {
    let fields =
        [("name", &event.name, 200), ("venue", &event.venue, 200), ("layout_version", &event.layout_version, 64)];
    for (field, text, longest) in fields {
        text_of(field, text, longest, found);
    }
    let zone = |b: u8| b.is_ascii_alphanumeric() || b"/_+-".contains(&b);
    if event.zone.is_empty() || event.zone.len() > 64 || !event.zone.bytes().all(zone) {
        found.push(Finding::new("zone", "is not the name of a time zone, for example Europe/Berlin"));
    }
}

pub(super) fn text_of(field: impl Into<String>, text: &str, longest: usize, found: &mut Vec<Finding>) {
    if text.trim().is_empty() || text.chars().count() > longest || text.chars().any(char::is_control) {
        found.push(Finding::new(field, format!("must be 1 to {longest} printable characters")));
    }
}

/// What is shown only, where it is told.
fn show(event: &EdgeEvent, found: &mut Vec<Finding>) {
    for (field, text) in [("address", &event.address), ("description", &event.description)] {
        text.iter().for_each(|text| text_of(field, text, 1_000, found));
    }
    if event.point.is_some_and(|point| Point::new(point.latitude, point.longitude).is_none()) {
        found.push(Finding::new("point", "is not a latitude and a longitude in degrees"));
    }
    let same = |local: &String| {
        local.parse::<Timestamp>().is_ok_and(|at| Some(WallMs(at.as_millisecond())) == event.starts_at_ms)
    };
    if event.starts_local.as_ref().is_some_and(|local| !same(local)) {
        found.push(Finding::new("starts_local", "is not starts_at_ms on a clock with its offset"));
    }
}

fn times(event: &EdgeEvent, found: &mut Vec<Finding>) {
    for (field, at) in [("opens_at_ms", event.opens_at_ms), ("ends_at_ms", event.ends_at_ms)] {
        if !SANE_MS.contains(&at.0) {
            found.push(Finding::new(field, "is not in milliseconds between the years 2000 and 2100"));
        }
    }
    if event.ends_at_ms <= event.opens_at_ms {
        found.push(Finding::new("ends_at_ms", "must be after the opening"));
    }
    if event.joins_from_ms > event.opens_at_ms {
        found.push(Finding::new("joins_from_ms", "must not be after the opening"));
    }
    let spans = [
        ("claim_window_ms", event.claim_window_ms, 10_000, 3_600_000),
        ("session_ms", event.session_ms, 60_000, 7_200_000),
        ("grace_ms", event.grace_ms, 0, 60_000),
        ("beat_ms", event.beat_ms, 200, 60_000),
        ("idle_beat_ms", event.idle_beat_ms, 1_000, 600_000),
        ("notice_ms", event.notice_ms, 1_000, 86_400_000),
        ("forget_after_ms", event.forget_after_ms, 1_000, FORGET_AFTER_MAX_MS),
    ];
    spans.into_iter().for_each(|(field, is, least, most)| between(field, is, least, most, found));
}

pub(super) fn between<T: PartialOrd + std::fmt::Display>(
    field: &str,
    is: T,
    least: T,
    most: T,
    found: &mut Vec<Finding>,
) {
    if !(is >= least && is <= most) {
        found.push(Finding::new(field, format!("is {is}, must be {least} to {most}")));
    }
}

fn numbers(event: &EdgeEvent, found: &mut Vec<Finding>) {
    between("shards", event.shards, 1, 1_024, found);
    if let Some(rate) = event.rate_per_minute {
        between("rate_per_minute", rate, 1, 1_000_000, found);
    }
    between("tickets_per_order", event.tickets_per_order, 1.0, 100.0, found);
    between("max_per_account", event.max_per_account, 1, 100, found);
}

fn levels(event: &EdgeEvent, found: &mut Vec<Finding>) {
    if event.levels.is_empty() {
        found.push(Finding::new("levels", "must name at least one price level"));
    }
    unique("levels", event.levels.iter().map(|l| &l.id), found);
    for (at, level) in event.levels.iter().enumerate() {
        let at = format!("levels[{at}]");
        let EdgeLevel { id, name, price_minor, fee_minor, total_minor, types } = level;
        priced(&at, (id, name), [*price_minor, *fee_minor, *total_minor], found);
        unique(&format!("{at}.types"), types.iter().map(|t| &t.id), found);
        for (n, EdgeType { id, name, price_minor, fee_minor, total_minor }) in types.iter().enumerate() {
            priced(&format!("{at}.types[{n}]"), (id, name), [*price_minor, *fee_minor, *total_minor], found);
        }
    }
}

fn priced(at: &str, (id, name): (&str, &str), [price, fee, total]: [i64; 3], found: &mut Vec<Finding>) {
    text_of(format!("{at}.id"), id, 40, found);
    text_of(format!("{at}.name"), name, 100, found);
    if price < 0 || fee < 0 {
        found.push(Finding::new(format!("{at}.price_minor"), "price and fee must not be negative"));
    }
    if price.checked_add(fee) != Some(total) {
        found.push(Finding::new(format!("{at}.total_minor"), "is not the sum of price and fee"));
    }
}

/// The status file names every level, and everybody reads it every other second.
fn status_fits(event: &EdgeEvent, found: &mut Vec<Finding>) {
    let levels = event.levels.iter().map(|level| level.id.as_str());
    let over = largest_bytes(&event.id, levels, event.lanes.len()).saturating_sub(MAX_BYTES);
    if over > 0 {
        let problem = format!("make the status file {over} bytes too long: name fewer levels or lanes, or shorter ids");
        found.push(Finding::new("levels", problem));
    }
}

fn pools(event: &EdgeEvent, found: &mut Vec<Finding>) {
    unique("pools", event.pools.iter().map(|p| &p.id), found);
    for (at, EdgePool { id, name, capacity, level }) in event.pools.iter().enumerate() {
        let at = format!("pools[{at}]");
        text_of(format!("{at}.id"), id, 60, found);
        text_of(format!("{at}.name"), name, 100, found);
        between(&format!("{at}.capacity"), *capacity, 1, 1_000_000, found);
        if event.levels.iter().all(|l| l.id != *level) {
            found.push(Finding::new(format!("{at}.level"), format!("{level:?} is not a price level of this event")));
        }
    }
}

fn checks(event: &EdgeEvent, found: &mut Vec<Finding>) {
    for (name, is, least, most) in event.checks.ranges() {
        between(&format!("checks.{name}"), is, least, most, found);
    }
    between("checks.deny", event.checks.deny.len(), 0, NETWORKS_MAX, found);
}

pub(super) fn unique<'a>(list: &str, ids: impl Iterator<Item = &'a String>, found: &mut Vec<Finding>) {
    let mut seen = BTreeSet::new();
    for (at, id) in ids.enumerate().filter(|(_, id)| !seen.insert(*id)) {
        found.push(Finding::new(format!("{list}[{at}].id"), format!("{id:?} is given twice")));
    }
}
