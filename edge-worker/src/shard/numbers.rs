//! Numbers follow from the Pacer's rows; a shard keeps copies of them.

use domain::cohort::{Entry, Row};
use domain::draw::{DrawFile, SealFile};
use serde::Deserialize;
use worker::Env;

use super::Inner;
use crate::config::Config;
use crate::draw::event_commitment;
use crate::objects;
use crate::problem::{Code, Problem};
use crate::sql::int;
use crate::wire::{RowAsk, RowsAsk, pacer_op};

/// Rows in one answer to a Pacer that is restored.
const ROWS_AT_ONCE: i64 = 200;

#[derive(Deserialize)]
struct Body {
    body: String,
}

/// Number and cohort of an entry, if its cohort is closed and its row is here.
pub fn number_of(inner: &Inner, entry: &Entry) -> Result<Option<(u64, u32)>, Problem> {
    let row = covering(inner, entry.epoch, entry.index)?;
    Ok(row.and_then(|row| Some((row.place_of_entry(inner.number, entry)?, row.k))))
}

/// The row that numbers an entry.
pub fn covering(inner: &Inner, epoch: u32, index: u64) -> Result<Option<Row>, Problem> {
    let query = "SELECT body FROM cohort WHERE k = \
                 (SELECT k FROM reach WHERE epoch = ? AND upto > ? ORDER BY upto LIMIT 1)";
    read(inner.store.db.first(query, vec![int(epoch), int(index)])?)
}

/// The draw file of a cohort, as a JSON string: its bytes are named by hash and must not change.
pub fn draw(inner: &Inner, config: &Config, ask: &RowAsk) -> Result<String, Problem> {
    let row: Option<Row> = read(inner.store.db.first("SELECT body FROM cohort WHERE k = ?", vec![int(ask.k)])?)?;
    let row = row.ok_or(Code::NotFound)?;
    let event = inner.facts.borrow().event.clone().ok_or(Code::NotFound)?;
    let text = String::from_utf8(crate::draw::bytes(config, &event, &row)?).map_err(|_| Code::Internal)?;
    Ok(serde_json::to_string(&text)?)
}

/// The seal file, as a JSON string: as it was published before the draw, or as the draw of cohort 0 shows it.
pub fn seal(inner: &Inner, config: &Config) -> Result<String, Problem> {
    let first: Option<Row> = read(inner.store.db.first("SELECT body FROM cohort WHERE k = 0", vec![])?)?;
    let text = match first {
        None => inner.store.db.get::<String>("seal")?,
        Some(row) => {
            let event = inner.facts.borrow().event.clone().ok_or(Code::NotFound)?;
            let file = DrawFile::new(&inner.event, &row, event_commitment(config, &event)?);
            SealFile::of_draw(&file).map(|seal| seal.text())
        }
    };
    Ok(serde_json::to_string(&text.ok_or(Code::NotFound)?)?)
}

/// Whether an entry waits for the draw of cohort 0: it is sealed, and its row is not here yet.
pub fn sealed(inner: &Inner, epoch: u32, index: u64) -> Result<bool, Problem> {
    let waits = inner.facts.borrow().last_row.is_none();
    let text = if waits { inner.store.db.get::<String>("seal")? } else { None };
    let file: Option<SealFile> = text.map(|text| serde_json::from_str(&text)).transpose()?;
    Ok(file.is_some_and(|file| file.cuts.iter().any(|cut| cut.has(inner.number, epoch, index))))
}

fn read(body: Option<Body>) -> Result<Option<Row>, Problem> {
    let parse = |body: Body| serde_json::from_str(&body.body).map_err(|error| worker::Error::from(error).into());
    body.map(parse).transpose()
}

/// Takes in the last row, and those before it that were missed.
pub async fn take(inner: &Inner, row: Row, env: &Env) -> Result<(), Problem> {
    reach(inner, row.k, env).await?;
    insert(inner, &row)
}

/// Fetches the rows before cohort `k` that were missed.
pub async fn reach(inner: &Inner, k: u32, env: &Env) -> Result<(), Problem> {
    if missing(inner, k) {
        catch_up(inner, env).await?;
    }
    if missing(inner, k) { Err(Code::LineUnavailable.into()) } else { Ok(()) }
}

/// Fetches all rows that are not here yet.
pub async fn catch_up(inner: &Inner, env: &Env) -> Result<(), Problem> {
    let pacer = objects::pacer(env, &inner.event)?;
    loop {
        let (after, beat) = asked_at(inner);
        let rows: Vec<Row> = objects::ask(&pacer, pacer_op::ROWS, &RowsAsk { line: inner.line, after }).await?;
        // A promise made meanwhile may be to a Pacer that does not have these rows: ask that one.
        if asked_at(inner).1 != beat {
            continue;
        }
        if rows.is_empty() {
            return Ok(());
        }
        rows.iter().try_for_each(|row| insert(inner, row))?;
    }
}

/// The last row that is here, and the beat.
fn asked_at(inner: &Inner) -> (Option<u32>, u64) {
    let facts = inner.facts.borrow();
    (facts.last_row, facts.last.beat)
}

/// Whether rows between the last one known and that of cohort `k` are not here.
fn missing(inner: &Inner, k: u32) -> bool {
    k > inner.facts.borrow().last_row.map_or(0, |last| last.saturating_add(1))
}

/// The newest row.
pub fn newest(inner: &Inner) -> Result<Option<Row>, Problem> {
    read(inner.store.db.first("SELECT body FROM cohort ORDER BY k DESC LIMIT 1", vec![])?)
}

/// Rows after a cohort, some at once.
pub fn rows(inner: &Inner, ask: &RowsAsk) -> Result<Vec<Row>, Problem> {
    let query = "SELECT body FROM cohort WHERE k > ? ORDER BY k LIMIT ?";
    let args = vec![int(ask.after.map_or(-1, i64::from)), int(ROWS_AT_ONCE)];
    let bodies: Vec<Body> = inner.store.db.rows(query, args)?;
    bodies.into_iter().filter_map(|body| read(Some(body)).transpose()).collect()
}

/// Inserts the next row; others are known already. The row itself comes last: with it the rest counts.
fn insert(inner: &Inner, row: &Row) -> Result<(), Problem> {
    let mut facts = inner.facts.borrow_mut();
    if facts.last_row.is_some_and(|last| row.k <= last) {
        return Ok(());
    }
    let db = &inner.store.db;
    for log in row.cuts.iter().filter(|log| log.shard == inner.number && log.to > log.from) {
        let args = vec![int(log.epoch), int(log.to), int(row.k)];
        db.run("INSERT OR REPLACE INTO reach (epoch, upto, k) VALUES (?, ?, ?)", args)?;
    }
    let body = serde_json::to_string(row)?;
    db.run("INSERT OR REPLACE INTO cohort (k, body) VALUES (?, ?)", vec![int(row.k), body.into()])?;
    facts.last_row = Some(row.k);
    Ok(())
}
