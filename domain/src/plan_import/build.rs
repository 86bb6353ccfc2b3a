//! A plan and an event put together, checked against each other.

use std::collections::{BTreeMap, BTreeSet};

use super::Imported;
use super::definition::{EventDefinition, PoolDef, PriceLevel, SectionBlocks};
use super::event::Event;
use super::finding::{Code, Finding};
use super::levels::Level;
use super::plan::{Plan, Position, Row as PlanRow, Seat as PlanSeat, Zone};
use crate::ids::{SeatId, SectionId};
use crate::layout::{self, Layout, blocks_of, implied_id};
use crate::provider::looks_like_card_number;

/// Builds layout and definition, adding findings; the result counts only when there are none.
pub(super) fn build(event: Event, plan: &Plan, findings: &mut Vec<Finding>) -> Imported {
    let levels = price_levels(&event, plan, findings);
    let mut builder = Builder {
        levels: level_positions(&event, plan, findings),
        ids: BTreeSet::new(),
        kinds: kinds(&event, findings),
        findings,
    };
    let sections = builder.sections(&plan.zones);
    builder.unknown_seats();
    builder.named(event.pools.iter().map(|pool| ("pool", pool.id.as_str())));
    for level in &event.levels {
        let types = level.types.iter().map(|of| ("price type", of.id.as_str()));
        builder.named([("level", level.id.as_str())].into_iter().chain(types));
    }
    entrances(&event, &sections, builder.findings);
    if sections.iter().all(|s| s.seat_count() == 0) && event.pools.is_empty() {
        findings.push(Finding::new(Code::NoSeats, "zones", "no seat and no pool"));
    }
    let layout = draw(&event, plan, &levels, sections);
    Imported { definition: define(event, levels, &layout), layout }
}

/// What is wrong with a plan by itself, for when the event cannot be read: whoever mends one should hear of both.
pub(super) fn check_alone(plan: &Plan, findings: &mut Vec<Finding>) {
    let levels = plan.categories.iter().map(|category| (category.name.clone(), 0)).collect();
    let mut builder = Builder { levels, ids: BTreeSet::new(), kinds: BTreeMap::new(), findings };
    builder.sections(&plan.zones);
}

fn price_levels(event: &Event, plan: &Plan, findings: &mut Vec<Finding>) -> Vec<PriceLevel> {
    event.levels.iter().map(|l| price_level(l, plan, findings)).collect()
}

fn price_level(level: &Level, plan: &Plan, findings: &mut Vec<Finding>) -> PriceLevel {
    let category = level.category.as_ref().map(|name| (name, plan.categories.iter().find(|c| &c.name == name)));
    if let Some((name, None)) = category {
        findings.push(Finding::new(
            Code::UnpricedCategory,
            format!("levels.{}", level.id),
            format!("the plan has no category {name:?}"),
        ));
    }
    let color = category.and_then(|(_, c)| c).and_then(|c| c.color.clone());
    PriceLevel {
        id: level.id.clone(),
        name: level.name.clone().or_else(|| level.category.clone()).unwrap_or_else(|| level.id.clone()),
        color: level.color.clone().or(color).unwrap_or_else(|| "#888888".to_owned()),
        price: level.price,
        types: level.types.clone(),
    }
}

/// Position of the level of each category of the plan; categories that have seats but no level are findings.
fn level_positions(event: &Event, plan: &Plan, findings: &mut Vec<Finding>) -> BTreeMap<String, usize> {
    let used: BTreeSet<&String> = seats(plan).map(|s| &s.category).collect();
    let mut positions = BTreeMap::new();
    for category in &plan.categories {
        match event.levels.iter().position(|l| l.category.as_ref() == Some(&category.name)) {
            Some(at) => drop(positions.insert(category.name.clone(), at)),
            None if used.contains(&category.name) => {
                let detail = "seats of this category have no price level";
                findings.push(Finding::new(Code::UnpricedCategory, format!("categories.{}", category.name), detail));
                positions.insert(category.name.clone(), 0);
            }
            None => {}
        }
    }
    positions
}

