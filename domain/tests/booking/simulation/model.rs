//! The machine of holds and orders, exhausted within bounds: two seats and two fans, or three, or one fan's order under two executors
//! of which one may die or lose a reply; and from every state that can be reached a way to rest.
//!
//! Each fan has one key for a hold and one for an order; event time passes once, beyond every hold. The third fan wants both seats,
//! and pays or lets them go by. Within that every order of events is tried, depth first; a state is known by its fingerprint.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::lens::Lens;
use super::op::{Fault, Op, Trouble, Verb};
use super::stage::Stage;
use crate::provider::Card;
use domain::hold::HOLD_MS;

/// How much there is of everything.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    fans: u32,
    /// Of the first fan's order; another's has one.
    executors: u32,
    /// Actions in trouble on one way.
    faults: u32,
}

const TROUBLES: [Trouble; 3] = [Trouble::Lost, Trouble::Before, Trouble::After];

/// From this fan on, fans do less.
const THIRD: u32 = 2;

/// What a fan may ask for.
fn wishes(fan: u32) -> Vec<Vec<u32>> {
    if fan < THIRD { vec![vec![0], vec![0, 1]] } else { vec![vec![0, 1]] }
}

#[derive(Clone)]
struct State {
    stage: Stage,
    bounds: Bounds,
    faults: u32,
    passed: bool,
    way: Vec<Op>,
}

impl State {
    /// What tells this state from others: everything stored, at the provider, and in executors' heads.
    fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        let Stage { world, provider, workers, now, .. } = &self.stage;
        format!("{world:?}{provider:?}{workers:?}{now:?}").hash(&mut hash);
        (self.faults, self.passed).hash(&mut hash);
        hash.finish()
    }

    /// Everything that may happen next.
    fn next(&self) -> Vec<Op> {
        let mut ops = Vec::new();
        for fan in 0..self.bounds.fans {
            let n = fan + 1;
            let of = |verb| Op { fan, hold: n, ..Op::new(verb) };
            match self.stage.holds.get(&n) {
                None => ops.extend(wishes(fan).into_iter().map(|seats| Op { seats, ..of(Verb::Take) })),
                Some(_) => {
                    let card = if fan == 1 { Card::Declined } else { Card::Good };
                    ops.extend([of(Verb::Sweep), Op { order: n, card, ..of(Verb::Claim) }]);
                    ops.extend((fan < THIRD).then(|| of(Verb::Release)));
                }
            }
            if self.stage.orders.contains_key(&n) {
                ops.extend((fan < THIRD).then(|| Op { order: n, fan, ..Op::new(Verb::Cancel) }));
                let executors = if fan == 0 { self.bounds.executors } else { 1 };
                ops.extend((0..executors).flat_map(|more| self.executor(n + more * self.bounds.fans, n)));
            }
        }
        if !self.passed {
            ops.push(Op { ms: HOLD_MS + 1, ..Op::new(Verb::Pass) });
        }
        ops
    }

    /// An executor reads the order when it has none, and goes on when it has.
    fn executor(&self, worker: u32, order: u32) -> Vec<Op> {
        if !self.stage.workers.contains_key(&worker) {
            return vec![Op { worker, order, ..Op::new(Verb::Work) }];
        }
        let step = Op { worker, ..Op::new(Verb::Step) };
        let troubles = if self.faults > 0 { TROUBLES.as_slice() } else { &[] };
        let faulty = troubles.iter().map(|t| Op { fault: Fault { trouble: *t, at: 0, pick: 0 }, ..step.clone() });
        std::iter::once(step.clone()).chain(faulty).collect()
    }

    fn after(&self, op: Op) -> Self {
        let mut next = self.clone();
        next.way.push(op.clone());
        next.faults -= u32::from(op.fault != Fault::NONE);
        next.passed |= op.verb == Verb::Pass;
        next.stage.run(&op).unwrap_or_else(|what| next.tell(&what));
        next
    }

    fn tell(&self, what: &str) -> ! {
        panic!("{what}\n{}", super::shrink::text(&self.way))
    }
}

/// Tries everything; answers how many states there are and how deep they lie.
fn exhaust(bounds: Bounds) -> (usize, usize) {
    let stage = Stage::new(Lens::Clear);
    let first = State { stage, bounds, faults: bounds.faults, passed: false, way: vec![] };
    let (mut known, mut depth) = (HashSet::from([first.fingerprint()]), 0);
    let mut stack = vec![first];
    while let Some(state) = stack.pop() {
        depth = depth.max(state.way.len());
        state.stage.clone().drain().unwrap_or_else(|what| state.tell(&what));
        let next = state.next().into_iter().map(|op| state.after(op));
        stack.extend(next.filter(|s| known.insert(s.fingerprint())));
    }
    println!("{bounds:?}: {} states, up to {depth} operations deep", known.len());
    (known.len(), depth)
}

#[test]
fn two_executors_of_an_order_keep_the_promises_from_every_state() {
    let (states, depth) = exhaust(Bounds { fans: 1, executors: 2, faults: 1 });
    assert!(states > 1_000 && depth > 10);
}

#[test]
fn two_fans_keep_the_promises_from_every_state() {
    let (states, depth) = exhaust(Bounds { fans: 2, executors: 1, faults: 0 });
    assert!(states > 1_000 && depth > 10);
}

#[test]
fn three_fans_keep_the_promises_from_every_state() {
    let (states, depth) = exhaust(Bounds { fans: 3, executors: 1, faults: 0 });
    assert!(states > 5_562 && depth > 10, "more than two fans reach");
}
