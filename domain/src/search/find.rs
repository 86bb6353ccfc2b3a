//! A search as one statement.

use super::doc::{OPEN, first_row, magnitude, price_tag};
use super::fold::Word;
use super::place::{chord_squared, kilometres};
use super::query::Query;
use crate::money::Currency;

/// A value of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A whole number below 2^53.
    Int(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
}

/// A statement with its values, in the order of its question marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// SQL.
    pub sql: String,
    /// Values.
    pub args: Vec<Arg>,
}

/// A row of the answer.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct Found {
    /// The event's row: where the next answer goes on.
    pub row: i64,
    /// The event as it is shown, JSON.
    pub shown: String,
    /// How far away it is, as [`Found::distance_km`] reads it.
    #[serde(default)]
    pub chord: Option<f64>,
}

impl Found {
    /// How far away it is over the ground.
    #[must_use]
    pub fn distance_km(&self) -> Option<f64> {
        self.chord.map(kilometres)
    }
}

/// The statement that finds what is asked for in the tables of this slot: one event more than wanted, if there are more.
#[must_use]
pub fn find(query: &Query, slot: u8) -> Statement {
    let mut parts = Parts::default();
    let matched = expression(query);
    let (from, row) = match &matched {
        // In this order: the full-text index leads, since it answers in the order of rows.
        Some(_) => (
            format!("words_{slot} CROSS JOIN event_{slot} e ON e.doc = words_{slot}.rowid"),
            format!("words_{slot}.rowid"),
        ),
        None => (format!("event_{slot} e"), "e.doc".to_owned()),
    };
    let chord = chord(query, &mut parts);
    parts.condition(query, slot, &row, matched);
    let sql = format!(
        "SELECT e.doc AS row, e.shown AS shown{chord} FROM {from} WHERE {} ORDER BY {row} LIMIT {}",
        parts.conditions.join(" AND "),
        query.limit + 1,
    );
    Statement { sql, args: parts.args }
}

#[derive(Default)]
struct Parts {
    conditions: Vec<String>,
    args: Vec<Arg>,
}

impl Parts {
    fn and(&mut self, condition: impl Into<String>, arg: Arg) {
        self.conditions.push(condition.into());
        self.args.push(arg);
    }

    fn condition(&mut self, query: &Query, slot: u8, row: &str, matched: Option<String>) {
        match matched {
            Some(text) => self.and(format!("words_{slot} MATCH ?"), Arg::Text(text)),
            None => self.conditions.push("e.listed".into()),
        }
        let first = first_row(query.from).max(query.after.map_or(0, |after| after + 1));
        self.and(format!("{row} >= ?"), Arg::Int(first));
        if let Some(until) = query.until {
            self.and(format!("{row} < ?"), Arg::Int(first_row(until)));
        }
        self.and("e.ends > ?", Arg::Int(query.now.0));
        if let Some(most) = query.price_max {
            self.and("e.price <= ?", Arg::Int(most));
        }
        if let Some((point, km)) = query.near {
            let [x, y, z] = point.vector().map(Arg::Real);
            self.conditions.push(format!("{CHORD} <= ?"));
            self.args.extend([x.clone(), x, y.clone(), y, z.clone(), z, Arg::Real(chord_squared(km))]);
        }
    }
}

const CHORD: &str = "((e.x - ?) * (e.x - ?) + (e.y - ?) * (e.y - ?) + (e.z - ?) * (e.z - ?))";

/// The distance among what is selected.
fn chord(query: &Query, parts: &mut Parts) -> String {
    let Some((point, _)) = query.near else { return String::new() };
    let [x, y, z] = point.vector().map(Arg::Real);
    parts.args.extend([x.clone(), x, y.clone(), y, z.clone(), z]);
    format!(", {CHORD} AS chord")
}

/// What the full-text index is asked; `None` where only the time matters.
fn expression(query: &Query) -> Option<String> {
    let words = query.words.iter().map(term).collect::<Vec<_>>().join(" AND ");
    let mut groups = Vec::new();
    if !words.is_empty() {
        groups.push(format!("{{text}} : ({words})"));
    }
    groups.extend(tags(query).iter().map(|any| format!("{{tags}} : ({})", any.join(" OR "))));
    (!groups.is_empty()).then(|| groups.join(" AND "))
}

/// Words have letters and digits only, so the quotes hold.
fn term(word: &Word) -> String {
    match word {
        Word::Spaced(word) => format!("\"{word}\" *"),
        Word::Dense(run) => format!("\"{}\"", run.iter().map(char::to_string).collect::<Vec<_>>().join(" ")),
    }
}

/// Groups of tags, of each of which one must be there.
fn tags(query: &Query) -> Vec<Vec<String>> {
    let open = query.open.then(|| vec![OPEN.to_owned()]);
    let prices = query.currency.map(|currency| prices(currency, query.price_max));
    let cells = query.near.map(|(point, km)| point.around(km));
    [open, prices, cells].into_iter().flatten().collect()
}

fn prices(currency: Currency, most: Option<i64>) -> Vec<String> {
    let largest = magnitude(most.unwrap_or(1 << 52));
    (0..=largest).map(|magnitude| price_tag(currency, magnitude)).collect()
}
