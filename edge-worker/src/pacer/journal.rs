//! The journal and the list of operators, in the Pacer's storage.
//!
//! Lines are only ever added: the table itself refuses to change or delete one, and each is bound to the one before.

use std::collections::BTreeMap;

use domain::operate::{Head, Note, OperatorName, Role};
use domain::time::WallMs;
use serde::{Deserialize, Serialize};
use worker::Result;

use super::store::Store;
use crate::sql::int;

/// The journal's table, and what keeps it as it is.
pub(super) const SCHEMA: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS journal (n INTEGER PRIMARY KEY, line TEXT NOT NULL)",
    "CREATE TRIGGER IF NOT EXISTS journal_stays BEFORE DELETE ON journal \
     BEGIN SELECT RAISE(ABORT, 'lines of the journal stay'); END",
    "CREATE TRIGGER IF NOT EXISTS journal_is_final BEFORE UPDATE ON journal \
     BEGIN SELECT RAISE(ABORT, 'lines of the journal are final'); END",
];
/// Lines in one answer.
const LINES_AT_ONCE: i64 = 200;

/// An operator of the event, as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Operator {
    /// What they may do.
    pub role: Role,
    /// Hash of their key.
    #[serde(with = "domain::bytes32")]
    pub hash: [u8; 32],
    /// When they got that key.
    pub since: WallMs,
}

#[derive(Deserialize)]
struct Written {
    line: String,
}

impl Store {
    /// Adds a line.
    pub fn journal(&self, note: &Note) -> Result<()> {
        let (line, head) = self.journal_head()?.append(note);
        self.db.run("INSERT INTO journal (n, line) VALUES (?, ?)", vec![int(head.n), line.into()])?;
        self.db.put("journal-head", &head)
    }

    /// What the next line follows.
    pub fn journal_head(&self) -> Result<Head> {
        Ok(self.db.get("journal-head")?.unwrap_or_default())
    }

    /// Some lines after one, each with its line break, exactly as they were written.
    pub fn journal_after(&self, after: u64) -> Result<String> {
        let query = "SELECT line FROM journal WHERE n > ? ORDER BY n LIMIT ?";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let lines: Vec<Written> = self.db.rows(query, vec![int(after), int(LINES_AT_ONCE)])?;
        Ok(lines.into_iter().map(|written| written.line + "\n").collect())
    }

    /// The operators by name.
    pub fn operators(&self) -> Result<BTreeMap<OperatorName, Operator>> {
        Ok(self.db.get("operators")?.unwrap_or_default())
    }

    /// Keeps the operators.
    pub fn put_operators(&self, operators: &BTreeMap<OperatorName, Operator>) -> Result<()> {
        self.db.put("operators", operators)
    }
}
