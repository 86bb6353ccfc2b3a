//! Schedules of an order's life, of slow readers who write its messages, and of senders who die: what a receiver hears first of
//! each message comes in order. Each guard has a twin without it, which some schedule betrays.

use super::tests::order;
use super::*;
use crate::items::{Order, OrderState, OutMessage, key};
use crate::plan::memory::World;
use crate::plan::{Plan, Rule as _};
use crate::testing::Dice;
use crate::time::WallMs;

/// Which guards stand.
#[derive(Clone, Copy)]
struct Guards {
    /// Messages are written only while the order is as it was read.
    as_read: bool,
    /// A message that waits keeps later ones waiting.
    in_turn: bool,
    /// A message is taken before it is sent.
    taken: bool,
}

const ALL: Guards = Guards { as_read: true, in_turn: true, taken: true };

/// Lives of orders: state and parts given back, one after the other.
const LIVES: [&[(OrderState, u32)]; 5] = [
    &[
        (OrderState::Confirmed, 0),
        (OrderState::Captured, 0),
        (OrderState::Delivered, 0),
        (OrderState::Reducing, 0),
        (OrderState::Captured, 1),
        (OrderState::Delivered, 1),
        (OrderState::Reducing, 1),
        (OrderState::Captured, 2),
        (OrderState::Delivered, 2),
        (OrderState::Cancelling, 2),
        (OrderState::Refunded, 2),
    ],
    &[(OrderState::Paying, 0), (OrderState::Confirmed, 0), (OrderState::Cancelling, 0), (OrderState::Cancelled, 0)],
    &[(OrderState::Confirmed, 0), (OrderState::CaptureFailed, 0), (OrderState::Released, 0)],
    // A free order ends cancelled, though it was handed out.
    &[(OrderState::Confirmed, 0), (OrderState::Captured, 0), (OrderState::Cancelling, 0), (OrderState::Cancelled, 0)],
    &[(OrderState::Confirmed, 0), (OrderState::Captured, 0), (OrderState::Delivered, 0)],
];

struct Run {
    world: World,
    dice: Dice,
    guards: Guards,
    now: WallMs,
    /// Plans of readers who have read and not yet written.
    slow: Vec<Note>,
    heard: Vec<u32>,
    sent_by_two: bool,
    sender: u64,
}

impl Run {
    fn new(seed: u64, guards: Guards) -> Self {
        let (world, dice) = (World::default(), Dice(seed));
        Self { world, dice, guards, now: WallMs(0), slow: Vec::new(), heard: Vec::new(), sent_by_two: false, sender: 0 }
    }

    fn order(&self) -> Order {
        Order::from_item(self.world.get(&key::order(&order().id)).expect("the order")).expect("readable")
    }

    fn messages(&self) -> Vec<OutMessage> {
        let pk = key::order(&order().id).pk;
        self.world.query(&pk, key::OUT).map(|item| OutMessage::from_item(item).expect("readable")).collect()
    }

    fn reads(&mut self) {
        let known = self.messages().iter().map(|message| message.rank).collect();
        self.slow.push(Note { order: self.order(), known, handed: Vec::new(), now: self.now });
    }

    fn writes(&mut self) {
        if self.slow.is_empty() {
            return;
        }
        let note = self.slow.remove(usize::try_from(self.dice.below(self.slow.len() as u64)).expect("small"));
        if note.missing().is_empty() {
            return;
        }
        if self.guards.as_read {
            let _ = self.world.decide(note);
        } else {
            let Plan { writes } = note.plan().expect("no refusal");
            writes[1..].iter().for_each(|write| drop(self.world.commit(&Plan::new(vec![write.clone()]))));
        }
    }

    fn may_send(&mut self, take: Take) -> bool {
        let won = self.world.decide(take).is_ok();
        won || !self.guards.taken
    }

    /// A sender does what it can; the receiver fails now and then, and senders die before or after they sent.
    fn sends(&mut self) {
        let messages = self.messages();
        let due = |m: &&OutMessage| m.state == crate::items::OutState::Pending && m.due <= self.now;
        let first = match turn(&messages, self.now) {
            Turn::Send(message) => Some(message),
            _ if !self.guards.in_turn => messages.iter().find(due),
            _ => None,
        };
        let Some(message) = first.cloned() else { return };
        self.sender += 1;
        let take = Take { message, sender: self.sender.to_string(), now: self.now };
        // Another sender read the same: one of the two sends.
        let other = Take { sender: "other".into(), ..take.clone() };
        let (own, others) = (self.may_send(take.clone()), self.may_send(other));
        self.sent_by_two |= own && others;
        if self.dice.chance(20) {
            return;
        }
        let fails = self.dice.chance(40);
        if !fails {
            self.heard.push(take.message.rank);
        }
        if self.dice.chance(20) {
            return;
        }
        let end = if fails { Ended::Failed("503".into()) } else { Ended::Acknowledged(200) };
        let _ = self.world.commit(&ended(&take.taken(), &end, self.now, 0));
    }

    fn live(mut self, life: &[(OrderState, u32)]) -> Result<(), String> {
        let mut life = life.iter();
        for step in 0..400 {
            match self.dice.below(4) {
                0 if step % 3 == 0 => {
                    if let Some((state, parts)) = life.next() {
                        self.world.put(Order { state: *state, parts: *parts, ..order() }.to_item());
                    }
                }
                _ if self.world.get(&key::order(&order().id)).is_none() => {}
                1 => self.reads(),
                2 => self.writes(),
                _ => self.sends(),
            }
            self.now = self.now.plus(1_000 * i64::try_from(self.dice.below(200)).expect("small"));
        }
        self.ends(life.as_slice().is_empty())
    }

    fn ends(self, whole: bool) -> Result<(), String> {
        let mut first: Vec<u32> = Vec::new();
        self.heard.iter().for_each(|rank| {
            if !first.contains(rank) {
                first.push(*rank)
            }
        });
        if !first.is_sorted() {
            return Err(format!("heard {:?}", self.heard));
        }
        if self.sent_by_two {
            return Err("two senders had one message".into());
        }
        let order = self.order();
        let known: Vec<u32> = self.messages().iter().map(|message| message.rank).collect();
        let lacks = implied(&order).iter().any(|kind| !known.contains(&rank(*kind, order.parts)));
        if whole && lacks && self.slow.is_empty() { Err(format!("only {known:?} are there")) } else { Ok(()) }
    }
}

fn schedules(guards: Guards) -> Result<(), String> {
    for seed in 0..1_000 {
        let life = LIVES[usize::try_from(seed).expect("small") % LIVES.len()];
        let mut run = Run::new(seed, guards);
        run.world.put(Order { state: life[0].0, parts: 0, ..order() }.to_item());
        run.live(&life[1..]).map_err(|found| format!("seed {seed}: {found}"))?;
    }
    Ok(())
}

#[test]
fn messages_are_heard_in_order_whoever_is_slow_or_dies() {
    assert_eq!(schedules(ALL), Ok(()));
}

#[test]
fn without_a_guard_some_schedule_shows_it() {
    let twins = [Guards { as_read: false, ..ALL }, Guards { in_turn: false, ..ALL }, Guards { taken: false, ..ALL }];
    for (n, twin) in twins.into_iter().enumerate() {
        assert!(schedules(twin).is_err(), "nothing misses guard {n}");
    }
}
