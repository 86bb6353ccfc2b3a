//! Forgetting: once the stated time after the on-sale is over, a shard deletes all that tells who stood in line.
//!
//! An account that asks for it is erased earlier, once the on-sale is closed: its entry keeps its pseudonym, by which others'
//! proofs are made, and no account.
//!
//! What anybody can verify stays: the cohorts' rows with their roots, the status, the event. They name nobody. The logs' lengths
//! stay, too, so that the line is as long as it was.

use domain::bytes32::{from_hex, to_hex};
use domain::cohort::{Log, LogLen, pseudonym};
use domain::ids::AccountId;
use domain::keys::KeyKind;
use domain::time::WallMs;
use serde_json::{Map, Value};

use super::Inner;
use super::store::{FORGOTTEN, Facts, Store};
use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::wire::shard_op;

/// Every table that names accounts.
pub const PERSONAL: [&str; 8] = ["entry", "person", "session", "late", "slowed", "withdrawn", "code_use", "came_by"];

/// Before the pseudonym of an entry whose account is erased; no account begins like that.
const NAMELESS: &str = "~";

/// What cannot be answered, and must not be noted anew, once they are empty.
const ABOUT_PEOPLE: [&str; 9] = [
    shard_op::JOIN,
    shard_op::SESSION,
    shard_op::LIFT,
    shard_op::CLAIM,
    shard_op::FOUND,
    shard_op::LOOK,
    shard_op::USES,
    shard_op::REGISTERED,
    shard_op::PROOF,
];

/// Forgets if it is time to: the on-sale is closed, which it stays, and its stated time is over.
pub fn when_due(inner: &Inner, now: WallMs) -> Result<(), Problem> {
    let mut facts = inner.facts.borrow_mut();
    if facts.forgotten || !facts.last.closed || !is_over(&facts, now) {
        return Ok(());
    }
    let logs = facts.shard.as_ref().map_or_else(Default::default, |shard| [len(&shard.early), len(&shard.later)]);
    forget(&inner.store, &logs)?;
    facts.forgotten = true;
    inner.trees.borrow_mut().clear();
    Ok(())
}

/// Refuses what is about people, also in a shard that lost its storage and with it the fact that it has forgotten: a token that
/// is shown brings nobody back.
pub fn refuse(inner: &Inner, op: &str, now: WallMs) -> Result<(), Problem> {
    let facts = inner.facts.borrow();
    if ABOUT_PEOPLE.contains(&op) && (facts.forgotten || is_over(&facts, now)) {
        return Err(Problem::because(Code::Closed, "who stood in line was deleted, as stated"));
    }
    Ok(())
}

fn is_over(facts: &Facts, now: WallMs) -> bool {
    facts.event.as_ref().is_some_and(|event| now >= event.forgets_at())
}

/// Erases an account, if the on-sale is closed: until then its entry is its place.
pub fn erase(inner: &Inner, config: &Config, account: &AccountId) -> Result<bool, Problem> {
    let facts = inner.facts.borrow();
    let Some(event) = facts.event.as_ref().filter(|_| facts.last.closed) else { return Ok(false) };
    let key = event.lasting_key(&config.keys, KeyKind::Pseudonym)?;
    let (db, name) = (&inner.store.db, account.to_string());
    let nameless = format!("{NAMELESS}{}", to_hex(&pseudonym(&key, account)));
    db.run("UPDATE entry SET account = ? WHERE account = ?", vec![nameless.into(), name.as_str().into()])?;
    for table in PERSONAL.iter().filter(|table| **table != "entry") {
        db.run(&format!("DELETE FROM {table} WHERE account = ?"), vec![name.as_str().into()])?;
    }
    Ok(true)
}

/// Every row that names an account, by table.
pub fn traces(inner: &Inner, account: &AccountId) -> Result<Map<String, Value>, Problem> {
    let mut found = Map::new();
    for table in PERSONAL {
        let query = format!("SELECT * FROM {table} WHERE account = ?");
        let rows: Vec<Value> = inner.store.db.rows(&query, vec![account.to_string().into()])?;
        if !rows.is_empty() {
            found.insert(table.into(), rows.into());
        }
    }
    Ok(found)
}

/// The pseudonym of an entry, whether its account is erased or not.
pub fn pseudonym_of(account: &str, key: &[u8; 32]) -> worker::Result<[u8; 32]> {
    let kept = account.strip_prefix(NAMELESS).map(|hex| from_hex(hex).ok_or("not a pseudonym"));
    let named = || account.parse().map(|account| pseudonym(key, &account)).map_err(|_| "not an account");
    Ok(kept.unwrap_or_else(named)?)
}

/// In one turn, so all of it or nothing.
fn forget(store: &Store, logs: &[LogLen; 2]) -> Result<(), Problem> {
    store.db.put(FORGOTTEN, logs)?;
    PERSONAL.iter().try_for_each(|table| store.db.run(&format!("DELETE FROM {table}"), vec![]))?;
    Ok(())
}

fn len(log: &Log) -> LogLen {
    LogLen { len: log.len, last: log.last }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::shard::store::SCHEMA;

    /// Tables whose definition names accounts.
    fn naming_accounts<'a>(schema: &[&'a str]) -> BTreeSet<&'a str> {
        let tables = schema.iter().filter_map(|table| table.strip_prefix("CREATE TABLE IF NOT EXISTS "));
        tables.filter(|table| table.contains("account TEXT")).filter_map(|table| table.split(' ').next()).collect()
    }

    #[test]
    fn every_table_that_names_accounts_is_emptied() {
        assert_eq!(naming_accounts(&SCHEMA), BTreeSet::from(PERSONAL));
        let more = ["CREATE TABLE IF NOT EXISTS friend (account TEXT PRIMARY KEY)"];
        assert_eq!(naming_accounts(&more), BTreeSet::from(["friend"]), "a new one would be found");
    }
}