fn seats(plan: &Plan) -> impl Iterator<Item = &PlanSeat> {
    plan.zones.iter().flat_map(|z| &z.rows).flat_map(|r| &r.seats)
}

/// Seats that are not ordinary, by id; a seat that is named twice is a finding.
fn kinds(event: &Event, findings: &mut Vec<Finding>) -> BTreeMap<SeatId, u8> {
    let mut kinds = BTreeMap::new();
    let accessible = event.accessible.iter().map(|s| (s, 1, "accessible"));
    for (seat, kind, field) in accessible.chain(event.companion.iter().map(|s| (s, 2, "companion"))) {
        if kinds.insert(seat.clone(), kind).is_some() {
            findings.push(Finding::new(Code::UnknownSeat, field, format!("{seat} is named twice")));
        }
    }
    kinds
}

struct Builder<'a> {
    levels: BTreeMap<String, usize>,
    ids: BTreeSet<SeatId>,
    kinds: BTreeMap<SeatId, u8>,
    findings: &'a mut Vec<Finding>,
}

impl Builder<'_> {
    fn finds(&mut self, code: Code, at: impl Into<String>, detail: impl Into<String>) {
        self.findings.push(Finding::new(code, at, detail));
    }

    /// Ids that stand in fans' calls must not look like card numbers, or those calls would be refused.
    fn named<'b>(&mut self, ids: impl Iterator<Item = (&'b str, &'b str)>) {
        for (what, id) in ids.filter(|(_, id)| looks_like_card_number(id)) {
            self.finds(Code::CardNumber, format!("{what} {id:?}"), "13 to 19 digits with a card number's check digit");
        }
    }

    fn sections(&mut self, zones: &[Zone]) -> Vec<layout::Section> {
        let mut names = BTreeSet::new();
        let mut sections = Vec::new();
        for zone in zones {
            let Some(section) = self.section(zone) else { continue };
            if !names.insert(section.id.clone()) {
                self.finds(Code::DuplicateSection, section.id.to_string(), "two zones have this id");
            }
            sections.push(section);
        }
        sections
    }

    fn section(&mut self, zone: &Zone) -> Option<layout::Section> {
        let text = zone.zone_id.as_deref().unwrap_or(&zone.name);
        let Ok(id) = text.parse::<SectionId>() else {
            self.finds(Code::Id, format!("zone {text:?}"), "letters, digits, '.', '_' and '-'; at most 60");
            return None;
        };
        self.named([("section", id.as_str())].into_iter());
        self.position(&format!("zone {id}"), zone.position);
        let mut labels = BTreeSet::new();
        let rows = zone.rows.iter().map(|row| self.row(zone, &id, row, &mut labels)).collect();
        Some(layout::Section {
            id,
            name: zone.name.clone(),
            x: round(zone.position.x),
            y: round(zone.position.y),
            rows,
        })
    }

    fn row(
        &mut self,
        zone: &Zone,
        id: &SectionId,
        row: &PlanRow,
        labels: &mut BTreeSet<(String, String)>,
    ) -> layout::Row {
        let label = row.row_number.clone().unwrap_or_default();
        let origin = Position { x: zone.position.x + row.position.x, y: zone.position.y + row.position.y };
        let mut seats = Vec::new();
        for seat in &row.seats {
            let number = seat.seat_number.clone().unwrap_or_default();
            if !labels.insert((label.clone(), number.clone())) {
                self.finds(
                    Code::DuplicateLabel,
                    format!("{id} row {label:?} seat {number:?}"),
                    "two seats have this label",
                );
            }
            seats.extend(self.seat(id, &label, number, origin, seat));
        }
        layout::Row { label, seats }
    }

    fn seat(
        &mut self,
        section: &SectionId,
        row: &str,
        label: String,
        origin: Position,
        seat: &PlanSeat,
    ) -> Option<layout::Seat> {
        let Ok(id) = seat.seat_guid.parse::<SeatId>() else {
            self.finds(Code::Id, format!("seat {:?}", seat.seat_guid), "letters, digits, '.', '_' and '-'; at most 60");
            return None;
        };
        if !self.ids.insert(id.clone()) {
            self.finds(Code::DuplicateSeatId, id.to_string(), "two seats have this id");
        }
        self.named([("seat", id.as_str())].into_iter());
        let Some(level) = self.levels.get(&seat.category).copied() else {
            self.finds(Code::UnknownCategory, id.to_string(), format!("category {:?}", seat.category));
            return None;
        };
        let at = Position { x: origin.x + seat.position.x, y: origin.y + seat.position.y };
        self.position(&format!("seat {id}"), at);
        let kind = self.kinds.get(&id).copied().unwrap_or(0);
        let implied = implied_id(section, row, &label).as_ref() == Some(&id);
        Some(layout::Seat { label, x: round(at.x), y: round(at.y), level, kind, id: (!implied).then_some(id) })
    }

    fn position(&mut self, what: &str, at: Position) {
        if !(at.x.is_finite() && at.y.is_finite() && at.x.abs() < 1e6 && at.y.abs() < 1e6) {
            self.finds(Code::Position, what, format!("{} / {}", at.x, at.y));
        }
    }

    fn unknown_seats(&mut self) {
        let unknown: Vec<SeatId> = self.kinds.keys().filter(|s| !self.ids.contains(*s)).cloned().collect();
        for seat in unknown {
            self.finds(Code::UnknownSeat, seat.to_string(), "the plan has no such seat");
        }
    }
}

