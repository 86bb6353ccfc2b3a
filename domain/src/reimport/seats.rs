//! Seats: added, changed and removed.

use std::collections::{BTreeMap, BTreeSet};

use super::{Changes, Obstacle};
use crate::ids::{BlockId, EventId, SeatId, SectionId};
use crate::items::{Seat, SeatState, attr, key};
use crate::layout::section_of_block;
use crate::plan::{Change, Cond, Update, Write};

type Place<'a> = (&'a SeatId, &'a BlockId);

/// Adds what is to be written about seats, removals first, and answers what stands in the way.
pub(super) fn compare(event: &EventId, wanted: &[Seat], stored: &[Seat], changes: &mut Changes) -> Vec<Obstacle> {
    let by_place: BTreeMap<Place<'_>, &Seat> = stored.iter().map(|s| ((&s.seat, &s.block), s)).collect();
    let places: BTreeSet<Place<'_>> = wanted.iter().map(|s| (&s.seat, &s.block)).collect();
    let ids: BTreeSet<&SeatId> = wanted.iter().map(|s| &s.seat).collect();
    let gone: Vec<&Seat> = stored.iter().filter(|s| !places.contains(&(&s.seat, &s.block))).collect();
    let stands = |s: &&&Seat| s.state != SeatState::Free;
    let obstacles = gone.iter().filter(stands).map(|s| obstacle(s, ids.contains(&s.seat))).collect();
    for old in gone.iter().filter(|s| s.state == SeatState::Free) {
        changes.report.removed += usize::from(!ids.contains(&old.seat));
        let write = Write::delete(key::seat(event, &old.block, &old.seat), Cond::eq(attr::STATE, SeatState::Free));
        changes.writes.push(write);
    }
    for seat in wanted {
        match by_place.get(&(&seat.seat, &seat.block)) {
            None => add(seat, gone.iter().find(|old| old.seat == seat.seat), changes),
            Some(old) if differs(old, seat) => change(seat, changes),
            Some(_) => {}
        }
    }
    keep_sums_rising(event, wanted, &gone, changes);
    obstacles
}

fn obstacle(old: &Seat, moves: bool) -> Obstacle {
    let (seat, state, order) = (old.seat.clone(), old.state, old.order);
    if moves { Obstacle::SeatWouldMove { seat, state, order } } else { Obstacle::SeatInUse { seat, state, order } }
}

fn differs(old: &Seat, new: &Seat) -> bool {
    (&old.level, old.index, old.kind) != (&new.level, new.index, new.kind)
}

/// A seat that comes from another block keeps its channel.
fn add(seat: &Seat, from: Option<&&Seat>, changes: &mut Changes) {
    changes.report.added += usize::from(from.is_none());
    changes.report.changed += usize::from(from.is_some());
    let seat = Seat { channel: from.and_then(|old| old.channel.clone()), ..seat.clone() };
    changes.writes.push(Write::put(seat.to_item(), Cond::Absent));
}

/// State, hold, order, channel and what it is kept for stay as they are.
fn change(seat: &Seat, changes: &mut Changes) {
    changes.report.changed += 1;
    let update = Update::new().set(attr::LEVEL, seat.level.as_str()).set(attr::INDEX, seat.index);
    let update = update.set(attr::SEAT_KIND, i64::from(seat.kind)).add(attr::VERSION, 1);
    changes.writes.push(Write::update(key::seat(&seat.event, &seat.block, &seat.seat), Cond::Exists, update));
}

/// A section's map is replaced only by a higher sum of versions, so what removed seats counted passes to one that stays.
fn keep_sums_rising(event: &EventId, wanted: &[Seat], gone: &[&Seat], changes: &mut Changes) {
    let mut lost: BTreeMap<Option<SectionId>, i64> = BTreeMap::new();
    for old in gone {
        *lost.entry(section_of_block(&old.block)).or_default() += old.version;
    }
    for (section, versions) in lost {
        let heir = wanted.iter().find(|seat| section_of_block(&seat.block) == section);
        heir.into_iter().for_each(|heir| bump(event, heir, versions + 1, &mut changes.writes));
    }
}

fn bump(event: &EventId, heir: &Seat, by: i64, writes: &mut Vec<Write>) {
    let key = key::seat(event, &heir.block, &heir.seat);
    match writes.iter_mut().find(|w| w.key == key).map(|w| &mut w.change) {
        Some(Change::Put(item)) => drop(item.insert(attr::VERSION.to_owned(), (heir.version + by).into())),
        Some(Change::Update(update)) => update.add = vec![(attr::VERSION, by + 1)],
        Some(Change::Delete | Change::Check) => {}
        None => writes.push(Write::update(key, Cond::Exists, Update::new().add(attr::VERSION, by))),
    }
}
