//! Every refusal tells the truth, and what is done has been done.

use std::collections::BTreeSet;

use super::stage::{Fate, Stage};
use crate::shop;
use domain::hold::{Extend, ExtendRefusal, MAX_PLACES, Release, ReleaseRefusal, Take, TakeRefusal};
use domain::ids::{AccountId, ChannelId, HoldId, SeatId};
use domain::items::{Hold, HoldState, Order, OrderState, Seat, SeatState, Share};
use domain::order::{BeginPart, CardLimit, Claim, ClaimRefusal, MAX_ATTEMPTS, Moved, PartRefusal, SellRefusal};
use domain::time::EventMs;
use domain::usage::{BURST, PACE_MS};

impl Stage {
    fn seat(&self, id: &SeatId) -> Option<&Seat> {
        self.books.seats.get(id)
    }

    fn is(&self, hold: &HoldId, states: &[HoldState]) -> bool {
        self.books.holds.get(hold).is_some_and(|h| states.contains(&h.state))
    }

    fn committed(&self, account: &AccountId) -> u32 {
        self.books.usages.get(account).map_or(0, |u| u.committed)
    }

    /// Whether the hold has all these seats in this state; the ones that it has not.
    fn lost<'a>(&self, hold: &'a Hold, state: SeatState) -> BTreeSet<&'a SeatId> {
        let has = |s: &&SeatId| self.seat(s).is_some_and(|s| s.state == state && s.hold == Some(hold.id));
        let all = hold.places.seats.iter().map(|l| &l.seat);
        all.filter(|s| !has(s)).collect()
    }

    fn truth(&mut self, told: bool, what: impl FnOnce() -> String) {
        if !told {
            self.wrong(format!("untrue: {}", what()));
        }
    }

    pub fn took(&mut self, take: &Take, fate: &Fate<TakeRefusal>) {
        let told = match fate {
            Fate::Committed | Fate::Already => {
                self.books.holds.get(&take.hold).is_some_and(|h| h.fingerprint == take.fingerprint)
            }
            Fate::Refused(refusal) => self.take_refused(take, refusal),
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {take:?}"));
    }

    fn take_refused(&self, take: &Take, refusal: &TakeRefusal) -> bool {
        let usage = self.books.usages.get(&take.account);
        match refusal {
            TakeRefusal::Nothing => take.count() == 0,
            TakeRefusal::Twice | TakeRefusal::Inconsistent(_) => false,
            TakeRefusal::LimitExceeded { limit, committed } => {
                let now = if take.count() > *limit { 0 } else { self.committed(&take.account) };
                *limit == take.limit.min(MAX_PLACES) && *committed == now && now + take.count() > *limit
            }
            TakeRefusal::ReplacedUnknown => take.replaces.as_ref().is_some_and(|h| h.account != take.account),
            TakeRefusal::Mismatch => {
                self.books.holds.get(&take.hold).is_some_and(|h| h.fingerprint != take.fingerprint)
            }
            TakeRefusal::ReplacedPaid => {
                take.replaces.as_ref().is_some_and(|h| self.is(&h.id, &[HoldState::Claimed, HoldState::Sold]))
            }
            TakeRefusal::SeatUnknown(seats) => {
                let asked = |s: &&SeatId| take.seats.iter().find(|l| l.seat == **s).map(|l| &l.block);
                seats.iter().all(|s| self.seat(s).is_none_or(|found| Some(&found.block) != asked(&s)))
            }
            TakeRefusal::ChannelRequired(seats) => {
                let shown = |channel: &ChannelId| take.channels.contains(channel);
                seats.iter().all(|s| self.seat(s).is_some_and(|s| s.channel.as_ref().is_some_and(|c| !shown(c))))
            }
            TakeRefusal::SeatsTaken(seats) => !seats.is_empty() && seats.iter().all(|s| self.taken(take, s)),
            TakeRefusal::PoolExhausted { left, .. } => {
                take.pools.iter().any(|p| p.quantity() > *left) && *left == self.left(take)
            }
            TakeRefusal::TooFast { wait_ms } => {
                let over = |at: EventMs| at.since(take.now) - (BURST - 1) * PACE_MS;
                *wait_ms > 0 && usage.and_then(|u| u.paced).map(over) == Some(*wait_ms)
            }
            TakeRefusal::HoldExists { hold } => {
                let replaced = take.replaces.as_ref().is_some_and(|h| h.id == *hold);
                !replaced && usage.and_then(|u| u.hold).is_some_and(|(id, until)| id == *hold && until >= take.now)
            }
        }
    }

    /// Seats of a channel went to nobody else, but for those that the fan had before.
    pub fn was_open(&mut self, take: &Take, before: &[Seat]) {
        let own = |s: &&Seat| take.replaces.as_ref().is_some_and(|old| s.hold == Some(old.id));
        let strange = |s: &&Seat| s.channel.as_ref().is_some_and(|channel| !take.channels.contains(channel));
        if let Some(seat) = before.iter().filter(|s| !own(s)).find(strange) {
            self.wrong(format!("seat {} of a channel went to a stranger", seat.seat));
        }
    }

    /// Whether this fan cannot have the seat.
    fn taken(&self, take: &Take, seat: &SeatId) -> bool {
        let Some(seat) = self.seat(seat) else { return false };
        let own = |h: &Hold| seat.hold == Some(h.id) && self.is(&h.id, &[HoldState::Live]);
        match seat.state {
            SeatState::Free => false,
            SeatState::Held => seat.until >= Some(take.now) && !take.replaces.as_ref().is_some_and(own),
            SeatState::Claimed | SeatState::Sold | SeatState::Blocked => true,
        }
    }

    /// Places that this fan may have, with those of a live hold that it replaces.
    fn left(&self, take: &Take) -> u32 {
        let asked = |s: &&Share| take.pools.iter().any(|ask| ask.order.contains(&s.share));
        let free: u32 = self.books.shares.values().filter(asked).map(|s| s.free).sum();
        let old = take.replaces.as_ref().and_then(|h| self.books.holds.get(&h.id));
        let old = old.filter(|h| h.state == HoldState::Live);
        free + old.map_or(0, |h| h.places.pools.iter().map(|l| l.quantity).sum())
    }

    pub fn released(&mut self, release: &Release, fate: &Fate<ReleaseRefusal>) {
        let id = release.hold.id;
        let told = match fate {
            Fate::Committed | Fate::Already => {
                let hold = &self.books.holds[&id];
                let gone = |s: &SeatId| hold.places.seats.iter().all(|l| &l.seat != s);
                hold.state != HoldState::Live || (!release.seats.is_empty() && release.seats.iter().all(gone))
            }
            Fate::Refused(ReleaseRefusal::NotYours) => release.hold.account != release.account,
            Fate::Refused(ReleaseRefusal::BeingPaid) => {
                release.hold.state != HoldState::Live || self.is(&id, &[HoldState::Claimed])
            }
            Fate::Refused(ReleaseRefusal::Sold) => {
                release.hold.state != HoldState::Live || self.is(&id, &[HoldState::Sold])
            }
            Fate::Refused(ReleaseRefusal::SeatUnknown(seats)) => {
                let has = |h: &Hold| h.places.seats.iter().any(|l| l.seat == seats[0]);
                !has(&release.hold) || !has(&self.books.holds[&id])
            }
            Fate::Refused(ReleaseRefusal::Inconsistent) => false,
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {release:?}"));
    }

    pub fn extended(&mut self, extend: &Extend, fate: &Fate<ExtendRefusal>) {
        let hold = self.books.holds[&extend.hold.id].clone();
        let told = match fate {
            Fate::Committed | Fate::Already => hold.extended && hold.state == HoldState::Live,
            Fate::Refused(ExtendRefusal::NotYours) => extend.account != hold.account,
            Fate::Refused(ExtendRefusal::NotLive) => {
                extend.hold.state != HoldState::Live || hold.state != HoldState::Live
            }
            Fate::Refused(ExtendRefusal::Overdue) => extend.hold.until < self.now || hold.until < self.now,
            Fate::Refused(ExtendRefusal::Extended) => hold.extended,
            Fate::Refused(ExtendRefusal::SeatsGone(seats)) => {
                let lost = self.lost(&hold, SeatState::Held);
                !seats.is_empty() && seats.iter().all(|s| lost.contains(s))
            }
            Fate::Refused(ExtendRefusal::Inconsistent) => false,
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {extend:?}"));
    }

    pub fn claimed(&mut self, claim: &Claim, fate: &Fate<ClaimRefusal>) {
        let told = match fate {
            Fate::Committed | Fate::Already => self.books.order(&claim.order).is_some_and(|o| o.hold == claim.hold.id),
            Fate::Refused(refusal) => self.claim_refused(claim, refusal),
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {claim:?}"));
    }

    fn claim_refused(&self, claim: &Claim, refusal: &ClaimRefusal) -> bool {
        let hold = &self.books.holds[&claim.hold.id];
        match refusal {
            ClaimRefusal::NotYours => hold.account != claim.account,
            ClaimRefusal::Mismatch => {
                self.books.order(&claim.order).is_some_and(|o| o.fingerprint != claim.fingerprint)
            }
            ClaimRefusal::BeingPaid(order) | ClaimRefusal::Sold(order) => {
                self.books.order(order).is_some_and(|o| o.hold == hold.id)
            }
            ClaimRefusal::SeatsGone(seats) => {
                let lost = self.lost(hold, SeatState::Held);
                let ended = self.is(&hold.id, &[HoldState::Released, HoldState::Expired]);
                ended || (!seats.is_empty() && seats.iter().all(|s| lost.contains(s)))
            }
            ClaimRefusal::TooManyAttempts => hold.attempts >= MAX_ATTEMPTS,
            ClaimRefusal::LimitExceeded { limit, committed } => {
                *committed == self.committed(&claim.account) && committed + hold.places.count() > *limit
            }
            ClaimRefusal::Inconsistent => false,
        }
    }

    pub fn sold(&mut self, order: &Order, card: Option<&CardLimit>, fate: &Fate<SellRefusal>) {
        let now = &self.books.orders[&order.id].order;
        let told = match fate {
            Fate::Committed | Fate::Already => !matches!(now.state, OrderState::Paying | OrderState::Voiding),
            Fate::Refused(SellRefusal::Moved(state)) => now.state == *state || order.state == *state,
            Fate::Refused(SellRefusal::TicketExists | SellRefusal::Inconsistent) => false,
            Fate::Refused(SellRefusal::SeatsGone(_)) => {
                !self.lost(&self.books.holds[&order.hold], SeatState::Claimed).is_empty()
            }
            Fate::Refused(SellRefusal::CardLimit { limit, bought }) => {
                let use_of = card.and_then(|c| self.books.cards.get(&c.fingerprint));
                let so_far = if order.places.count() > *limit { 0 } else { use_of.map_or(0, |c| c.bought) };
                *bought == so_far && bought + order.places.count() > *limit
            }
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {order:?}, now {now:?}", now = order.id));
    }

    pub fn parted(&mut self, part: &BeginPart, fate: &Fate<PartRefusal>) {
        let now = &self.books.orders[&part.order.id].order;
        let has = |s: &SeatId| now.places.seats.iter().any(|l| &l.seat == s);
        let went = |s: &SeatId| now.back.contains(s) || now.gone.contains(s);
        let told = match fate {
            Fate::Committed | Fate::Already => part.seats.iter().all(went),
            Fate::Refused(PartRefusal::NotYours) => part.account != now.account,
            Fate::Refused(PartRefusal::SeatUnknown(seats)) => seats.iter().any(|s| !has(s)),
            Fate::Refused(PartRefusal::Whole) => {
                [now, &part.order].iter().any(|o| o.places.count() as usize == part.seats.len())
            }
            Fate::Refused(PartRefusal::Moved(state)) => {
                *state != OrderState::Delivered && [now, &part.order].iter().any(|o| o.state == *state)
            }
            Fate::Refused(PartRefusal::Inconsistent) => false,
            Fate::Busy | Fate::Dead => true,
        };
        self.truth(told, || format!("{fate:?} of {part:?}"));
    }

    /// Steps on the order alone: a refusal says where the order stands now.
    pub fn moved(&mut self, order: &Order, fate: &Fate<Moved>) {
        let now = &self.books.orders[&order.id].order;
        let told = match fate {
            Fate::Refused(Moved::To(state)) => now.state == *state || order.state == *state,
            Fate::Refused(Moved::Inconsistent) => false,
            Fate::Refused(Moved::NotYours) => true,
            Fate::Committed | Fate::Already | Fate::Busy | Fate::Dead => true,
        };
        let (from, to) = (order.state, now.state);
        self.truth(told, || format!("{fate:?}: order {} was {from}, is {to}", order.id));
    }
}

/// The limit on a card, for orders that are paid with one.
pub fn card_limit(fingerprint: Option<String>) -> Option<CardLimit> {
    fingerprint.map(|fingerprint| CardLimit { fingerprint, limit: shop::CARD_LIMIT })
}
