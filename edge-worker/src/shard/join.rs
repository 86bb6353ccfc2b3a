//! Joining: one entry per account, whatever tab, retry or device asks.

use domain::cohort::{Entry, Found, Shown, shown};
use domain::ids::AccountId;
use domain::time::WallMs;
use domain::token::PlaceToken;

use super::store::Kept;
use super::{Inner, codes, limits, numbers, registered, slowed};
use crate::problem::{Code, Problem};
use crate::wire::{Entering, InLine, JoinAsk, ShownPlace};

/// Number of beats after which a number is known, with a little to spare.
const BEATS_TO_NUMBER: i64 = 2;

/// Where the account stands; an account without an entry gets one if it may enter.
pub fn join(inner: &Inner, ask: &JoinAsk, now: WallMs) -> Result<InLine, Problem> {
    limits::press(inner, &ask.account, now)?;
    if let Some(token) = &ask.shown {
        inner.not_revoked(token.rev, token.vouched)?;
    }
    let known = inner.store.entry_of(&ask.account)?;
    let again = match &ask.shown {
        Some(token) => match judge(inner, ask, token, known.map(|kept| kept.entry).as_ref())? {
            Shown::Known(_) => None,
            Shown::Sealed(entry) => return answer(inner, ask, &Kept { entry, entrance: token.entrance }, now),
            Shown::Restore(entry) => {
                let kept = Kept { entry, entrance: token.entrance };
                slowed::note(&inner.store.db, &ask.account, token.entrance.door, now)?;
                inner.store.restore(&ask.account, &kept)?;
                return answer(inner, ask, &kept, now);
            }
            // Its entry was lost: it is past the door, and its time is older than any stamp.
            Shown::Reenter(since) => Some(Entering { since, stamped: true, entrance: token.entrance, grant: None }),
        },
        None => None,
    };
    match (known, again.or(ask.entering)) {
        (Some(kept), _) => answer(inner, ask, &kept, now),
        (None, None) => Err(Code::PlaceRequired.into()),
        (None, Some(entering)) => {
            let kept = enter(inner, &ask.account, &entering, now)?;
            Ok(InLine { fresh: true, ..answer(inner, ask, &kept, now)? })
        }
    }
}

fn judge(inner: &Inner, ask: &JoinAsk, token: &ShownPlace, known: Option<&Entry>) -> Result<Shown, Problem> {
    let token = PlaceToken {
        account: ask.account,
        shard: inner.number,
        epoch: token.epoch,
        index: token.index,
        joined: token.joined,
        place: token.place,
        cohort: token.cohort,
        entrance: token.entrance,
        rev: token.rev,
        expires: WallMs(i64::MAX),
    };
    let mut rows = Vec::new();
    rows.extend(numbers::covering(inner, token.epoch, token.index)?);
    if let Some(known) = known {
        rows.extend(numbers::covering(inner, known.epoch, known.index)?);
    }
    Ok(shown(&token, known, found(inner, &token)?, &rows))
}

fn found(inner: &Inner, token: &PlaceToken) -> Result<Found, Problem> {
    if inner.store.in_log(&token.account, token.epoch, token.index)? {
        return Ok(Found::Log);
    }
    let sealed = numbers::sealed(inner, token.epoch, token.index)?;
    Ok(if sealed { Found::Seal } else { Found::Nowhere })
}

fn enter(inner: &Inner, account: &AccountId, entering: &Entering, now: WallMs) -> Result<Kept, Problem> {
    if inner.facts.borrow().last.closed {
        return Err(Code::Closed.into());
    }
    registered::may_enter(inner, entering.since.min(now), now)?;
    limits::room(inner, entering, now)?;
    let mut facts = inner.facts.borrow_mut();
    let opening = facts.event.as_ref().ok_or(Code::NotFound)?.opening_of(inner.line);
    let shard = facts.shard.as_mut().ok_or(Code::LineUnavailable)?;
    let entry = shard.append(opening, entering.since.min(now));
    let kept = Kept { entry, entrance: entering.entrance };
    slowed::note(&inner.store.db, account, entering.entrance.door, now)?;
    if let Some(grant) = &entering.grant {
        codes::note(&inner.store.db, account, grant, now)?;
    }
    inner.store.append(account, &kept)?;
    shard.record(&entry);
    Ok(kept)
}

/// A number follows from its row, or, should that be lost, from the token that was numbered by it.
fn answer(inner: &Inner, ask: &JoinAsk, kept: &Kept, now: WallMs) -> Result<InLine, Problem> {
    let Kept { entry, entrance } = *kept;
    let own = |token: &ShownPlace| token.place > 0 && (token.epoch, token.index) == (entry.epoch, entry.index);
    let told = ask.shown.as_ref().filter(|token| own(token)).map(|token| (token.place, token.cohort));
    let number = numbers::number_of(inner, &entry)?.or(told);
    Ok(InLine {
        epoch: entry.epoch,
        index: entry.index,
        joined: entry.time,
        number,
        entrance,
        rev: inner.facts.borrow().last.rev,
        fresh: false,
        ask_again_ms: ask_again_ms(inner, now),
    })
}

/// Before the opening: after the draw; later: two beats from now.
fn ask_again_ms(inner: &Inner, now: WallMs) -> i64 {
    let facts = inner.facts.borrow();
    facts.event.as_ref().map_or(0, |event| {
        let to_draw = event.opening_of(inner.line).plus(event.grace_ms).since(now).max(0);
        to_draw + BEATS_TO_NUMBER * event.beat_ms
    })
}
