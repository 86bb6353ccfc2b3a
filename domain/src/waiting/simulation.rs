//! Schedules of fans who come, leave, are offered seats, buy, give back, or do nothing. Each guard has a twin without it.

use std::collections::BTreeSet;

use super::*;
use crate::hold::{Expire, Release, Take};
use crate::ids::{AccountId, EventId, HoldId};
use crate::items::{Hold, HoldState, Seat, SeatLine, SeatState, WaitState, Waiting, key};
use crate::plan::memory::World;
use crate::plan::{Cond, Plan, Rule as _};
use crate::testing::Dice;
use crate::time::{EventMs, WallMs};

/// What stands.
#[derive(Clone, Copy)]
struct Guards {
    /// The entry is as it was read.
    as_read: bool,
    /// The seat is nobody's.
    seat: bool,
}

const ALL: Guards = Guards { as_read: true, seat: true };
const FANS: u64 = 5;
const SEATS: u64 = 3;

#[derive(Clone)]
struct Run {
    world: World,
    dice: Dice,
    guards: Guards,
    now: EventMs,
    /// Offers that were thought out and not made yet: a slow pulse.
    slow: Vec<Offer>,
    /// Accounts whose last word was that they do not wait.
    gone: BTreeSet<AccountId>,
}

fn event() -> EventId {
    "demo".parse().expect("an id")
}

fn account(n: u64) -> AccountId {
    AccountId::derive("dev", &n.to_string())
}

fn line(n: u64) -> SeatLine {
    SeatLine {
        seat: format!("A-1-{n}").parse().expect("an id"),
        block: "A".parse().expect("an id"),
        level: "front".into(),
        price_type: None,
        price_minor: 100,
        fee_minor: 0,
    }
}

impl Run {
    fn new(seed: u64, guards: Guards) -> Self {
        let mut world = World::default();
        for n in 0..SEATS {
            let SeatLine { seat, block, level, .. } = line(n);
            world.put(Seat::fresh(&event(), &block, &seat, &level, u32::try_from(n).expect("small"), 0).to_item());
        }
        let now = EventMs(1_000_000);
        Self { world, dice: Dice(seed), guards, now, slow: Vec::new(), gone: BTreeSet::new() }
    }

    fn take(&self, account: AccountId, hold: HoldId, seat: u64, hold_ms: i64) -> Take {
        Take {
            event: event(),
            account,
            hold,
            seats: vec![line(seat)],
            pools: vec![],
            channels: vec![],
            currency: "EUR".into(),
            replaces: None,
            limit: 4,
            now: self.now,
            hold_ms,
            fingerprint: "fp".into(),
            keep_until: WallMs(0),
            lost: vec![],
            paced: None,
        }
    }

    fn waiting(&self) -> Vec<Waiting> {
        let items = self.world.query("WAIT#demo", "").map(|item| Waiting::from_item(item).expect("readable"));
        let mut waiting: Vec<Waiting> = items.filter(|one| one.state == WaitState::Waiting).collect();
        waiting.sort_by_key(|one| Waiting::order(one.place, one.lane));
        waiting
    }

    fn holds(&self) -> Vec<Hold> {
        self.world
            .items()
            .filter_map(|item| Hold::from_item(item).ok())
            .filter(|h| h.state == HoldState::Live)
            .collect()
    }

    fn joins(&mut self, n: u64) {
        let account = account(n);
        // Before that it was read how the last offer stands, if there was one.
        let item = self.world.get(&key::waiting(&event(), &account));
        let last = item.and_then(|item| Waiting::from_item(item).expect("readable").hold);
        let hold = last.and_then(|hold| self.world.get(&key::hold(&hold)));
        let ended = hold.map(|item| Hold::from_item(item).expect("readable")).filter(Self::has_ended);
        let ended = ended.map(|hold| hold.id);
        let (now, keep_until) = (self.now, WallMs(0));
        let join = Join { event: event(), account, place: n + 1, lane: 0, quantity: 1, ended, now, keep_until };
        if self.world.decide(join).is_ok() {
            self.gone.remove(&account);
        }
    }

    fn has_ended(hold: &Hold) -> bool {
        !matches!(hold.state, HoldState::Live | HoldState::Claimed)
    }

    fn leaves(&mut self, n: u64) {
        if self.world.decide(Leave { event: event(), account: account(n) }).is_ok() {
            self.gone.insert(account(n));
        }
    }

    /// A pulse reads who is next.
    fn reads(&mut self) {
        let seat = self.dice.below(SEATS);
        let Some(to) = self.waiting().into_iter().next() else { return };
        let take = self.take(to.account, Offer::hold_of(&to), seat, OFFER_MS);
        self.slow.push(Offer { to, take });
    }

    /// A pulse makes an offer that it thought out before.
    fn makes(&mut self) -> Result<(), String> {
        if self.slow.is_empty() {
            return Ok(());
        }
        let offer = self.slow.remove(usize::try_from(self.dice.below(self.slow.len() as u64)).expect("small"));
        let to = offer.to.account;
        let made = if self.guards.as_read && self.guards.seat {
            self.world.decide(offer).is_ok()
        } else {
            self.world.commit(&self.unguarded(&offer)).is_ok()
        };
        if made && self.gone.contains(&to) { Err(format!("{to} had left")) } else { Ok(()) }
    }

