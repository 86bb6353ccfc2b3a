//! The late lane: a turn that was not claimed within its window is given again, to whoever has waited longest.

use domain::ids::AccountId;
use domain::time::WallMs;
use serde::Deserialize;

use crate::problem::Problem;
use crate::sql::{Db, int};

/// How many of those who wait the Pacer hears of; a beat gives fewer turns than that to one shard.
const FIRST: i64 = 200;

#[derive(Deserialize)]
struct Turn {
    turn: i64,
}

#[derive(Deserialize)]
struct Count {
    n: u64,
}

#[derive(Deserialize)]
struct Since {
    since: i64,
}

/// Whether the account's late turn has come; one that is not waiting yet begins to.
pub fn has_turn(db: &Db, account: &AccountId, now: WallMs) -> Result<bool, Problem> {
    let account = account.to_string();
    let known: Option<Turn> = db.first("SELECT turn FROM late WHERE account = ?", vec![account.as_str().into()])?;
    if known.is_none() {
        db.run("INSERT INTO late (account, since, turn) VALUES (?, ?, 0)", vec![account.into(), int(now.0)])?;
    }
    Ok(known.is_some_and(|known| known.turn == 1))
}

/// Gives turns to those who wait longest.
pub fn give(db: &Db, turns: u64) -> Result<(), Problem> {
    if turns > 0 {
        let first = "SELECT account FROM late WHERE turn = 0 ORDER BY since LIMIT ?";
        db.run(&format!("UPDATE late SET turn = 1 WHERE account IN ({first})"), vec![int(turns)])?;
    }
    Ok(())
}

/// How many wait, and since when the first of them do.
pub fn waiting(db: &Db) -> Result<(u64, Vec<WallMs>), Problem> {
    let count: Option<Count> = db.first("SELECT count(*) AS n FROM late WHERE turn = 0", vec![])?;
    let query = "SELECT since FROM late WHERE turn = 0 ORDER BY since LIMIT ?";
    let first: Vec<Since> = db.rows(query, vec![int(FIRST)])?;
    Ok((count.map_or(0, |count| count.n), first.into_iter().map(|row| WallMs(row.since)).collect()))
}
