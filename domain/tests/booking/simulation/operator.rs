//! What operators and the projection do.

use super::op::{Fault, Op};
use super::stage::{Fate, Stage};
use crate::shop::{broken, event, floor};
use domain::allot::{self, Change, Mark, Outcome, Reach, Spot, Why};
use domain::ids::{ChannelId, HoldId};
use domain::items::{ClockItem, MapPool, MapSection, Seat, SeatState, Share, attr, key};
use domain::map::{self, Beat, Refresh, Seen};
use domain::plan::Item;
use domain::time::{Clock, EventMs, RUN_MS};

/// A channel.
pub fn club() -> ChannelId {
    "club".parse().unwrap()
}

/// Whether a seat may be taken from whoever has it.
fn may_block(seat: &Seat, from: Option<(HoldId, SeatState)>, reach: Reach, now: EventMs) -> bool {
    let due = seat.state == SeatState::Held && seat.until < Some(now);
    match (seat.state, from) {
        (_, Some(from)) => seat.hold.map(|hold| (hold, seat.state)) == Some(from),
        (SeatState::Free, None) => true,
        (SeatState::Held | SeatState::Claimed, None) => reach == Reach::HeldToo || due,
        (SeatState::Sold | SeatState::Blocked, None) => false,
    }
}

const fn found_in(why: &Why) -> Option<(HoldId, SeatState)> {
    match why {
        Why::Held(hold) => Some((*hold, SeatState::Held)),
        Why::BeingPaid(hold) => Some((*hold, SeatState::Claimed)),
        _ => None,
    }
}

impl Stage {
    pub fn block(&mut self, op: &Op) {
        let change = if op.nth > 0 { Change::House("press".parse().unwrap(), None) } else { broken() };
        let reach = if op.stale { Reach::Free } else { Reach::HeldToo };
        for n in &op.seats {
            let from = if op.places > 0 { self.found.get(n).copied() } else { None };
            let Some((before, after, known)) = self.mark(*n, from, change.clone(), reach) else { continue };
            let may = may_block(&before, from, reach, self.now);
            let right = if may { after.state == SeatState::Blocked } else { after == before };
            if known && !right {
                self.wrong(format!("untrue: seat {n} was {} and blocking it made it {}", before.state, after.state));
            }
            if let Some(hold) = before.hold.filter(|_| may && after.state == SeatState::Blocked) {
                self.books.stripped.insert((hold, before.seat));
            }
        }
    }

    pub fn unblock(&mut self, op: &Op) {
        for n in &op.seats {
            let Some((before, after, known)) = self.mark(*n, None, Change::Release, Reach::Free) else { continue };
            let right =
                if before.state == SeatState::Blocked { after.state == SeatState::Free } else { after == before };
            if known && !right {
                self.wrong(format!("untrue: seat {n} was {} and freeing it made it {}", before.state, after.state));
            }
        }
    }

    pub fn assign(&mut self, op: &Op) {
        let channel = [None, Some(club()), Some("press".parse().unwrap())][op.nth as usize].clone();
        for n in &op.seats {
            let Some((_, after, known)) = self.mark(*n, None, Change::Assign(channel.clone()), Reach::Free) else {
                continue;
            };
            if known && after.channel != channel {
                self.wrong(format!("untrue: seat {n} is of channel {:?}", after.channel));
            }
        }
    }

    /// Answers what the seat was and is, if there is one, and whether the operator knows what came of it.
    fn mark(
        &mut self,
        n: u32,
        from: Option<(HoldId, SeatState)>,
        change: Change,
        reach: Reach,
    ) -> Option<(Seat, Seat, bool)> {
        let line = self.line(n, false);
        let before = self.books.seats.get(&line.seat).cloned();
        let spot = Spot { seat: line.seat.clone(), block: line.block, from };
        let mut mark = Mark { event: event(), change, spots: vec![spot], now: self.now };
        let mut outcome = Outcome::default();
        let known = loop {
            let findings = match self.decide(mark.clone()) {
                Fate::Committed | Fate::Already => break true,
                Fate::Busy | Fate::Dead => break false,
                Fate::Refused(findings) => findings,
            };
            self.found.extend(findings.iter().filter_map(|f| Some((n, found_in(&f.why)?))));
            match allot::sort(&mark, findings, reach, &mut outcome) {
                Some(next) => mark = next,
                None => break true,
            }
        };
        Some((before?, self.books.seats.get(&line.seat)?.clone(), known))
    }

