//! `[[levels]]` of `event.toml`: price levels, their price types and fees.

use super::finding::{Code, Finding};
use super::reader::Reader;
use crate::ids::PoolId;
use crate::money::{self, Currency};
use crate::price::{Price, PriceType};

/// A price level as it was written.
pub(super) struct Level {
    pub(super) id: String,
    pub(super) category: Option<String>,
    pub(super) name: Option<String>,
    pub(super) color: Option<String>,
    /// The only price, or that of the first type.
    pub(super) price: Price,
    pub(super) types: Vec<PriceType>,
}

const LEVEL_KEYS: &[&str] = &["id", "category", "name", "price", "fee", "fee_percent", "types", "color"];
const TYPE_KEYS: &[&str] = &["id", "name", "price", "fee", "fee_percent"];

/// Most price types of a level.
const TYPES_MAX: usize = 10;

/// Reads the levels; those with anything wrong are left out.
pub(super) fn read(tables: &[toml::Table], currency: Option<Currency>, findings: &mut Vec<Finding>) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    if tables.is_empty() {
        findings.push(Finding::new(Code::Missing, "levels", "at least one price level"));
    }
    for (n, table) in tables.iter().enumerate() {
        let at = format!("levels[{n}]");
        let Some(level) = read_level(table, &at, currency, findings) else { continue };
        let twin = |l: &Level| l.id == level.id || (l.category.is_some() && l.category == level.category);
        if levels.iter().any(twin) {
            findings.push(Finding::new(Code::DuplicateLevel, at, level.id.clone()));
        }
        levels.push(level);
    }
    levels
}

fn read_level(table: &toml::Table, at: &str, currency: Option<Currency>, findings: &mut Vec<Finding>) -> Option<Level> {
    let mut r = Reader::new(table, at, LEVEL_KEYS, findings);
    let id = r.parse::<PoolId>("id", Code::Id).map(|id| id.to_string());
    let (category, name, color) = (r.opt_text("category"), r.opt_text("name"), r.opt_text("color"));
    let fees = read_fees(&mut r, currency, Fees::default());
    let tables = r.tables("types");
    if tables.is_empty() {
        let price = read_price(&mut r, currency, fees?)?;
        return Some(Level { id: id?, category, name, color, price, types: Vec::new() });
    }
    if table.contains_key("price") {
        r.finds(Code::Price, "price", "the level's types have the prices");
    }
    let types = read_types(&tables, at, currency, fees?, findings)?;
    let price = types.first()?.price;
    Some(Level { id: id?, category, name, color, price, types })
}

/// The types, if nothing is wrong with any of them.
fn read_types(
    tables: &[toml::Table],
    level: &str,
    currency: Option<Currency>,
    usual: Fees,
    findings: &mut Vec<Finding>,
) -> Option<Vec<PriceType>> {
    let mut types: Vec<PriceType> = Vec::new();
    for (n, table) in tables.iter().enumerate() {
        let at = format!("{level}.types[{n}]");
        let mut r = Reader::new(table, &at, TYPE_KEYS, findings);
        let (id, name) = (r.parse::<PoolId>("id", Code::Id), r.text("name"));
        let price = read_fees(&mut r, currency, usual).and_then(|fees| read_price(&mut r, currency, fees));
        let (Some(id), Some(name), Some(price)) = (id.map(|id| id.to_string()), name, price) else { continue };
        if types.len() == TYPES_MAX {
            r.finds(Code::Range, "id", format!("at most {TYPES_MAX} types"));
        }
        if types.iter().any(|known| known.id == id) {
            r.finds(Code::DuplicateType, "id", id.clone());
        }
        types.push(PriceType { id, name, price });
    }
    (types.len() == tables.len()).then_some(types)
}

#[derive(Clone, Copy, Default)]
struct Fees {
    fixed_minor: i64,
    ppm: u32,
}

/// The fees that stand there; what does not is as usual.
fn read_fees(r: &mut Reader<'_>, currency: Option<Currency>, usual: Fees) -> Option<Fees> {
    let fixed = match r.opt_text("fee") {
        Some(text) => amount(r, "fee", &text, currency),
        None => Some(usual.fixed_minor),
    };
    let ppm = match r.opt_text("fee_percent") {
        Some(text) => percent(r, &text),
        None => Some(usual.ppm),
    };
    Some(Fees { fixed_minor: fixed?, ppm: ppm? })
}

fn read_price(r: &mut Reader<'_>, currency: Option<Currency>, fees: Fees) -> Option<Price> {
    let price_minor = r.text("price").and_then(|text| amount(r, "price", &text, currency))?;
    Some(Price { price_minor, fee_minor: fees.fixed_minor, fee_ppm: fees.ppm })
}

/// An amount below one million major units, in steps that can be charged; without a currency there is a finding about that
/// already.
fn amount(r: &mut Reader<'_>, field: &str, text: &str, currency: Option<Currency>) -> Option<i64> {
    let currency = currency?;
    let sound = |minor: &i64| {
        (0..=1_000_000 * currency.minor_per_major()).contains(minor) && minor % currency.step_minor() == 0
    };
    let parsed = currency.parse_minor(text).ok().filter(sound);
    if parsed.is_none() {
        r.finds(Code::Price, field, format!("{text:?} is no amount of {} that can be charged", currency.code()));
    }
    parsed
}

/// Per cent, from 0 to 100, with at most four decimals; in millionths.
fn percent(r: &mut Reader<'_>, text: &str) -> Option<u32> {
    let ppm = money::decimal(text, 4).and_then(|ppm| u32::try_from(ppm).ok()).filter(|ppm| *ppm <= 1_000_000);
    if ppm.is_none() {
        r.finds(Code::Price, "fee_percent", format!("{text:?} is not 0 to 100 per cent with at most four decimals"));
    }
    ppm
}
