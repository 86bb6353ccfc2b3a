//! The rehearsal's own small event: a hall of one or more sections, made from a number of seats.

use domain::plan_import::{Finding, Imported, import};
use domain::time::WallMs;
use serde_json::{Value, json};

const SEATS_A_ROW: u32 = 20;
const ROWS_A_SECTION: u32 = 20;

/// A hall with `seats` seats whose on-sale opens at `opens`, marked as a rehearsal.
///
/// # Errors
/// The import's findings, for instance for an id that is none or for no seats at all.
pub fn hall(id: &str, seats: u32, opens: WallMs) -> Result<Imported, Vec<Finding>> {
    import(&definition(id, opens), &plan(seats).to_string())
}

fn definition(id: &str, opens: WallMs) -> String {
    let time = |ms: i64| jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_string();
    let (opens, ends) = (time(opens.0), time(opens.plus(86_400_000).0));
    format!(
        r#"id = "{id}"
name = "Rehearsal"
venue = "Rehearsal hall"
zone = "UTC"
opens_at = "{opens}"
ends_at = "{ends}"
currency = "EUR"
plan = "hall.json"
rehearsal = true

[limits]
per_account = 6
per_card = 40

[door]
shards = 4
rate_per_minute = 1200
tickets_per_order = 2.5
grace_ms = 2000

[[levels]]
id = "hall"
category = "Hall"
price = "40.00"
fee = "4.00"
"#
    )
}

/// A plan in pretix's public format.
fn plan(seats: u32) -> Value {
    let numbers: Vec<u32> = (0..seats).collect();
    let zones: Vec<Value> = numbers.chunks((SEATS_A_ROW * ROWS_A_SECTION) as usize).zip(1..).map(zone).collect();
    json!({
        "name": "Rehearsal hall",
        "size": { "width": 400, "height": 50 + 300 * zones.len() },
        "categories": [{ "name": "Hall", "color": "#2563eb" }],
        "zones": zones,
    })
}

fn zone((seats, number): (&[u32], usize)) -> Value {
    let name = format!("H{number:02}");
    let rows: Vec<Value> = seats.chunks(SEATS_A_ROW as usize).zip(1..).map(|(row, n)| row_of(&name, row, n)).collect();
    let position = json!({ "x": 10, "y": 300 * (number - 1) + 30 });
    json!({ "name": name, "zone_id": name, "position": position, "rows": rows })
}

fn row_of(zone: &str, seats: &[u32], row: usize) -> Value {
    let seats: Vec<Value> = (1..=seats.len())
        .map(|n| {
            json!({
                "seat_guid": format!("{zone}-{row}-{n}"), "seat_number": n.to_string(),
                "position": { "x": 15 * n, "y": 0 }, "category": "Hall",
            })
        })
        .collect();
    json!({ "row_number": row.to_string(), "position": { "x": 0, "y": 13 * row }, "seats": seats })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hall_has_the_seats_asked_for() {
        for seats in [1, 20, 100, 401, 2_000] {
            let imported = hall("rehearsal-1", seats, WallMs(1_800_000_000_000)).expect("the hall is a good plan");
            assert_eq!(imported.layout.seat_count(), seats as usize);
        }
    }

    #[test]
    fn no_seats_are_a_finding() {
        assert!(hall("rehearsal-1", 0, WallMs(1_800_000_000_000)).is_err());
    }
}
