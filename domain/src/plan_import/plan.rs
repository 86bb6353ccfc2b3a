//! pretix's seating plan format, as far as this system uses it.

use serde::Deserialize;

use super::finding::{Code, Finding};

/// A plan file. Fields that are not named here (text areas, shapes) are decoration.
#[derive(Deserialize)]
pub(super) struct Plan {
    pub(super) size: Size,
    pub(super) categories: Vec<Category>,
    pub(super) zones: Vec<Zone>,
}

#[derive(Deserialize)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

#[derive(Deserialize)]
pub(super) struct Category {
    pub(super) name: String,
    #[serde(default)]
    pub(super) color: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Zone {
    pub(super) name: String,
    #[serde(default)]
    pub(super) zone_id: Option<String>,
    pub(super) position: Position,
    #[serde(default)]
    pub(super) rows: Vec<Row>,
}

#[derive(Deserialize)]
pub(super) struct Row {
    #[serde(default)]
    pub(super) row_number: Option<String>,
    pub(super) position: Position,
    #[serde(default)]
    pub(super) seats: Vec<Seat>,
}

#[derive(Deserialize)]
pub(super) struct Seat {
    pub(super) seat_guid: String,
    #[serde(default)]
    pub(super) seat_number: Option<String>,
    pub(super) position: Position,
    pub(super) category: String,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Position {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Reads the plan; `None` when it is not one.
pub(super) fn read(text: &str, findings: &mut Vec<Finding>) -> Option<Plan> {
    match serde_json::from_str(text) {
        Ok(plan) => Some(plan),
        Err(error) => {
            let code = if error.is_eof() { Code::PlanTruncated } else { Code::PlanUnreadable };
            let at = format!("line {} column {}", error.line(), error.column());
            findings.push(Finding::new(code, at, error.to_string()));
            None
        }
    }
}
