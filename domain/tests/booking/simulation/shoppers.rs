//! What fans, the sweep and an operator do.

use super::{Actor, Fate, Known, Sim};
use crate::shop::*;
use domain::allot::Change;
use domain::hold::{Expire, Extend, Release, Take};
use domain::items::{Hold, HoldState, Order, SeatState};
use domain::order::{BeginCancel, BeginPart};

impl Sim {
    pub(super) fn take(&mut self) {
        let who = self.dice.below(4) as u32;
        let from = self.dice.below(u64::from(SEATS)) as u32;
        let count = self.dice.below(3) as u32;
        let seats: Vec<u32> = (from..(from + count).min(SEATS)).collect();
        let places = self.dice.below(3) as u32;
        let pools = if places > 0 { vec![floor(places)] } else { vec![] };
        let live = self.view().holds.into_iter().find(|h| h.account == account(who) && h.state == HoldState::Live);
        let replaces = if self.dice.chance(50) { live } else { None };
        let key = self.key();
        self.log.push(format!("take {who} {seats:?} + {places} replaces {}", replaces.is_some()));
        let take = Take { pools, replaces, now: self.now, ..take(who, &key, &seats) };
        _ = self.run(take.clone());
        if self.dice.chance(20) {
            _ = self.run(take);
        }
    }

    pub(super) fn some_hold(&mut self) -> Option<Hold> {
        let holds = self.view().holds;
        self.dice.pick(&holds)
    }

    pub(super) fn release(&mut self) {
        let Some(hold) = self.some_hold() else { return };
        let seats = if self.dice.chance(50) {
            hold.places.seats.iter().take(1).map(|l| l.seat.clone()).collect()
        } else {
            vec![]
        };
        self.log.push(format!("release {} {seats:?}", hold.id));
        let account = hold.account;
        _ = self.run(Release::some(hold, account, seats));
    }

    pub(super) fn extend(&mut self) {
        let Some(hold) = self.some_hold() else { return };
        self.log.push(format!("extend {}", hold.id));
        _ = self.run(Extend { account: hold.account, hold, now: self.now });
    }

    pub(super) fn claim(&mut self) {
        let live: Vec<Hold> = self.view().holds.into_iter().filter(|h| h.state == HoldState::Live).collect();
        let Some(hold) = self.dice.pick(&live) else { return };
        let key = self.key();
        let claim = claim(hold, &key, self.now);
        self.log.push(format!("claim {} as {}", claim.hold.id, claim.order));
        if matches!(self.run(claim.clone()), Fate::Committed) {
            self.hire(order(&self.world, &claim.order));
        }
    }

    pub(super) fn hire(&mut self, order: Order) {
        self.actors.push(Actor { order, known: Known::Unasked });
    }

    pub(super) fn pass(&mut self) {
        let ms = [1_000, 60_000, 200_000, 700_000][self.dice.below(4) as usize];
        self.log.push(format!("pass {ms}"));
        self.now = self.now.plus(ms);
    }

    pub(super) fn sweep(&mut self) {
        for hold in self.view().holds {
            _ = self.run(Expire::new(hold, self.now));
        }
        self.log.push("sweep".into());
    }

    pub(super) fn block(&mut self) {
        let n = self.dice.below(u64::from(SEATS)) as u32;
        let blocked = seat(&self.world, n).state == SeatState::Blocked;
        self.log.push(format!("block or free {n}"));
        let change = if blocked { Change::Release } else { broken() };
        if block(&mut self.world, n, change) {
            self.blocked.retain(|b| *b != n);
            self.blocked.extend((!blocked).then_some(n));
        }
    }

    pub(super) fn cancel(&mut self) {
        let sold: Vec<Order> = self.view().orders.into_iter().filter(|o| o.state.owns_seats()).collect();
        let Some(order) = self.dice.pick(&sold) else { return };
        if self.dice.chance(50) {
            let seats: Vec<_> = order.places.seats.iter().take(1).map(|l| l.seat.clone()).collect();
            self.log.push(format!("give {seats:?} of {} back", order.id));
            _ = self.run(BeginPart { account: order.account, order, seats, now: self.now });
            return;
        }
        self.log.push(format!("cancel {}", order.id));
        _ = self.run(BeginCancel { account: order.account, order, now: self.now });
    }
}
