//! The Pacer's tables and facts.

use std::collections::BTreeMap;

use domain::cohort::Cut;
use domain::lane::MAIN;
use domain::map::chart::Chart;
use domain::operate::Orders;
use domain::report::Tally;
use domain::time::WallMs;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{Result, State};

use super::course::Course;
use super::lines::{self, Line as LineStore};
use super::seal::Seal;
use super::{history, journal};
use crate::event::Edition;
use crate::sql::{Db, int};
use crate::wire::MapText;

const SCHEMA: [&str; 1] =
    ["CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, line TEXT NOT NULL)"];
/// Lines of the log that are kept.
const LOG_LINES: i64 = 200;
/// Facts that each beat copies to the shards as they are, so that they survive the loss of this storage.
const COPIED: [&str; 5] = ["orders", "operators", "journal-head", "seal", "tally-gone"];

/// The Pacer's storage.
pub struct Store {
    pub(super) db: Db,
}

/// Facts by name.
pub type Facts = BTreeMap<String, Value>;

/// A recovery under way: it must not begin anew with a beat that shards have promised away.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recovery {
    /// Shards to ask.
    pub shards: u16,
    /// The beat to ask them with.
    pub beat: u64,
    /// What it waits for, in words for the operator.
    pub waits: String,
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
        Ok(Self {
            db: Db::open(
                state,
                &[&lines::SCHEMA[..], &SCHEMA[..], &journal::SCHEMA[..], &history::SCHEMA[..]].concat(),
            )?,
        })
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

    /// The seat map.
    pub fn map(&self) -> Result<Option<Chart>> {
        self.db.get("chart")
    }

    /// The seat map's text.
    pub fn map_text(&self) -> Result<Option<String>> {
        self.db.text("chart")
    }

    /// Keeps the seat map.
    pub fn put_map(&self, map: &Chart) -> Result<()> {
        self.db.put("chart", map)
    }

    /// How much is free where.
    pub fn counts(&self) -> Result<Option<MapText>> {
        self.db.get("counts")
    }

    /// Keeps how much is free where.
    pub fn put_counts(&self, counts: &MapText) -> Result<()> {
        self.db.put("counts", counts)
    }

    /// What was wrong with the last map that came, if anything was.
    pub fn odd_map(&self) -> Result<Option<String>> {
        self.db.get("odd_map").map(Option::flatten)
    }

    /// Notes what is wrong with the map, or that nothing is.
    pub fn put_odd_map(&self, why: Option<&str>) -> Result<()> {
        self.db.put("odd_map", &why)
    }

    /// What is kept of one line.
    pub fn line(&self, line: u8) -> LineStore<'_> {
        LineStore::of(&self.db, line)
    }

    /// What is kept of the main line.
    pub fn main(&self) -> LineStore<'_> {
        self.line(MAIN)
    }

    /// What the shards keep for a Pacer that lost its storage: orders and course. Rows, generations and the event they have.
    pub fn facts(&self) -> Result<Facts> {
        let mut facts = Facts::new();
        for name in COPIED {
            facts.extend(self.db.get::<Value>(name)?.map(|fact| (name.to_owned(), fact)));
        }
        facts.insert("course".into(), serde_json::to_value(self.course()?.copy())?);
        Ok(facts)
    }

    /// Writes such facts back.
    pub fn put_facts(&self, facts: &Facts) -> Result<()> {
        facts.iter().try_for_each(|(name, fact)| self.db.put(name, fact))
    }

    /// Whether this is a line whose storage was lost as a whole after its opening.
    pub fn lost(&self) -> Result<bool> {
        Ok(self.db.get("lost")?.unwrap_or_default())
    }

    /// Notes that it is.
    pub fn put_lost(&self) -> Result<()> {
        self.db.put("lost", &true)
    }

    /// How far restoring has come, while it goes on.
    pub fn recovery(&self) -> Result<Option<Recovery>> {
        Ok(self.db.get("recovery")?.flatten())
    }

    /// Notes how far it has come, or that it is over.
    pub fn put_recovery(&self, recovery: Option<&Recovery>) -> Result<()> {
        self.db.put("recovery", &recovery)
    }

    /// The people of cohort 0, from their seal to their draw.
    pub fn seal(&self) -> Result<Option<Seal>> {
        if self.main().last_row()?.is_some() { Ok(None) } else { self.db.get("seal") }
    }

    /// Seals cohort 0.
    pub fn put_seal(&self, seal: &Seal) -> Result<()> {
        self.db.put("seal", seal)
    }

    /// The cut that no shard may go behind any more: of the newest row, or of the seal.
    pub fn closed_cut(&self) -> Result<Option<Cut>> {
        Ok(self.main().last_row()?.map(|row| row.cut()).or(self.seal()?.map(|seal| seal.list.cut())))
    }

    /// What was counted by generations of shards that are no more.
    pub fn tally_gone(&self) -> Result<Tally> {
        Ok(self.db.get("tally-gone")?.unwrap_or_default())
    }

    /// Keeps what a shard had counted before it lost its storage.
    pub fn add_tally_gone(&self, lost: &Tally) -> Result<()> {
        let mut all = self.tally_gone()?;
        all.add(lost);
        self.db.put("tally-gone", &all)
    }

    /// Why the beacon's round was last not there though it was due.
    pub fn beacon_trouble(&self) -> Result<Option<String>> {
        self.db.get("beacon_trouble")
    }

    /// Notes why the beacon's round is not there.
    pub fn put_beacon_trouble(&self, why: &str) -> Result<()> {
        self.db.put("beacon_trouble", &why)
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