/// An entrance for a section or pool that is not there is a finding: its fans would be sent elsewhere.
fn entrances(event: &Event, sections: &[layout::Section], findings: &mut Vec<Finding>) {
    let known = |area: &str| {
        sections.iter().any(|s| s.id.as_str() == area) || event.pools.iter().any(|p| p.id.as_str() == area)
    };
    let named = event.show.iter().flat_map(|show| show.entrances.keys());
    for area in named.filter(|area| !known(area)) {
        findings.push(Finding::new(
            Code::UnknownSection,
            "show.entrances",
            format!("{area:?} is no section and no pool"),
        ));
    }
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn draw(event: &Event, plan: &Plan, levels: &[PriceLevel], sections: Vec<layout::Section>) -> Layout {
    let shown = |l: &PriceLevel| layout::Level {
        id: l.id.clone(),
        name: l.name.clone(),
        color: l.color.clone(),
        total_minor: l.price.shown_total_minor(event.currency.step_minor()),
    };
    let mut layout = Layout {
        version: String::new(),
        width: plan.size.width,
        height: plan.size.height,
        levels: levels.iter().map(shown).collect(),
        sections,
        pools: event.pools.iter().map(|p| pool(event, p)).collect(),
    };
    layout.seal();
    layout
}

fn pool(event: &Event, pool: &super::event::Pool) -> layout::Pool {
    let [x, y, w, h] = pool.rect;
    let level = event.levels.iter().position(|l| l.id == pool.level).unwrap_or(0);
    layout::Pool { id: pool.id.clone(), name: pool.name.clone(), capacity: pool.capacity, level, x, y, w, h }
}

fn define(event: Event, levels: Vec<PriceLevel>, layout: &Layout) -> EventDefinition {
    let blocks = |s: &layout::Section| SectionBlocks {
        section: s.id.clone(),
        blocks: blocks_of(s).into_iter().map(|b| b.id).collect(),
        seats: u32::try_from(s.seat_count()).unwrap_or(u32::MAX),
    };
    let pool = |p: super::event::Pool| PoolDef {
        id: p.id,
        name: p.name,
        capacity: p.capacity,
        shares: p.shares,
        level: p.level,
    };
    EventDefinition {
        v: 1,
        id: event.id,
        name: event.name,
        venue: event.venue,
        zone: event.zone,
        opens_at_ms: event.opens_at,
        ends_at_ms: event.ends_at,
        currency: event.currency.code().to_owned(),
        home_region: event.home_region,
        rehearsal: event.rehearsal,
        layout_version: layout.version.clone(),
        levels,
        pools: event.pools.into_iter().map(pool).collect(),
        limits: event.limits,
        sections: layout.sections.iter().map(blocks).collect(),
        door: event.door,
        show: event.show,
        beacon: event.beacon,
        lanes: event.lanes,
        registration: event.registration,
        webhook: event.webhook,
    }
}
