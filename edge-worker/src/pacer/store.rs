//! The Pacer's tables and facts.

use std::collections::BTreeMap;

use domain::cohort::{Cut, Row};
use domain::operate::Orders;
use domain::time::WallMs;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{Result, State};

use super::course::Course;
use super::journal;
use super::seal::Seal;
use crate::event::Edition;
use crate::sql::{Db, int};
use crate::wire::RelayAnswer;

const SCHEMA: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS cohort (k INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, line TEXT NOT NULL)",
];
/// Lines of the log that are kept.
const LOG_LINES: i64 = 200;
/// Rows in one answer to a shard that catches up.
const ROWS_AT_ONCE: i64 = 200;

/// The Pacer's storage.
pub struct Store {
    pub(super) db: Db,
}

#[derive(Deserialize)]
struct Body {
    body: String,
}

/// A line of the log: what the line itself did. What operators did is in the journal.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// Wall time.
    pub at: i64,
    /// What happened.
    pub line: String,
}

impl Store {
    /// Opens it.
    pub fn open(state: &State) -> Result<Self> {
        Ok(Self { db: Db::open(state, &[&SCHEMA[..], &journal::SCHEMA[..]].concat())? })
    }

    /// The event.
    pub fn event(&self) -> Result<Option<Edition>> {
        self.db.get("event")
    }

    /// Stores a new edition.
    pub fn put_event(&self, event: &Edition) -> Result<()> {
        self.db.put("event", event)
    }

    /// The operator's orders.
    pub fn orders(&self) -> Result<Orders> {
        Ok(self.db.get("orders")?.unwrap_or_default())
    }

    /// Stores the operator's orders.
    pub fn put_orders(&self, orders: &Orders) -> Result<()> {
        self.db.put("orders", orders)
    }

    /// The number of the last beat.
    pub fn beat(&self) -> Result<u64> {
        Ok(self.db.get("beat")?.unwrap_or_default())
    }

    /// Writes a beat's number, before anything is sent in its name.
    pub fn put_beat(&self, beat: u64) -> Result<()> {
        self.db.put("beat", &beat)
    }

    /// The course so far.
    pub fn course(&self) -> Result<Course> {
        Ok(self.db.get("course")?.unwrap_or_default())
    }

    /// Writes the course: from here on a beat's decision stands.
    pub fn put_course(&self, course: &Course) -> Result<()> {
        self.db.put("course", course)
    }

    /// The seat map as the origin last sent it.
    pub fn map(&self) -> Result<Option<Value>> {
        self.db.get("map")
    }

    /// Keeps the seat map.
    pub fn put_map(&self, map: &Value) -> Result<()> {
        self.db.put("map", map)
    }

    /// What the shards last answered, by number.
    pub fn shards(&self) -> Result<BTreeMap<u16, RelayAnswer>> {
        Ok(self.db.get("shards")?.unwrap_or_default())
    }

    /// Keeps what the shards answered.
    pub fn put_shards(&self, shards: &BTreeMap<u16, RelayAnswer>) -> Result<()> {
        self.db.put("shards", shards)
    }

    /// The generation in force of each shard that has begun.
    pub fn generations(&self) -> Result<BTreeMap<u16, u32>> {
        Ok(self.db.get("generations")?.unwrap_or_default())
    }

    /// Grants a shard a generation that nobody else has or had; it is in force from now on.
    pub fn grant(&self, shard: u16) -> Result<u32> {
        let mut granted: BTreeMap<u16, u32> = self.db.get("granted")?.unwrap_or_default();
        let generation = granted.get(&shard).map_or(0, |last| last.saturating_add(1));
        granted.insert(shard, generation);
        self.db.put("granted", &granted)?;
        self.put_generation(shard, generation)?;
        Ok(generation)
    }

    /// Notes which generation is in force.
    pub fn put_generation(&self, shard: u16, generation: u32) -> Result<()> {
        let mut generations = self.generations()?;
        generations.insert(shard, generation);
        self.db.put("generations", &generations)
    }

    /// The last closed row.
    pub fn last_row(&self) -> Result<Option<Row>> {
        read(self.db.first("SELECT body FROM cohort ORDER BY k DESC LIMIT 1", vec![])?)
    }

    /// The people of cohort 0, from their seal to their draw.
    pub fn seal(&self) -> Result<Option<Seal>> {
        if self.last_row()?.is_some() { Ok(None) } else { self.db.get("seal") }
    }

    /// Seals cohort 0.
    pub fn put_seal(&self, seal: &Seal) -> Result<()> {
        self.db.put("seal", seal)
    }

    /// The cut that no shard may go behind any more: of the newest row, or of the seal.
    pub fn closed_cut(&self) -> Result<Option<Cut>> {
        Ok(self.last_row()?.map(|row| row.cut()).or(self.seal()?.map(|seal| seal.list.cut())))
    }

    /// Why the beacon's round was last not there though it was due.
    pub fn beacon_trouble(&self) -> Result<Option<String>> {
        self.db.get("beacon_trouble")
    }

    /// Notes why the beacon's round is not there.
    pub fn put_beacon_trouble(&self, why: &str) -> Result<()> {
        self.db.put("beacon_trouble", &why)
    }

    /// Rows after a cohort, some at once.
    pub fn rows_after(&self, after: Option<u32>) -> Result<Vec<Row>> {
        let query = "SELECT body FROM cohort WHERE k > ? ORDER BY k LIMIT ?";
        let bodies: Vec<Body> = self.db.rows(query, vec![int(after.map_or(-1, i64::from)), int(ROWS_AT_ONCE)])?;
        bodies.into_iter().map(|body| serde_json::from_str(&body.body).map_err(Into::into)).collect()
    }

    /// Inserts a row: the close. A row that exists is never replaced.
    pub fn insert_row(&self, row: &Row) -> Result<()> {
        let body = serde_json::to_string(row)?;
        self.db.run("INSERT INTO cohort (k, body) VALUES (?, ?)", vec![int(row.k), body.into()])
    }

    /// Adds a line to the log.
    pub fn log(&self, at: WallMs, line: &str) -> Result<()> {
        self.db.run("INSERT INTO log (at, line) VALUES (?, ?)", vec![int(at.0), line.into()])?;
        let old = "DELETE FROM log WHERE id <= (SELECT max(id) FROM log) - ?";
        self.db.run(old, vec![int(LOG_LINES)])
    }

    /// The newest lines of the log, newest first.
    pub fn log_lines(&self, count: i64) -> Result<Vec<Line>> {
        self.db.rows("SELECT at, line FROM log ORDER BY id DESC LIMIT ?", vec![int(count)])
    }
}

fn read(body: Option<Body>) -> Result<Option<Row>> {
    body.map(|body| serde_json::from_str(&body.body).map_err(Into::into)).transpose()
}
