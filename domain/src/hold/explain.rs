//! What the old items of a refused hold say.

use super::take::{Take, TakeRefusal};
use super::{failed_seats, found};
use crate::ids::{HoldId, PoolId, SeatId};
use crate::items::{Hold, HoldState, Share, Usage, attr, key};
use crate::plan::{Item, Next, Refused, Value};
use crate::seat;
use crate::time::EventMs;

/// The ladder: own hold (success, or the key's misuse) · the replaced hold · seats · shares · usage.
pub(super) fn take(rule: &Take, refused: &Refused) -> Next<Take, TakeRefusal> {
    own(rule, refused)
        .or_else(|| replaced(rule, refused))
        .or_else(|| seats(rule, refused))
        .or_else(|| shares(rule, refused))
        .or_else(|| usage(rule, refused))
        .unwrap_or_else(|| inconsistent(rule, refused))
}

fn inconsistent(rule: &Take, refused: &Refused) -> Next<Take, TakeRefusal> {
    let key = refused.failed.first().map_or_else(String::new, |f| format!("{} {}", f.key.pk, f.key.sk));
    refused.unexplained(rule, TakeRefusal::Inconsistent(key))
}

/// Our hold item is there, or a seat carries our hold: an own lost reply, or the same key with another request.
fn own(rule: &Take, refused: &Refused) -> Option<Next<Take, TakeRefusal>> {
    if let Some(hold) = found(&rule.hold, refused) {
        let same = hold.fingerprint == rule.fingerprint && hold.account == rule.account;
        return Some(if same { Next::Done } else { Next::No(TakeRefusal::Mismatch) });
    }
    let ours = |item: &Item| item.get(attr::HOLD) == Some(&Value::S(rule.hold.to_string()));
    // Only when the hold item itself collided is its verdict missing; a seat of the same transaction tells as much.
    let carried = refused.partial && refused.failed.iter().filter_map(|f| f.old.as_ref()).any(ours);
    carried.then_some(Next::Done)
}

/// The hold to be replaced changed since it was read, or some of its seats were lost.
fn replaced(rule: &Take, refused: &Refused) -> Option<Next<Take, TakeRefusal>> {
    let old = rule.replaces.as_ref()?;
    if refused.of(&key::hold(&old.id)).is_some() {
        return Some(changed(rule, found(&old.id, refused)));
    }
    let released = old.places.without(&rule.seats.iter().map(|l| l.seat.clone()).collect::<Vec<_>>()).seats;
    let lost = failed_seats(&rule.event, &released, refused);
    if lost.is_empty() || lost.len() < refused.failed.len() {
        return None;
    }
    let lost = rule.lost.iter().cloned().chain(lost).collect();
    Some(Next::Again(Take { lost, ..rule.clone() }))
}

fn changed(rule: &Take, now: Option<Hold>) -> Next<Take, TakeRefusal> {
    match now.as_ref().map(|h| h.state) {
        Some(HoldState::Live) => Next::Again(Take { replaces: now, ..rule.clone() }),
        Some(HoldState::Claimed | HoldState::Sold) => Next::No(TakeRefusal::ReplacedPaid),
        Some(HoldState::Released | HoldState::Expired) => Next::Again(alone(rule)),
        None => Next::No(TakeRefusal::ReplacedUnknown),
    }
}

/// Without the hold that has ended; what was seen of shares counted its places.
fn alone(rule: &Take) -> Take {
    let mut next = Take { replaces: None, ..rule.clone() };
    next.pools.iter_mut().for_each(|ask| ask.seen.clear());
    next
}

