//! Places whose turn never opens a session: what is certainly a bot waits, and every answer it gets is one that others
//! get too. Its entry stands in the log as any other, so numbers stay dense and the draw stays checkable; its turn lapses
//! unclaimed, as that of a fan who does not come. An operator may lift it for an account.

use domain::ids::AccountId;
use domain::time::WallMs;
use domain::token::Door;
use serde::Deserialize;

use crate::problem::{Code, Problem};
use crate::sql::{Db, int};

/// The table.
pub const TABLE: &str = "CREATE TABLE IF NOT EXISTS slowed (account TEXT PRIMARY KEY, since INTEGER NOT NULL, \
                         lifted INTEGER NOT NULL) WITHOUT ROWID";

#[derive(Deserialize)]
struct Count {
    n: u64,
}

/// Notes an account whose door says so, unless an operator has lifted that already.
pub fn note(db: &Db, account: &AccountId, door: Door, now: WallMs) -> Result<(), Problem> {
    if !door.has(Door::SLOWED) {
        return Ok(());
    }
    let insert = "INSERT OR IGNORE INTO slowed (account, since, lifted) VALUES (?, ?, 0)";
    Ok(db.run(insert, vec![account.to_string().into(), int(now.0)])?)
}

/// Lifts it for good; answers whether the account was slowed.
pub fn lift(db: &Db, account: &AccountId, now: WallMs) -> Result<bool, Problem> {
    let was = is_slowed(db, account)?;
    let insert = "INSERT OR REPLACE INTO slowed (account, since, lifted) VALUES (?, ?, 1)";
    db.run(insert, vec![account.to_string().into(), int(now.0)])?;
    Ok(was)
}

/// Refuses a slowed account's claim as others are refused: while the turn lasts, by a part of the line that does not
/// answer; once it has lapsed, by the late lane, in which its turn does not come.
pub fn refuse(db: &Db, account: &AccountId, place: u64, lapsed: bool) -> Result<(), Problem> {
    match is_slowed(db, account)? {
        false => Ok(()),
        true if lapsed => Err(Problem::from(Code::NotYet).with("late", true).with("place", place)),
        true => Err(Code::LineUnavailable.into()),
    }
}

fn is_slowed(db: &Db, account: &AccountId) -> Result<bool, Problem> {
    let query = "SELECT count(*) AS n FROM slowed WHERE account = ? AND lifted = 0";
    let count: Option<Count> = db.first(query, vec![account.to_string().into()])?;
    Ok(count.is_some_and(|count| count.n > 0))
}

/// How many are slowed.
pub fn count(db: &Db) -> Result<u64, Problem> {
    let count: Option<Count> = db.first("SELECT count(*) AS n FROM slowed WHERE lifted = 0", vec![])?;
    Ok(count.map_or(0, |count| count.n))
}
