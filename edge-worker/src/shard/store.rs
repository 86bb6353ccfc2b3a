//! A shard's tables, and its facts in memory.
//!
//! `entry` holds the logs of the present generation, `person` entries of lost ones that a token brought back,
//! `cohort` the closed cohorts, `reach` how far each of them reaches in this shard's logs, `late` those who let their turn lapse.

use domain::cohort::{Entry, Leaf, LogLen, Shard, early_epoch, later_epoch};
use domain::ids::AccountId;
use domain::lane::MAX_LANES;
use domain::time::{EventMs, WallMs};
use domain::token::{Door, Entrance};
use serde::{Deserialize, Serialize};
use worker::{Result, State};

use super::{codes, forget, registered, slowed};
use crate::event::Edition;
use crate::sql::{Arg, Db, int};
use crate::wire::{Copy, Hello};

/// All tables.
pub const SCHEMA: [&str; 13] = [
    codes::TABLES[0],
    codes::TABLES[1],
    codes::TABLES[2],
    registered::TABLE,
    slowed::TABLE,
    "CREATE TABLE IF NOT EXISTS entry (epoch INTEGER NOT NULL, ix INTEGER NOT NULL, at INTEGER NOT NULL, \
     account TEXT NOT NULL, lane INTEGER NOT NULL DEFAULT 0, door INTEGER NOT NULL DEFAULT 0, \
     PRIMARY KEY (epoch, ix)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS entry_account ON entry (account)",
    "CREATE TABLE IF NOT EXISTS person (account TEXT PRIMARY KEY, epoch INTEGER NOT NULL, ix INTEGER NOT NULL, \
     at INTEGER NOT NULL, lane INTEGER NOT NULL DEFAULT 0, door INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS session (account TEXT PRIMARY KEY, session TEXT NOT NULL, place INTEGER NOT NULL, \
     opened INTEGER NOT NULL, late INTEGER NOT NULL, expires INTEGER NOT NULL, lane INTEGER NOT NULL DEFAULT 0) \
     WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS session_opened ON session (opened)",
    "CREATE TABLE IF NOT EXISTS late (account TEXT PRIMARY KEY, since INTEGER NOT NULL, turn INTEGER NOT NULL) \
     WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS cohort (k INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS reach (epoch INTEGER NOT NULL, upto INTEGER NOT NULL, k INTEGER NOT NULL, \
     PRIMARY KEY (epoch, upto)) WITHOUT ROWID",
];

/// The fact that the entries are deleted: how long the logs were.
pub const FORGOTTEN: &str = "forgotten";

/// What a shard knows, in memory; all but `heard` follows from its storage.
#[derive(Default)]
pub struct Facts {
    /// The event, as the Pacer last gave it.
    pub event: Option<Edition>,
    /// The logs; `None` until the Pacer granted a generation.
    pub shard: Option<Shard>,
    /// What the last beat brought.
    pub last: Last,
    /// The last status.
    pub status: Option<Copy>,
    /// The last cohort whose row is here.
    pub last_row: Option<u32>,
    /// Whether the entries are deleted.
    pub forgotten: bool,
    /// When the Pacer was last heard, or woken.
    pub heard: WallMs,
}

/// The marks of the last beat; its number may also be one that was promised to a Pacer without storage.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Last {
    /// Its number.
    pub beat: u64,
    /// Time to the next one, in milliseconds.
    pub beat_ms: i64,
    /// Version of the seat map.
    #[serde(default, rename = "chart")]
    pub map: Option<i64>,
    /// Version of its counts.
    #[serde(default)]
    pub counts: Option<i64>,
    /// Places up to this one have let their turn lapse.
    pub lapsed: u64,
    /// The same for each lane beside the main line.
    #[serde(default)]
    pub lapsed_lanes: [u64; MAX_LANES],
    /// The rank up to which those who registered are invited.
    #[serde(default)]
    pub invited: u64,
    /// Whether the on-sale is over.
    pub closed: bool,
    /// Its event time.
    pub event_ms: EventMs,
    /// Revocation epoch.
    pub rev: u32,
}

impl Last {
    /// Places of a lane up to this one have let their turn lapse.
    pub fn lapsed_of(&self, lane: u8) -> u64 {
        match usize::from(lane).checked_sub(1) {
            None => self.lapsed,
            Some(at) => self.lapsed_lanes.get(at).copied().unwrap_or_default(),
        }
    }
}

impl Facts {
    /// How long the Pacer may be silent, in milliseconds.
    pub fn beat_ms(&self) -> i64 {
        self.last.beat_ms
    }
}

/// A shard's storage.
pub struct Store {
    /// The database.
    pub db: Db,
}

/// An entry of a log and how its account came into the line.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The entry.
    pub entry: Entry,
    /// Lane and door.
    pub entrance: Entrance,
}

#[derive(Deserialize)]
struct EntryRow {
    epoch: u32,
    ix: u64,
    at: i64,
    lane: u8,
    door: Door,
}

impl From<EntryRow> for Kept {
    fn from(row: EntryRow) -> Self {
        let entry = Entry { epoch: row.epoch, index: row.ix, time: WallMs(row.at) };
        Self { entry, entrance: Entrance { lane: row.lane, door: row.door } }
    }
}

#[derive(Deserialize)]
struct Count {
    n: u64,
    last: Option<i64>,
}

impl Store {
    /// Opens it.
    pub fn open(state: &State) -> Result<Self> {
        let db = Db::open(state, &SCHEMA)?;
        db.add_column("session", "lane", "INTEGER NOT NULL DEFAULT 0")?;
        db.add_column("session", "longer", "INTEGER NOT NULL DEFAULT 0")?;
        Ok(Self { db })
    }

