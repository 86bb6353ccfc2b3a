//! Sessions: one per account, opened by the first claim of its turn.

use domain::ids::SessionId;
use domain::time::EventMs;
use serde::Deserialize;

use super::Inner;
use crate::problem::{Code, Problem};
use crate::sql::int;
use crate::wire::{Session, SessionAsk};

#[derive(Deserialize)]
struct Row {
    session: String,
    expires: i64,
}

/// The account's session: a new one at its first claim, the same ever after, refused once it is over.
pub fn open(inner: &Inner, ask: &SessionAsk) -> Result<Option<Session>, Problem> {
    let found = find(inner, ask)?;
    if let Some(over) = found.filter(|session| session.expires <= ask.now) {
        return Err(Problem::from(Code::AccessExpired).with("expires_ms", over.expires.0));
    }
    match (found, ask.session) {
        (None, Some(id)) => begin(inner, ask, id).map(Some),
        (found, _) => Ok(found),
    }
}

fn find(inner: &Inner, ask: &SessionAsk) -> Result<Option<Session>, Problem> {
    let query = "SELECT session, expires FROM session WHERE account = ?";
    let row: Option<Row> = inner.store.db.first(query, vec![ask.account.to_string().into()])?;
    row.map(|row| {
        let session = row.session.parse().map_err(|_| Code::Internal)?;
        Ok(Session { session, expires: EventMs(row.expires) })
    })
    .transpose()
}

fn begin(inner: &Inner, ask: &SessionAsk, id: SessionId) -> Result<Session, Problem> {
    let length = inner.facts.borrow().event.as_ref().map_or(0, |event| event.session_ms);
    let session = Session { session: id, expires: ask.now.plus(length) };
    inner.store.db.run(
        "INSERT INTO session (account, session, place, expires) VALUES (?, ?, ?, ?)",
        vec![
            ask.account.to_string().into(),
            session.session.to_string().into(),
            int(ask.place),
            int(session.expires.0),
        ],
    )?;
    inner.facts.borrow_mut().claims += 1;
    Ok(session)
}