    /// What no rule writes: every seat but a held one is without a time.
    pub fn tamper(&mut self, op: &Op) {
        for n in &op.seats {
            let line = self.line(*n, false);
            let key = key::seat(&event(), &line.block, &line.seat);
            let mut item = self.world.get(&key).unwrap().clone();
            item.insert(attr::UNTIL.to_owned(), (self.now.0 - 1).into());
            self.world.put(item);
        }
    }

    /// A beat, or the projection's note of one; late ones come after newer ones.
    pub fn beat(&mut self, op: &Op) {
        if op.nth == 0 {
            let beat = self.clocks.len() as u64 + 1;
            self.clocks.push(Clock { beat, wall: self.wall(), event: self.now, run_ms: RUN_MS });
        }
        let Some(clock) = self.clocks.iter().rev().nth(op.nth as usize).copied() else { return };
        let before = self.beats();
        let beat = Some(clock.beat);
        let (stored, newer) = if op.stale {
            (before.1, self.decide(Seen { event: event(), beat: clock.beat, wall: clock.wall }) == Fate::Committed)
        } else {
            (before.0, self.decide(Beat { event: event(), clock, rev: 0 }) == Fate::Committed)
        };
        let after = self.beats();
        if after.0 < before.0 || after.1 < before.1 {
            self.wrong("time went back");
        }
        let now = if op.stale { after.1 } else { after.0 };
        // Without a fault a beat that is higher is there afterwards.
        if (newer || op.fault == Fault::NONE && stored < beat) && now != beat {
            self.wrong("untrue: the beat is not there");
        }
    }

    /// The beats of the stored clock and of the projection's note.
    fn beats(&self) -> (Option<u64>, Option<u64>) {
        let clock = self.world.get(&key::clock(&event())).and_then(|i| ClockItem::from_item(i).ok());
        let seen: Vec<Item> = self.world.get(&key::map_seen(&event())).into_iter().cloned().collect();
        (clock.map(|c| c.clock.beat), map::Map::of(&seen).0.seen.map(|(beat, _)| beat))
    }

    fn seats(&self) -> Vec<Seat> {
        self.books.seats.values().cloned().collect()
    }

    fn maps(&self) -> (MapSection, MapPool) {
        let shares: Vec<Share> = self.books.shares.values().cloned().collect();
        let section = map::section(&event(), &"A".parse().unwrap(), &self.seats());
        (section, map::pool(&event(), &floor(0).pool, &shares))
    }

    pub fn survey(&mut self) {
        let maps = self.maps();
        self.surveys.push(maps);
    }

    /// Writes a map; an older reading never replaces a newer one.
    pub fn draw(&mut self, op: &Op) {
        let Some((section, pool)) = self.surveys.iter().rev().nth(op.nth as usize).cloned() else { return };
        let before = self.drawn();
        let fate = self.decide(Refresh::section(&section));
        if fate != Fate::Dead {
            _ = self.decide(Refresh::pool(&pool));
        }
        let after = self.drawn();
        if after.0 < before.0 || after.1 < before.1 {
            self.wrong("the map went back");
        }
    }

    /// The sums of versions that the stored map was built from.
    fn drawn(&self) -> (i64, i64) {
        let section = self.world.get(&key::map_section(&event(), &"A".parse().unwrap()));
        let pool = self.world.get(&key::map_pool(&event(), &floor(0).pool));
        let sums = (section.and_then(|i| MapSection::from_item(i).ok()), pool.and_then(|i| MapPool::from_item(i).ok()));
        (sums.0.map_or(0, |m| m.sum), sums.1.map_or(0, |m| m.sum))
    }

    /// A last reading is drawn, and shows everything as it is.
    pub fn map_is_true(&mut self) -> Result<(), String> {
        self.survey();
        self.draw(&Op::new(super::op::Verb::Draw));
        let drawn = self.world.get(&key::map_section(&event(), &"A".parse().unwrap()));
        let drawn = drawn.and_then(|i| MapSection::from_item(i).ok());
        let pool = self.world.get(&key::map_pool(&event(), &floor(0).pool)).and_then(|i| MapPool::from_item(i).ok());
        let (section, shares) = self.maps();
        let same = drawn == Some(section) && pool == Some(shares);
        if same { Ok(()) } else { Err("the map is not what the seats are".into()) }
    }
}
