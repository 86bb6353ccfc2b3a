//! `[[lanes]]` and `[registration]` of `event.toml`.

use super::event::small;
use super::finding::{Code, Finding};
use super::reader::Reader;
use super::times;
use crate::door::Claim;
use crate::lane::{Access, Lane, MAX_LANES};
use crate::registration::Registration;
use crate::time::WallMs;

const KEYS: &[&str] = &["id", "name", "share_percent", "access", "claims"];
const REGISTRATION_KEYS: &[&str] = &["opens_at", "draws_at", "invited"];
/// Most people that a registration invites.
const INVITED_MAX: i64 = 10_000_000;

/// Reads the lanes, in their order.
pub(super) fn read(tables: &[toml::Table], findings: &mut Vec<Finding>) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::new();
    for (n, table) in tables.iter().enumerate() {
        let at = format!("lanes[{n}]");
        let Some(lane) = read_lane(&mut Reader::new(table, &at, KEYS, findings)) else { continue };
        if lanes.iter().any(|known| known.id == lane.id) {
            findings.push(Finding::new(Code::DuplicateLane, at, lane.id.clone()));
        }
        lanes.push(lane);
    }
    if tables.len() > MAX_LANES {
        findings.push(Finding::new(Code::Range, "lanes", format!("at most {MAX_LANES}")));
    }
    let shares: u32 = lanes.iter().map(|lane| u32::from(lane.share_percent)).sum();
    if shares > 99 {
        let detail = format!("the lanes take {shares} percent; the main line keeps one at least");
        findings.push(Finding::new(Code::Range, "lanes.share_percent", detail));
    }
    lanes
}

fn read_lane(r: &mut Reader<'_>) -> Option<Lane> {
    let (id, name, access) = (r.text("id"), r.text("name"), r.text("access"));
    let share = r.whole("share_percent", 1..=99, None);
    let claims = read_claims(r);
    let access = match access?.as_str() {
        "codes" => Access::Codes,
        "invitation" => Access::Invitation,
        "claims" => Access::Claims,
        other => {
            r.finds(Code::Word, "access", format!("{other:?} is not codes, invitation or claims"));
            return None;
        }
    };
    if (access == Access::Claims) == claims.is_empty() {
        r.finds(Code::LaneAccess, "claims", "are named exactly where access is claims");
    }
    let id = id?;
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if id.len() > 20 || !id.bytes().all(word) || id == "main" {
        r.finds(Code::Id, "id", format!("{id:?} is not a-z, 0-9 and -, at most 20, other than main"));
    }
    Some(Lane { id, name: name?, share_percent: u8::try_from(share?).unwrap_or(1), access, claims })
}

fn read_claims(r: &mut Reader<'_>) -> Vec<Claim> {
    let words: Vec<String> = r.list("claims");
    let mut claims = Vec::new();
    for word in words {
        match word.parse() {
            Ok(claim) => claims.push(claim),
            Err(_) => r.finds(Code::Word, "claims", format!("{word:?}")),
        }
    }
    claims
}

/// Reads the registration; `event` are zone, opening and end. A missing table is none.
pub(super) fn registration(
    table: &toml::Table,
    event: Option<&(String, WallMs, WallMs)>,
    lanes: &[Lane],
    findings: &mut Vec<Finding>,
) -> Option<Registration> {
    let invites = lanes.iter().any(|lane| lane.access == Access::Invitation);
    if invites == table.is_empty() {
        let detail = "a registration and a lane whose access is invitation come together";
        findings.push(Finding::new(Code::LaneAccess, "registration", detail));
    }
    if table.is_empty() {
        return None;
    }
    let mut r = Reader::new(table, "registration", REGISTRATION_KEYS, findings);
    let (zone, opens, _) = event?;
    let (from, draw) = (instant(&mut r, "opens_at", zone), instant(&mut r, "draws_at", zone));
    let invited = r.whole("invited", 1..=INVITED_MAX, None);
    let (opens_at_ms, draws_at_ms) = (from?, draw?);
    if opens_at_ms >= draws_at_ms || draws_at_ms >= *opens {
        r.finds(Code::RegistrationOrder, "draws_at", "must be after opens_at and before the event's own opening");
    }
    Some(Registration { opens_at_ms, draws_at_ms, invited: u64::from(small(invited?)) })
}

fn instant(r: &mut Reader<'_>, field: &str, zone: &str) -> Option<WallMs> {
    let text = r.text(field)?;
    let at = times::instant(&text, &times::zone(zone)?);
    at.map_err(|code| r.finds(code, field, format!("{text:?} in {zone}"))).ok()
}
