//! Answers about seats, for people.

use serde_json::Value;

use crate::cli::event::when;

/// Seats that are named at most, unless all are asked for.
const NAMED: usize = 20;

/// What is kept from general sale.
pub(super) fn listing(listing: &Value, zone: &str, ids: bool) -> String {
    let mut lines = vec![format!("all seats: {}", counts(&listing["counts"]))];
    for group in groups(listing, "blocked") {
        lines.push(format!("blocked, {}: {}", text(&group["reason"], "no reason given"), seats(&group, ids)));
    }
    for group in groups(listing, "house") {
        let until = group["until_ms"].as_i64().map(|ms| format!(" until {}", when::shown(ms, zone)));
        let until = until.unwrap_or_default();
        lines.push(format!("house, {}{until}: {}", text(&group["name"], "–"), seats(&group, ids)));
    }
    for group in groups(listing, "channels") {
        lines.push(format!("channel {}: {}; {}", text(&group["channel"], "–"), counts(&group), seats(&group, ids)));
    }
    lines.join("\n")
}

/// Seats that did not change, and holds that lost seats.
pub(super) fn outcome(refused: &[Value], taken: &[Value]) -> String {
    let why = |seat: &Value| {
        let of = ["order", "hold", "reason", "name"].iter().find_map(|field| seat[*field].as_str());
        let of = of.map(|of| format!(" ({of})")).unwrap_or_default();
        format!("  {} {}{of}", text(&seat["seat"], "–"), text(&seat["code"], "–"))
    };
    let lost = |seat: &Value| format!("  {} taken from hold {}", text(&seat["seat"], "–"), text(&seat["hold"], "–"));
    let mut lines: Vec<String> = refused.iter().map(why).chain(taken.iter().map(lost)).collect();
    let more = lines.len().saturating_sub(NAMED);
    lines.truncate(NAMED);
    lines.extend((more > 0).then(|| format!("  … and {more} more")));
    lines.join("\n")
}

fn groups(listing: &Value, name: &str) -> Vec<Value> {
    listing[name].as_array().cloned().unwrap_or_default()
}

fn counts(counts: &Value) -> String {
    let part = |state: &&str| {
        let n = counts[*state].as_u64().unwrap_or(0);
        (n > 0).then(|| format!("{n} {}", if *state == "claimed" { "being paid" } else { state }))
    };
    ["free", "held", "claimed", "sold", "blocked"].iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

fn seats(group: &Value, all: bool) -> String {
    let ids: Vec<&str> = group["seats"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let shown = if all { ids.len() } else { ids.len().min(3) };
    let more = if shown < ids.len() { " …" } else { "" };
    format!("{} seats, {}{more}", ids.len(), ids.get(..shown).unwrap_or_default().join(" "))
}

fn text<'a>(value: &'a Value, otherwise: &'a str) -> &'a str {
    value.as_str().unwrap_or(otherwise)
}
