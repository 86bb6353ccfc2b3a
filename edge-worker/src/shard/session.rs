//! Sessions: one per account, opened by the first claim of its turn.

use domain::ids::SessionId;
use domain::lane::MAX_LANES;
use domain::pace::{ACTIVE_MS, Claims};
use domain::session::{Refused, longer};
use domain::time::{EventMs, WallMs};
use serde::Deserialize;

use super::{Inner, late, limits, slowed};
use crate::problem::{Code, Problem};
use crate::sql::{Db, int};
use crate::wire::{Session, SessionAsk};

#[derive(Deserialize)]
struct Row {
    session: String,
    expires: i64,
    longer: i64,
}

/// The account's session: a new one at its first claim, the same ever after; once it is over, refused but to who asks for that.
/// A turn that lapsed unclaimed waits in the late lane.
pub fn open(inner: &Inner, ask: &SessionAsk, now: WallMs) -> Result<Option<Session>, Problem> {
    limits::press(inner, &ask.account, now)?;
    inner.not_revoked(ask.rev, ask.vouched)?;
    let found = find(inner, ask)?;
    if let Some(over) = found.filter(|session| session.expires <= ask.now) {
        let refused = || Problem::from(Code::AccessExpired).with("expires_ms", over.expires.0);
        return ask.ended.then_some(Some(over)).ok_or_else(refused);
    }
    let (None, Some(id)) = (found, ask.session) else {
        return found.map(|session| if ask.longer { extend(inner, ask, session) } else { Ok(session) }).transpose();
    };
    let lapsed = ask.place <= inner.facts.borrow().last.lapsed_of(ask.lane);
    slowed::note(&inner.store.db, &ask.account, ask.door, now)?;
    slowed::refuse(&inner.store.db, &ask.account, ask.place, lapsed)?;
    if lapsed && !late::has_turn(&inner.store.db, &ask.account, now)? {
        return Err(Problem::from(Code::NotYet).with("late", true).with("place", ask.place));
    }
    begin(inner, ask, id, lapsed).map(Some)
}

fn find(inner: &Inner, ask: &SessionAsk) -> Result<Option<Session>, Problem> {
    let query = "SELECT session, expires, longer FROM session WHERE account = ?";
    let row: Option<Row> = inner.store.db.first(query, vec![ask.account.to_string().into()])?;
    row.map(|row| {
        let session = row.session.parse().map_err(|_| Code::Internal)?;
        let (expires, longer) = (EventMs(row.expires), row.longer > 0);
        Ok(Session { session, expires, longer, rev: inner.facts.borrow().last.rev })
    })
    .transpose()
}

/// Makes an open session longer: whoever needs more time gets it, once.
fn extend(inner: &Inner, ask: &SessionAsk, session: Session) -> Result<Session, Problem> {
    let length = inner.facts.borrow().event.as_ref().map_or(0, |event| event.session_ms);
    let refused = |why: Refused| match why {
        Refused::Over => Problem::from(Code::AccessExpired).with("expires_ms", session.expires.0),
        Refused::Already => Code::AlreadyExtended.into(),
    };
    let expires = longer(session.expires, ask.now, length, session.longer).map_err(refused)?;
    let update = "UPDATE session SET expires = ?, longer = 1 WHERE account = ?";
    inner.store.db.run(update, vec![int(expires.0), ask.account.to_string().into()])?;
    Ok(Session { expires, longer: true, ..session })
}

fn begin(inner: &Inner, ask: &SessionAsk, id: SessionId, late: bool) -> Result<Session, Problem> {
    let facts = inner.facts.borrow();
    let length = facts.event.as_ref().map_or(0, |event| event.session_ms);
    let session = Session { session: id, expires: ask.now.plus(length), longer: false, rev: facts.last.rev };
    let args = vec![
        ask.account.to_string().into(),
        session.session.to_string().into(),
        int(ask.place),
        int(ask.now.0),
        int(i64::from(late)),
        int(session.expires.0),
        int(ask.lane),
    ];
    let insert =
        "INSERT INTO session (account, session, place, opened, late, expires, lane) VALUES (?, ?, ?, ?, ?, ?, ?)";
    inner.store.db.run(insert, args)?;
    Ok(session)
}

/// How far each line's turns have lapsed.
pub struct Lapsed<'a> {
    /// The main line's.
    pub main: u64,
    /// The lanes'.
    pub lanes: &'a [u64; MAX_LANES],
}

/// The claims of this shard, as gauges at event time `now` with each line's places up to `lapsed` past their window.
pub fn claims(db: &Db, now: EventMs, lapsed: &Lapsed, window_ms: i64) -> Result<Claims, Problem> {
    #[derive(Default, Deserialize)]
    struct Counts {
        in_window: u64,
        late_in_window: u64,
        recent: u64,
        opened: u64,
        late_opened: u64,
    }
    let query = "SELECT count(*) FILTER (WHERE late = 0 AND place > CASE lane WHEN 0 THEN ? \
                 WHEN 1 THEN ? WHEN 2 THEN ? WHEN 3 THEN ? WHEN 4 THEN ? END) AS in_window, \
                 count(*) FILTER (WHERE late = 1 AND opened > ?) AS late_in_window, \
                 count(*) FILTER (WHERE opened > ?) AS recent, count(*) FILTER (WHERE late = 0) AS opened, \
                 count(*) FILTER (WHERE late = 1) AS late_opened FROM session";
    let lapsed = std::iter::once(&lapsed.main).chain(lapsed.lanes);
    let times = [int(now.plus(-window_ms).0), int(now.plus(-ACTIVE_MS).0)];
    let args = lapsed.map(|place| int(*place)).chain(times).collect();
    let counts: Counts = db.first(query, args)?.unwrap_or_default();
    let Counts { in_window, late_in_window, recent, opened, late_opened } = counts;
    Ok(Claims { in_window, late_in_window, recent, opened, late_opened })
}
