//! The demo's stadium.

use std::io::Read as _;

use domain::map::code::Rows;

const PLAN: &[u8] = include_bytes!("../../../infra/onsale/demo/stadium-39350.json.gz");

/// Its sections.
pub fn rows() -> Vec<Rows> {
    let mut plan = String::new();
    flate2::read::GzDecoder::new(PLAN).read_to_string(&mut plan).expect("a packed plan");
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    let list = |value: &serde_json::Value, name: &str| value[name].as_array().expect("a list").clone();
    let rows = |zone: &serde_json::Value| list(zone, "rows").iter().map(|row| list(row, "seats").len()).collect();
    list(&plan, "zones").iter().map(rows).collect()
}
