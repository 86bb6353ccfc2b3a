//! What the Pacer keeps of one line of the event: its generations, its rows, and what its shards last answered.
//!
//! The main line's lie where they lay before there were lanes.

use std::collections::BTreeMap;

use domain::cohort::{Grants, Row};
use domain::lane::MAIN;
use serde::Deserialize;
use worker::Result;

use crate::sql::{Arg, Db, int};
use crate::wire::RelayAnswer;

/// The rows of the main line, and those of all others.
pub const SCHEMA: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS cohort (k INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS lane_cohort (line INTEGER NOT NULL, k INTEGER NOT NULL, body TEXT NOT NULL, \
     PRIMARY KEY (line, k)) WITHOUT ROWID",
];
/// Rows in one answer to a shard that catches up.
const ROWS_AT_ONCE: i64 = 200;

/// A line's part of the storage.
pub struct Line<'a> {
    db: &'a Db,
    line: u8,
}

#[derive(Deserialize)]
struct Body {
    body: String,
}

impl<'a> Line<'a> {
    pub(super) fn of(db: &'a Db, line: u8) -> Self {
        Self { db, line }
    }

    /// What the shards last answered, by number.
    pub fn shards(&self) -> Result<BTreeMap<u16, RelayAnswer>> {
        Ok(self.db.get(&self.name("shards"))?.unwrap_or_default())
    }

    /// Keeps what the shards answered.
    pub fn put_shards(&self, shards: &BTreeMap<u16, RelayAnswer>) -> Result<()> {
        self.db.put(&self.name("shards"), shards)
    }

    /// Entries in it, as its shards last told.
    pub fn entries(&self) -> Result<u64> {
        Ok(self.shards()?.values().map(|shard| shard.entries).sum())
    }

    /// The generations granted.
    pub fn grants(&self) -> Result<Grants> {
        Ok(self.db.get(&self.name("grants"))?.unwrap_or_default())
    }

    /// Writes them.
    pub fn put_grants(&self, grants: &Grants) -> Result<()> {
        self.db.put(&self.name("grants"), grants)
    }

    /// The last closed row.
    pub fn last_row(&self) -> Result<Option<Row>> {
        let query = match self.line {
            MAIN => "SELECT body FROM cohort WHERE k > ? ORDER BY k DESC LIMIT 1",
            _ => "SELECT body FROM lane_cohort WHERE line = ? AND k > ? ORDER BY k DESC LIMIT 1",
        };
        Ok(self.read(query, vec![int(-1)])?.into_iter().next())
    }

    /// Rows after a cohort, some at once.
    pub fn rows_after(&self, after: Option<u32>) -> Result<Vec<Row>> {
        let query = match self.line {
            MAIN => "SELECT body FROM cohort WHERE k > ? ORDER BY k LIMIT ?",
            _ => "SELECT body FROM lane_cohort WHERE line = ? AND k > ? ORDER BY k LIMIT ?",
        };
        self.read(query, vec![int(after.map_or(-1, i64::from)), int(ROWS_AT_ONCE)])
    }

    /// Inserts a row: the close. A row that exists is never replaced.
    pub fn insert_row(&self, row: &Row) -> Result<()> {
        let insert = match self.line {
            MAIN => "INSERT INTO cohort (k, body) VALUES (?, ?)",
            _ => "INSERT INTO lane_cohort (line, k, body) VALUES (?, ?, ?)",
        };
        self.db.run(insert, self.args(vec![int(row.k), serde_json::to_string(row)?.into()]))
    }

    fn read(&self, query: &str, args: Vec<Arg>) -> Result<Vec<Row>> {
        let bodies: Vec<Body> = self.db.rows(query, self.args(args))?;
        bodies.into_iter().map(|body| serde_json::from_str(&body.body).map_err(Into::into)).collect()
    }

    /// The arguments of a statement; those of lanes begin with the line.
    fn args(&self, args: Vec<Arg>) -> Vec<Arg> {
        if self.line == MAIN { args } else { std::iter::once(int(self.line)).chain(args).collect() }
    }

    fn name(&self, fact: &str) -> String {
        if self.line == MAIN { fact.to_owned() } else { format!("{fact}-{}", self.line) }
    }
}