    fn unguarded(&self, offer: &Offer) -> Plan {
        let Plan { mut writes } = offer.plan().expect("no refusal");
        for write in &mut writes {
            let of = |prefix: &str| write.key.pk.starts_with(prefix);
            if (!self.guards.as_read && of("WAIT#")) || (!self.guards.seat && of("SEATS#")) {
                write.expect = Cond::Always;
            }
        }
        Plan::new(writes)
    }

    /// Somebody who does not wait takes a seat, or gives one back.
    fn others(&mut self, step: u64) {
        let fan = account(100 + self.dice.below(3));
        let seat = self.dice.below(SEATS);
        let take = self.take(fan, HoldId::derive(&fan, &step.to_string()), seat, 60_000);
        let _ = self.world.decide(take);
    }

    fn releases(&mut self) {
        let holds = self.holds();
        if holds.is_empty() {
            return;
        }
        let hold = holds[usize::try_from(self.dice.below(holds.len() as u64)).expect("small")].clone();
        let account = hold.account;
        let _ = self.world.decide(Release::all(hold, account));
    }

    fn sweeps(&mut self) {
        for hold in self.holds() {
            let _ = self.world.decide(Expire::new(hold, self.now));
        }
    }

    /// No seat is in two holds that are good; who is offered something has a hold for it.
    fn sound(&self) -> Result<(), String> {
        let mut seats = BTreeSet::new();
        for hold in self.holds().iter().filter(|hold| hold.until >= self.now) {
            for line in &hold.places.seats {
                if !seats.insert(line.seat.clone()) {
                    return Err(format!("{} is in two live holds", line.seat));
                }
                let item = self.world.get(&key::seat(&event(), &line.block, &line.seat)).expect("a seat");
                let seat = Seat::from_item(item).expect("readable");
                if seat.state != SeatState::Held || seat.hold != Some(hold.id) {
                    return Err(format!("{} is not its hold's", line.seat));
                }
            }
        }
        let offered = self.world.query("WAIT#demo", "").map(|item| Waiting::from_item(item).expect("readable"));
        let bare = |one: &Waiting| one.hold.is_none_or(|hold| self.world.get(&key::hold(&hold)).is_none());
        match offered.filter(|one| one.state == WaitState::Offered).find(bare) {
            Some(one) => Err(format!("{} was offered nothing", one.account)),
            None => Ok(()),
        }
    }

    fn goes(mut self) -> Result<(), String> {
        for step in 0..300 {
            let fan = self.dice.below(FANS);
            match self.dice.below(8) {
                0 => self.joins(fan),
                1 => self.leaves(fan),
                2 | 3 => self.reads(),
                4 => self.makes()?,
                5 => self.others(step),
                6 => self.releases(),
                _ => self.sweeps(),
            }
            self.now = self.now.plus(1_000 * i64::try_from(self.dice.below(240)).expect("small"));
            self.sound()?;
        }
        Ok(())
    }
}

fn schedules(guards: Guards) -> Result<(), String> {
    (0..200).try_for_each(|seed| Run::new(seed, guards).goes().map_err(|found| format!("seed {seed}: {found}")))
}

#[test]
fn no_seat_is_offered_twice_and_nobody_who_left() {
    assert_eq!(schedules(ALL), Ok(()));
}

#[test]
fn without_a_guard_some_schedule_shows_it() {
    for (n, twin) in [Guards { as_read: false, ..ALL }, Guards { seat: false, ..ALL }].into_iter().enumerate() {
        assert!(schedules(twin).is_err(), "nothing misses guard {n}");
    }
}

#[test]
fn the_next_in_the_line_comes_first_whenever_they_came() {
    let mut run = Run::new(1, ALL);
    for n in [3, 1, 4, 2] {
        run.joins(n);
    }
    run.joins(1);
    let order = |run: &Run| run.waiting().iter().map(|one| one.place).collect::<Vec<_>>();
    assert_eq!(order(&run), [2, 3, 4, 5]);
    let to = run.waiting().remove(0);
    let take = run.take(to.account, Offer::hold_of(&to), 0, OFFER_MS);
    let offer = Offer { to, take };
    assert!(run.world.decide(offer.clone()).is_ok());
    assert_eq!(run.world.decide(offer), Ok(crate::plan::Decided::Already), "a lost reply");
    assert_eq!(order(&run), [3, 4, 5]);
    run.joins(1);
    assert_eq!(order(&run), [3, 4, 5], "an offer stands");
    assert!(matches!(run.world.decide(Leave { event: event(), account: account(1) }), Err(StandsOffered(Some(_)))));
    let mut declined = run.clone();
    let hold = declined.holds().into_iter().next().expect("the offer");
    let account = hold.account;
    assert!(declined.world.decide(Release::all(hold, account)).is_ok());
    declined.joins(1);
    assert_eq!(order(&declined), [2, 3, 4, 5], "an offer was given back: they may wait again");
    run.now = run.now.plus(OFFER_MS + 1);
    run.joins(1);
    assert_eq!(order(&run), [2, 3, 4, 5], "an offer lapsed: they may wait again");
}
