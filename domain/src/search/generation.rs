//! Filling the index anew while it is searched: the tables exist twice, and a word says which ones are searched.

use serde::{Deserialize, Serialize};

use super::find::{Arg, Statement};
use crate::time::WallMs;

/// How long after a switch the tables that were searched before are left alone, in milliseconds: whoever has not heard of the
/// switch still searches them.
pub const SETTLE_MS: i64 = 60_000;

/// What the tables of a slot are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// They are searched.
    Live,
    /// They are being filled anew.
    Filling,
    /// Nothing.
    Idle,
}

/// What is known of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// Its tables.
    pub slot: u8,
    /// What they are for.
    pub state: State,
    /// Counts fillings: the higher one began later.
    pub number: i64,
    /// Since when.
    pub since_ms: WallMs,
}

/// Why nothing is filled or switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The last switch was moments ago.
    #[error("the last switch was less than a minute ago")]
    Settling,
    /// This generation is not the one that is being filled: another filling began later, or it is searched already.
    #[error("another filling began later")]
    Overtaken,
}

/// Begins to fill anew, and gives up a filling that never ended. Answers the new generation's number and what to write.
///
/// # Errors
/// See [`Refusal`].
pub fn begin(known: &[Generation], now: WallMs) -> Result<(i64, Vec<Statement>), Refusal> {
    let settling = |g: &Generation| g.state == State::Live && g.number > 0 && now.since(g.since_ms) < SETTLE_MS;
    if known.iter().any(settling) {
        return Err(Refusal::Settling);
    }
    let slot = known.iter().find(|g| g.state != State::Live).map(|g| g.slot).ok_or(Refusal::Overtaken)?;
    let number = known.iter().map(|g| g.number).max().unwrap_or_default() + 1;
    Ok((number, beginning(slot, number, now)))
}

fn beginning(slot: u8, number: i64, now: WallMs) -> Vec<Statement> {
    let ours = format!("EXISTS (SELECT 1 FROM generation WHERE slot = {slot} AND number = ?)");
    vec![
        Statement {
            sql: format!(
                "UPDATE generation SET state = 'filling', number = ?, since_ms = ? WHERE slot = {slot} AND state <> 'live'"
            ),
            args: vec![Arg::Int(number), Arg::Int(now.0)],
        },
        Statement { sql: format!("DELETE FROM event_{slot} WHERE {ours}"), args: vec![Arg::Int(number)] },
        Statement {
            sql: format!("INSERT INTO words_{slot} (words_{slot}) SELECT 'delete-all' WHERE {ours}"),
            args: vec![Arg::Int(number)],
        },
    ]
}

/// Searches the generation of this number from now on.
///
/// # Errors
/// See [`Refusal`].
pub fn switch(known: &[Generation], number: i64, now: WallMs) -> Result<Vec<Statement>, Refusal> {
    let filled = known.iter().find(|g| g.state == State::Filling && g.number == number).ok_or(Refusal::Overtaken)?;
    let slot = filled.slot;
    let still = format!("EXISTS (SELECT 1 FROM generation WHERE slot = {slot} AND number = ? AND state = 'filling')");
    Ok(vec![
        Statement {
            sql: format!("UPDATE generation SET state = 'idle', since_ms = ? WHERE slot <> {slot} AND {still}"),
            args: vec![Arg::Int(now.0), Arg::Int(number)],
        },
        Statement {
            sql: format!(
                "UPDATE generation SET state = 'live', since_ms = ? WHERE slot = {slot} AND number = ? AND state = 'filling'"
            ),
            args: vec![Arg::Int(now.0), Arg::Int(number)],
        },
    ])
}
