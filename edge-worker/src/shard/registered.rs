//! Those who registered for the lottery: their line's shard knows who withdrew, and up to which rank people are invited.
//!
//! A registration that is withdrawn stays in the log, so that the draw stays checkable; whoever is next in drawn order is
//! invited in its stead.

use domain::lane::REGISTRATION;
use domain::registration::{Stage, is_invited};
use domain::time::WallMs;
use serde::Deserialize;

use super::{Inner, join, numbers};
use crate::problem::{Code, Problem};
use crate::sql::int;
use crate::wire::{JoinAsk, Registered, RegisteredAsk, Wish};

/// The table: who withdrew, and the rank, 0 until it was looked up.
pub const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS withdrawn (account TEXT PRIMARY KEY, rank INTEGER NOT NULL) WITHOUT ROWID";

#[derive(Deserialize)]
struct Count {
    n: u64,
}

#[derive(Deserialize)]
struct Account {
    account: domain::ids::AccountId,
}

/// Whether somebody may register who arrived then; in other lines there is no such question.
pub fn may_enter(inner: &Inner, since: WallMs, now: WallMs) -> Result<(), Problem> {
    match stage(inner, since) {
        None | Some(Stage::Open) => Ok(()),
        Some(_) => Err(closed(inner, now)),
    }
}

/// Answers how a registration stands, after it did what is wished.
pub fn tell(inner: &Inner, ask: &RegisteredAsk, now: WallMs) -> Result<Registered, Problem> {
    let asked = JoinAsk { account: ask.account, shown: ask.shown, entering: None };
    let rank = join::join(inner, &asked, now)?.number.map(|(rank, _)| rank);
    let (db, account) = (&inner.store.db, ask.account.to_string());
    match ask.wish {
        Wish::Know => {}
        Wish::Withdraw => {
            let insert = "INSERT OR IGNORE INTO withdrawn (account, rank) VALUES (?, ?)";
            db.run(insert, vec![account.clone().into(), int(rank.unwrap_or_default())])?;
        }
        Wish::Return if stage(inner, now) == Some(Stage::Open) => {
            db.run("DELETE FROM withdrawn WHERE account = ?", vec![account.clone().into()])?;
        }
        Wish::Return => return Err(closed(inner, now)),
    }
    let gone: Option<Count> =
        db.first("SELECT count(*) AS n FROM withdrawn WHERE account = ?", vec![account.into()])?;
    let (withdrawn, bound) = (gone.is_some_and(|gone| gone.n > 0), inner.facts.borrow().last.invited);
    Ok(Registered { rank, withdrawn, invited: is_invited(rank, withdrawn, bound), invited_up_to: bound })
}

/// How many of those who are invited here withdrew.
pub fn withdrawn(inner: &Inner, bound: u64) -> Result<u64, Problem> {
    if inner.line != REGISTRATION || bound == 0 {
        return Ok(0);
    }
    rank_all(inner)?;
    let query = "SELECT count(*) AS n FROM withdrawn WHERE rank BETWEEN 1 AND ?";
    let count: Option<Count> = inner.store.db.first(query, vec![int(bound)])?;
    Ok(count.map_or(0, |count| count.n))
}

/// Notes the ranks of those who withdrew before there were any.
fn rank_all(inner: &Inner) -> Result<(), Problem> {
    let db = &inner.store.db;
    let open: Vec<Account> = db.rows("SELECT account FROM withdrawn WHERE rank = 0", vec![])?;
    for Account { account } in open {
        let Some(kept) = inner.store.entry_of(&account)? else { continue };
        if let Some((rank, _)) = numbers::number_of(inner, &kept.entry)? {
            let update = "UPDATE withdrawn SET rank = ? WHERE account = ?";
            db.run(update, vec![int(rank), account.to_string().into()])?;
        }
    }
    Ok(())
}

/// The stage for somebody who arrived then; none in other lines.
fn stage(inner: &Inner, at: WallMs) -> Option<Stage> {
    if inner.line != REGISTRATION {
        return None;
    }
    let facts = inner.facts.borrow();
    let cut = facts.shard.as_ref().is_some_and(|shard| shard.last_cut.is_some());
    let registration = facts.event.as_ref().and_then(|event| event.registration)?;
    Some(registration.stage(at, cut || facts.last_row.is_some()))
}

fn closed(inner: &Inner, now: WallMs) -> Problem {
    let problem = Problem::from(Code::RegistrationClosed);
    match stage(inner, now).and_then(|stage| serde_json::to_value(stage).ok()) {
        Some(stage) => problem.with("stage", stage),
        None => problem,
    }
}
