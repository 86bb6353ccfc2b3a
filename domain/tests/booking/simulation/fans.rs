//! What fans do.

use super::op::Op;
use super::operator::club;
use super::stage::{Fate, Stage};
use crate::shop;
use domain::hold::{Extend, Release, Take};
use domain::items::{HoldState, Order, Seat, SeatLine};
use domain::order::{BeginCancel, BeginPart, Claim};
use domain::pool::PoolAsk;

/// A seat at its price; the last one is free of charge.
pub fn line(n: u32) -> SeatLine {
    let line = shop::line(n);
    if n + 1 == shop::SEATS { SeatLine { price_minor: 0, fee_minor: 0, ..line } } else { line }
}

impl Stage {
    /// A seat where it is, or where it was at first.
    pub fn line(&self, n: u32, stale: bool) -> SeatLine {
        let line = line(n);
        let block = self.books.seats.get(&line.seat).filter(|_| !stale).map(|s| s.block.clone());
        SeatLine { block: block.unwrap_or_else(|| line.block.clone()), ..line }
    }

    fn floor(&self, op: &Op) -> Vec<PoolAsk> {
        let mut ask = shop::floor(op.places);
        if !op.stale {
            ask.order = self.books.shares.values().map(|s| s.share).collect();
        }
        if op.places > 0 { vec![ask] } else { vec![] }
    }

    pub fn take(&mut self, op: &Op) {
        let replaces = self.hold(op.replaces, op.stale);
        let plain = shop::take(op.fan, &format!("h{}", op.hold), &[]);
        let seats = op.seats.iter().map(|n| self.line(*n, op.stale)).collect();
        let channels = if op.nth > 0 { vec![club()] } else { vec![] };
        let fingerprint = format!("{:?} {} {}", op.seats, op.places, op.replaces);
        let take = Take { seats, pools: self.floor(op), replaces, channels, fingerprint, now: self.now, ..plain };
        let before: Vec<Seat> = take.seats.iter().filter_map(|l| self.books.seats.get(&l.seat)).cloned().collect();
        let fate = self.decide(take.clone());
        if fate == Fate::Committed {
            self.was_open(&take, &before);
        }
        if self.books.holds.contains_key(&take.hold) {
            self.holds.insert(op.hold, (op.fan, take.hold));
        }
        self.took(&take, &fate);
    }

    pub fn look(&mut self, op: &Op) {
        if let Some(hold) = self.hold(op.hold, false) {
            self.seen.insert(op.hold, hold);
        }
    }

    pub fn release(&mut self, op: &Op) {
        let Some(hold) = self.hold(op.hold, op.stale) else { return };
        let seats = op.seats.iter().map(|n| line(*n).seat).collect();
        let release = Release::some(hold, shop::account(op.fan), seats);
        let fate = self.decide(release.clone());
        self.released(&release, &fate);
    }

    pub fn extend(&mut self, op: &Op) {
        let Some(hold) = self.hold(op.hold, op.stale) else { return };
        let extend = Extend { account: shop::account(op.fan), hold, now: self.now };
        let fate = self.decide(extend.clone());
        self.extended(&extend, &fate);
    }

    pub fn claim(&mut self, op: &Op) {
        let Some(hold) = self.hold(op.hold, op.stale) else { return };
        let fresh = shop::claim(hold, &format!("o{}", op.order), self.now);
        let claim = Claim { account: shop::account(op.fan), method: op.card.to_string(), ..fresh };
        if self.orders.get(&op.order).is_some_and(|id| *id != claim.order) {
            return;
        }
        let fate = self.decide(claim.clone());
        if self.books.order(&claim.order).is_some() {
            self.orders.insert(op.order, claim.order);
        }
        self.claimed(&claim, &fate);
    }

    pub fn cancel(&mut self, op: &Op) {
        let Some(order) = self.order(op.order).cloned() else { return };
        let known = self.workers.values().map(|w| &w.order).find(|o| op.stale && o.id == order.id);
        let order = known.cloned().unwrap_or(order);
        if !op.seats.is_empty() {
            return self.cancel_part(op, order);
        }
        let fate = self.decide(BeginCancel { order: order.clone(), account: shop::account(op.fan), now: self.now });
        self.moved(&order, &fate);
    }

    fn cancel_part(&mut self, op: &Op, order: Order) {
        let seats = op.seats.iter().map(|n| line(*n).seat).collect();
        let part = BeginPart { account: shop::account(op.fan), order, seats, now: self.now };
        let fate = self.decide(part.clone());
        self.parted(&part, &fate);
    }

    /// The sweep lists what is overdue; what it lists may be older than what it then finds.
    pub fn sweep(&mut self, op: &Op) {
        let Some(hold) = self.hold(op.hold, op.stale) else { return };
        let fate = self.decide(domain::hold::Expire::new(hold.clone(), self.now));
        let due = self.books.holds.get(&hold.id).is_some_and(|h| h.state == HoldState::Live && h.until < self.now);
        match fate {
            Fate::Refused(domain::hold::ExpireRefusal::NotDue) if due && !op.stale => {
                self.wrong("a due hold is not swept")
            }
            Fate::Refused(domain::hold::ExpireRefusal::Inconsistent) => self.wrong("a hold cannot be swept"),
            _ => {}
        }
    }
}