    /// Everything that is kept in memory.
    pub fn load(&self) -> Result<Facts> {
        let shard: Option<Shard> = self.db.get("shard")?;
        let shard = shard.map(|shard| self.with_logs(shard)).transpose()?;
        let rows = self.count("SELECT count(*) AS n, max(k) AS last FROM cohort", vec![])?;
        Ok(Facts {
            event: self.db.get("event")?,
            shard,
            last: self.db.get("last")?.unwrap_or_default(),
            status: self.db.get("status")?,
            forgotten: self.logs_forgotten()?.is_some(),
            last_row: rows.last.and_then(|k| u32::try_from(k).ok()),
            heard: crate::clock::now(),
        })
    }

    /// Begins empty logs in the granted generation; `promised` is the beat below which nothing acts.
    pub fn begin(&self, (line, number): (u8, u16), hello: Hello, promised: u64) -> Result<Facts> {
        self.db.put("event", &hello.event)?;
        self.db.put("of-line", &line)?;
        if let Some(seal) = &hello.seal {
            self.db.put("seal", seal)?;
        }
        // One less: the beat that is under way is news to this shard.
        let beat = hello.beat.saturating_sub(1).max(promised);
        self.db.put("last", &Last { beat, rev: hello.rev, ..Last::default() })?;
        // Last: with it the shard counts as begun.
        self.db.put("shard", &Shard::new(number, hello.generation, hello.closed))?;
        self.load()
    }

    fn with_logs(&self, shard: Shard) -> Result<Shard> {
        if let Some([early, later]) = self.logs_forgotten()? {
            return Ok(shard.with_logs(early, later));
        }
        let early = self.log_len(early_epoch(shard.generation))?;
        let later = self.log_len(later_epoch(shard.generation))?;
        Ok(shard.with_logs(early, later))
    }

    fn logs_forgotten(&self) -> Result<Option<[LogLen; 2]>> {
        self.db.get(FORGOTTEN)
    }

    fn log_len(&self, epoch: u32) -> Result<LogLen> {
        let query = "SELECT count(*) AS n, max(at) AS last FROM entry WHERE epoch = ?";
        let count = self.count(query, vec![int(epoch)])?;
        Ok(LogLen { len: count.n, last: WallMs(count.last.unwrap_or_default()) })
    }

    fn count(&self, query: &str, args: Vec<Arg>) -> Result<Count> {
        Ok(self.db.first(query, args)?.unwrap_or(Count { n: 0, last: None }))
    }

    /// The account's entry: one that a token brought back, or the one in the log.
    pub fn entry_of(&self, account: &AccountId) -> Result<Option<Kept>> {
        for table in ["person", "entry"] {
            // An account re-entered after a loss has one entry per log at most; the latest counts.
            let query = format!(
                "SELECT epoch, ix, at, lane, door FROM {table} WHERE account = ? ORDER BY epoch DESC, ix DESC LIMIT 1"
            );
            let row: Option<EntryRow> = self.db.first(&query, vec![account.to_string().into()])?;
            if let Some(row) = row {
                return Ok(Some(row.into()));
            }
        }
        Ok(None)
    }

    /// Whether the account has this entry in a log that is here.
    pub fn in_log(&self, account: &AccountId, epoch: u32, index: u64) -> Result<bool> {
        let query = "SELECT count(*) AS n, max(at) AS last FROM entry WHERE epoch = ? AND ix = ? AND account = ?";
        Ok(self.count(query, vec![int(epoch), int(index), account.to_string().into()])?.n > 0)
    }

    /// Appends an entry to its log: one statement, so that it is there whole or not at all.
    pub fn append(&self, account: &AccountId, kept: &Kept) -> Result<()> {
        let insert = "INSERT INTO entry (account, epoch, ix, at, lane, door) VALUES (?, ?, ?, ?, ?, ?)";
        self.db.run(insert, columns(account, kept))
    }

    /// Remembers an entry that a token brought back.
    pub fn restore(&self, account: &AccountId, kept: &Kept) -> Result<()> {
        let insert = "INSERT OR REPLACE INTO person (account, epoch, ix, at, lane, door) VALUES (?, ?, ?, ?, ?, ?)";
        self.db.run(insert, columns(account, kept))
    }

    /// The leaves of a range of a log.
    pub fn leaves(&self, range: &domain::cohort::CutRange, key: &[u8; 32]) -> Result<Vec<Leaf>> {
        #[derive(Deserialize)]
        struct LeafRow {
            account: String,
            at: i64,
        }
        let query = "SELECT account, at FROM entry WHERE epoch = ? AND ix >= ? AND at < ? ORDER BY ix";
        let below = range.below.map_or(domain_max(), |below| below.0);
        let rows: Vec<LeafRow> = self.db.rows(query, vec![int(range.epoch), int(range.from), int(below)])?;
        let leaf =
            |row: LeafRow| Ok(Leaf { pseudonym: forget::pseudonym_of(&row.account, key)?, time: WallMs(row.at) });
        rows.into_iter().map(leaf).collect()
    }

    /// The seat map as it is told to readers' isolates.
    pub fn map(&self) -> Result<Option<String>> {
        self.db.text("chart")
    }

    /// How much is free where, in the same way.
    pub fn counts(&self) -> Result<Option<String>> {
        self.db.text("counts")
    }
}

fn columns(account: &AccountId, kept: &Kept) -> Vec<Arg> {
    let Kept { entry, entrance } = kept;
    let numbers = [int(entry.index), int(entry.time.0), int(entrance.lane), int(entrance.door.bits())];
    [account.to_string().into(), int(entry.epoch)].into_iter().chain(numbers).collect()
}

/// Above every time, and exact in JavaScript.
const fn domain_max() -> i64 {
    1 << 52
}
