//! Seats: added, changed and removed.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::Gone;
use super::{Changes, Obstacle};
use crate::ids::{BlockId, EventId, SeatId, SectionId};
use crate::items::{Seat, SeatState, attr, key};
use crate::layout::section_of_block;
use crate::plan::{Cond, Update, Write};

type Place<'a> = (&'a SeatId, &'a BlockId);

/// Adds what is to be written about seats, removals first, and answers what stands in the way.
pub(super) fn compare(event: &EventId, wanted: &[Seat], stored: &[Seat], changes: &mut Changes) -> Vec<Obstacle> {
    let by_place: BTreeMap<Place<'_>, &Seat> = stored.iter().map(|s| ((&s.seat, &s.block), s)).collect();
    let places: BTreeSet<Place<'_>> = wanted.iter().map(|s| (&s.seat, &s.block)).collect();
    let ids: BTreeSet<&SeatId> = wanted.iter().map(|s| &s.seat).collect();
    let gone: Vec<&Seat> = stored.iter().filter(|s| !places.contains(&(&s.seat, &s.block))).collect();
    let stands = |s: &&&Seat| s.state != SeatState::Free;
    let obstacles = gone.iter().filter(stands).map(|s| obstacle(s, ids.contains(&s.seat))).collect();
    remove(event, wanted, &by_place, &gone, changes);
    for seat in wanted {
        match by_place.get(&(&seat.seat, &seat.block)) {
            None => add(seat, gone.iter().find(|old| old.seat == seat.seat), changes),
            Some(old) if differs(old, seat) => change(seat, changes),
            Some(_) => {}
        }
    }
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

/// What goes. Its versions pass to a seat of its section that stays, or else to one that comes.
fn remove(
    event: &EventId,
    wanted: &[Seat],
    stored: &BTreeMap<Place<'_>, &Seat>,
    gone: &[&Seat],
    changes: &mut Changes,
) {
    let mut heirs: BTreeMap<Option<SectionId>, &Seat> = BTreeMap::new();
    let stays = |seat: &&Seat| stored.contains_key(&(&seat.seat, &seat.block));
    for seat in wanted.iter().filter(stays).chain(wanted) {
        heirs.entry(section_of_block(&seat.block)).or_insert(seat);
    }
    let comes = |old: &&Seat| wanted.iter().any(|seat| seat.seat == old.seat);
    for old in gone.iter().copied().filter(|old| old.state == SeatState::Free) {
        changes.report.removed += usize::from(!comes(&old));
        let heir = heirs.get(&section_of_block(&old.block)).map(|s| key::seat(event, &s.block, &s.seat));
        changes.gone.push(Gone { key: key::seat(event, &old.block, &old.seat), version: old.version, heir });
    }
}
