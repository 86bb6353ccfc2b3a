//! Who carries orders on: one step at a time, on facts that may be stale, with answers that may be lost.

use super::{Actor, Fate, Known, Sim};
use crate::provider::{Card, Provider};
use crate::shop::{CARD_LIMIT, WALL, order};
use domain::items::{Order, VoidReason};
use domain::order::*;
use domain::provider::{Intent, Status};

impl Sim {
    /// A second executor for some unfinished order.
    pub(super) fn janitor(&mut self) {
        let open: Vec<Order> = self.view().orders.into_iter().filter(|o| !o.state.is_final()).collect();
        if let Some(order) = self.dice.pick(&open) {
            self.hire(order);
        }
    }

    pub(super) fn slow_card_answers(&mut self) {
        let slow: Vec<String> =
            self.provider.intents.values().filter(|i| i.status == Status::Processing).map(|i| i.id.clone()).collect();
        if let Some(id) = self.dice.pick(&slow) {
            self.provider.answer(&id);
        }
        let asked = |i: &&Intent| i.status == Status::RequiresAction;
        let asked: Vec<String> = self.provider.intents.values().filter(asked).map(|i| i.id.clone()).collect();
        if let Some(id) = self.dice.pick(&asked) {
            let passed = self.dice.chance(70);
            self.provider.challenged(&id, passed);
        }
    }

    /// One step of one executor, on what it read before; then it may read again, stay stale, or die.
    pub(super) fn act(&mut self) {
        if self.actors.is_empty() {
            return;
        }
        let at = self.dice.below(self.actors.len() as u64) as usize;
        let mut actor = self.actors.swap_remove(at);
        if self.faulty && self.dice.chance(5) {
            return;
        }
        if self.advance(&mut actor) {
            self.actors.push(actor);
        }
    }

    /// Whether the executor goes on.
    pub(super) fn advance(&mut self, actor: &mut Actor) -> bool {
        let Some(step) = next_step(&actor.order, actor.known.payment(), self.now) else { return false };
        self.log.push(format!("{} {} {step:?}", actor.order.id, actor.order.state));
        let alive = self.perform(actor, step);
        if !std::mem::take(&mut self.answered) {
            *actor = Actor { order: order(&self.world, &actor.order.id), known: Known::Unasked };
        }
        alive
    }

    pub(super) fn perform(&mut self, actor: &mut Actor, step: Step) -> bool {
        let (order, now) = (actor.order.clone(), self.now);
        let id = order.intent.clone().unwrap_or_default();
        let fate = match step {
            Step::Create => return self.create(actor),
            Step::Ask => return self.learn(actor, |p| p.intents[&id].clone()),
            Step::Confirm => {
                let cards = [Card::Good, Card::Good, Card::Good, Card::Declined, Card::Slow, Card::Challenge];
                let card = cards[self.dice.below(6) as usize];
                return self.learn(actor, |p| p.confirm(&id, card));
            }
            Step::CancelIntent => return self.learn(actor, |p| p.cancel(&id)),
            Step::Capture => return self.learn(actor, |p| p.capture(&id)),
            Step::Refund => {
                self.provider.refund(&id);
                return self.perform(actor, after_refund(&order, actor.known.clone().payment()));
            }
            Step::RefundPart => {
                self.provider.refund_part(&id, back_minor(&order), order.parts + 1);
                return self.perform(actor, Step::Reduce);
            }
            Step::Unexplained => panic!("what the provider kept of {} is not explained", order.id),
            Step::Reduce => self.run(Reduce { order, now, wall: WALL }),
            Step::PutOff { code } => self.run(PutOff { order, code, now }),
            Step::Sell { card } => self.sell(order, card),
            Step::Decline { code, ended } => self.run(Decline::new(order, code, now, WALL).after(ended)),
            Step::Void(reason) => self.run(Void { order, reason, now }),
            Step::Close(ended) => self.run(Close::new(order, ended, now, WALL)),
            Step::Abandon => self.run(Abandon::new(order, now)),
            Step::MarkCaptured => self.run(MarkCaptured { order, now, wall: WALL }),
            Step::Deliver => self.run(Deliver { order, now }),
            Step::FailCapture { code } => self.run(FailCapture { order, code, now }),
            Step::Unsell(to, ended) => self.run(Unsell { order, to, ended, now, wall: WALL }),
        };
        !matches!(fate, Fate::Lost)
    }

    pub(super) fn create(&mut self, actor: &mut Actor) -> bool {
        let intent = self.provider.create(&actor.order);
        let store = StoreIntent { order: actor.order.clone(), intent: intent.id.clone(), now: self.now };
        let fate = self.run(store);
        let stored = order(&self.world, &actor.order.id).intent;
        if matches!(fate, Fate::Refused) && stored.as_ref() != Some(&intent.id) {
            self.provider.cancel(&intent.id);
        }
        !matches!(fate, Fate::Lost)
    }

    /// The provider does it; the answer may be lost.
    pub(super) fn learn(&mut self, actor: &mut Actor, call: impl FnOnce(&mut Provider) -> Intent) -> bool {
        let intent = call(&mut self.provider);
        let heard = !(self.faulty && self.dice.chance(10));
        actor.known = if heard { Known::Intent(intent) } else { Known::Unasked };
        self.answered = true;
        heard || self.dice.chance(50)
    }

    pub(super) fn sell(&mut self, order: Order, card: Option<String>) -> Fate {
        let card = card.map(|fingerprint| CardLimit { fingerprint, limit: CARD_LIMIT });
        let reason = match self.decide(Sell { order: order.clone(), card, now: self.now, wall: WALL }) {
            Ok(fate) => return fate,
            Err(SellRefusal::Moved(_)) => return Fate::Refused,
            Err(SellRefusal::CardLimit { .. }) => VoidReason::CardLimit,
            Err(SellRefusal::SeatsGone(_)) => VoidReason::SeatsGone,
            Err(other) => panic!("{other}"),
        };
        self.run(Void { order, reason, now: self.now })
    }
}