/// Seats that do not exist, else seats that others have, else seats of a channel that was not shown.
fn seats(rule: &Take, refused: &Refused) -> Option<Next<Take, TakeRefusal>> {
    let failed = failed_seats(&rule.event, &rule.seats, refused);
    if failed.is_empty() {
        return None;
    }
    let unknown: Vec<SeatId> = failed.iter().filter(|s| is_absent(rule, s, refused)).cloned().collect();
    if !unknown.is_empty() {
        return Some(Next::No(TakeRefusal::SeatUnknown(unknown)));
    }
    let taken: Vec<SeatId> = failed.iter().filter(|s| is_taken(rule, s, refused)).cloned().collect();
    let refusal = if taken.is_empty() { TakeRefusal::ChannelRequired(failed) } else { TakeRefusal::SeatsTaken(taken) };
    Some(Next::No(refusal))
}

fn is_taken(rule: &Take, wanted: &SeatId, refused: &Refused) -> bool {
    let line = rule.seats.iter().find(|l| &l.seat == wanted);
    let old = line.and_then(|l| refused.of(&seat::key_of(&rule.event, l))).and_then(|f| f.old.as_ref());
    !seat::takeable(rule.now).holds(old)
}

fn is_absent(rule: &Take, wanted: &SeatId, refused: &Refused) -> bool {
    let line = rule.seats.iter().find(|l| &l.seat == wanted);
    line.and_then(|l| refused.of(&seat::key_of(&rule.event, l))).is_some_and(|f| f.old.is_none())
}

/// Shares that had too few, or that an import took away: try others, now knowing what these have.
fn shares(rule: &Take, refused: &Refused) -> Option<Next<Take, TakeRefusal>> {
    let mut next = rule.clone();
    for ask in &mut next.pools {
        for share in &ask.order {
            let Some(failed) = refused.of(&key::share(&rule.event, &ask.pool, *share)) else { continue };
            let Some(free) = free(failed.old.as_ref()) else { continue };
            ask.seen.insert(*share, free.saturating_add(replaced_places(rule, &ask.pool, *share)));
        }
    }
    (next != *rule).then_some(Next::Again(next))
}

/// Free places of a share as found; `None` if it is unreadable.
fn free(old: Option<&Item>) -> Option<u32> {
    old.map_or(Some(0), |item| Share::from_item(item).ok().map(|share| share.free))
}

/// Places of this share that the replaced hold will give back.
fn replaced_places(rule: &Take, pool: &PoolId, share: u32) -> u32 {
    let lines = rule.replaces.iter().flat_map(|old| &old.places.pools);
    lines.filter(|l| l.pool == *pool && l.share == share).map(|l| l.quantity).sum()
}

/// Usage alone: another live hold, the limit, or the pace.
fn usage(rule: &Take, refused: &Refused) -> Option<Next<Take, TakeRefusal>> {
    let failed = refused.of(&rule.owner().key())?;
    let usage = Usage::from_item(failed.old.as_ref()?).ok()?;
    if let Some(hold) = other_hold(rule, &usage) {
        return Some(Next::No(TakeRefusal::HoldExists { hold }));
    }
    if usage.committed + rule.count() > rule.limit {
        return Some(Next::No(TakeRefusal::LimitExceeded { limit: rule.limit, committed: usage.committed }));
    }
    paced(rule, usage.paced)
}

/// Holds were taken a moment ago: again from where the account's time stands, unless that is too far ahead.
fn paced(rule: &Take, seen: Option<EventMs>) -> Option<Next<Take, TakeRefusal>> {
    // The stored time may have passed since it was read.
    let next = Take { paced: seen.filter(|at| *at > rule.now), ..rule.clone() };
    match next.pace().wait_ms() {
        0 if next == *rule => None,
        0 => Some(Next::Again(next)),
        wait_ms => Some(Next::No(TakeRefusal::TooFast { wait_ms })),
    }
}

fn other_hold(rule: &Take, usage: &Usage) -> Option<HoldId> {
    let (hold, until) = usage.hold?;
    let replaced = rule.replaces.as_ref().is_some_and(|old| old.id == hold);
    (until >= rule.now && !replaced).then_some(hold)
}
