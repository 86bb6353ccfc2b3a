//! What operators and the projection do.

use super::fans::line;
use super::op::Op;
use super::stage::{Fate, Stage};
use crate::shop::{broken, event, floor};
use domain::allot::{self, Change, Mark, Outcome, Reach, Spot};
use domain::items::{MapPool, MapSection, Seat, SeatState, Share, key};
use domain::map::{self, Refresh};

impl Stage {
    pub fn block(&mut self, op: &Op) {
        for n in &op.seats {
            let before = self.books.seats[&line(*n).seat].clone();
            let known = self.mark(*n, broken());
            let now = self.books.seats[&before.seat].state;
            if known && (now == SeatState::Blocked) != (before.state != SeatState::Sold) {
                self.wrong(format!("untrue: seat {n} was {} and blocking it made it {now}", before.state));
            }
            if let Some(hold) = before.hold.filter(|_| now == SeatState::Blocked) {
                self.books.stripped.insert((hold, before.seat));
            }
        }
    }

    pub fn unblock(&mut self, op: &Op) {
        for n in &op.seats {
            let before = self.books.seats[&line(*n).seat].state;
            let known = self.mark(*n, Change::Release);
            let now = self.books.seats[&line(*n).seat].state;
            let wanted = if before == SeatState::Blocked { SeatState::Free } else { before };
            if known && now != wanted {
                self.wrong(format!("untrue: seat {n} was {before} and freeing it made it {now}"));
            }
        }
    }

    /// Whatever has the seat; answers whether the operator knows what came of it.
    fn mark(&mut self, n: u32, change: Change) -> bool {
        let spot = Spot { seat: line(n).seat, block: line(n).block, from: None };
        let mut mark = Mark { event: event(), change, spots: vec![spot], now: self.now };
        let mut outcome = Outcome::default();
        loop {
            let findings = match self.decide(mark.clone()) {
                Fate::Committed | Fate::Already => return true,
                Fate::Busy | Fate::Dead => return false,
                Fate::Refused(findings) => findings,
            };
            match allot::sort(&mark, findings, Reach::HeldToo, &mut outcome) {
                Some(next) => mark = next,
                None => return true,
            }
        }
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
