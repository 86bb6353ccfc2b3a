//! Who carries orders on: one step at a time, on facts that may be stale, with answers that may be lost.

use super::honest::card_limit;
use super::op::{Op, Trouble};
use super::stage::{Fate, Known, Stage, Worker};
use crate::provider::{Card, Provider};
use domain::ids::OrderId;
use domain::items::{HoldState, Order, VoidReason};
use domain::order::*;
use domain::plan::Rule;
use domain::provider::{Intent, Status};
use domain::webhook::{Hint, Keep};

/// What the executor knows after a step.
enum After {
    /// It is no more.
    Dead,
    /// It reads the order again and asks the provider again.
    Reads,
    /// It has the provider's answer.
    Knows(Intent),
    /// It has no answer.
    Unasked,
    /// The card refused the capture.
    Refused,
    /// It reads the order again and leaves the capture for later.
    PutOff,
}

impl Stage {
    pub fn work(&mut self, op: &Op) {
        if let Some(order) = self.order(op.order).cloned() {
            self.workers.insert(op.worker, Worker { order, known: Known::Unasked });
        }
    }

    pub fn step(&mut self, op: &Op) {
        let Some(mut worker) = self.workers.remove(&op.worker) else { return };
        let refused = matches!(worker.known, Known::Refused);
        let late = || after_refused_capture(&worker.order, "insufficient_funds".into(), self.wall());
        let next = || next_step(&worker.order, worker.known.payment(), self.now);
        let Some(step) = (if refused { Some(late()) } else { next() }) else { return };
        let Worker { order, known } = worker.clone();
        match self.perform(&order, &known, step) {
            After::Dead => return,
            After::Reads => worker = Worker { order: self.read(&order.id), known: Known::Unasked },
            After::PutOff => worker = Worker { order: self.read(&order.id), known: Known::PutOff },
            After::Knows(intent) => worker.known = Known::Intent(intent),
            After::Unasked => worker.known = Known::Unasked,
            After::Refused => worker.known = Known::Refused,
        }
        self.workers.insert(op.worker, worker);
    }

    /// A hint is kept with its order; one of an order that is not here is another shop's.
    pub fn hint(&mut self, op: &Op) {
        let strange = || OrderId::derive(&crate::shop::account(0), "another shop's");
        let order = self.orders.get(&op.order).copied().unwrap_or_else(strange);
        let hint = Hint { event: format!("evt_{}", op.order), kind: "payment_intent.succeeded".into(), order };
        let fate = self.decide(Keep { hint, wall: self.wall() });
        match (fate, self.books.order(&order).is_some()) {
            (Fate::Committed | Fate::Already, false) => self.wrong("a hint of another shop's order is kept"),
            (Fate::Refused(_), true) => self.wrong("untrue: there is such an order"),
            _ => {}
        }
    }

    pub fn bank(&mut self, op: &Op) {
        let Some(intent) = self.order(op.order).and_then(|o| o.intent.clone()) else { return };
        self.provider.answer(&intent, op.card);
        self.changed = true;
    }

    fn perform(&mut self, order: &Order, known: &Known, step: Step) -> After {
        let (order, now, wall) = (order.clone(), self.now, self.wall());
        let id = order.intent.clone().unwrap_or_default();
        match step {
            Step::Create => self.create(order),
            Step::Ask => self.ask(|p| p.intents[&id].clone()),
            Step::Confirm => {
                let card = order.method.parse().unwrap_or(Card::Good);
                self.ask(|p| p.confirm(&id, card))
            }
            Step::CancelIntent => self.ask(|p| p.cancel(&id)),
            Step::Capture => self.capture(&order, &id),
            Step::Refund => self.refund(order, known, &id),
            Step::RefundPart => self.refund_part(order, &id),
            Step::Unexplained => {
                self.wrong(format!("what the provider kept of {} is not explained", order.id));
                After::Dead
            }
            Step::Reduce => self.rule(&order.clone(), Reduce { order, now, wall }),
            Step::PutOff { code } => match self.rule(&order.clone(), PutOff { order, code, now }) {
                After::Reads => After::PutOff,
                other => other,
            },
            Step::Sell { card } => self.sell(order, card),
            Step::Decline { code, ended } => self.decline(Decline::new(order, code, now, wall).after(ended)),
            Step::Void(reason) => self.rule(&order.clone(), Void { order, reason, now }),
            Step::Close(ended) => self.rule(&order.clone(), Close::new(order, ended, now, wall)),
            Step::Abandon => self.rule(&order.clone(), Abandon::new(order, now)),
            Step::MarkCaptured => self.rule(&order.clone(), MarkCaptured { order, now, wall }),
            Step::Deliver => self.rule(&order.clone(), Deliver { order, now }),
            Step::FailCapture { code } => self.rule(&order.clone(), FailCapture { order, code, now }),
            Step::Unsell(to, ended) => self.rule(&order.clone(), Unsell { order, to, ended, now, wall }),
        }
    }

    fn rule<R: Rule<Refusal = Moved>>(&mut self, order: &Order, rule: R) -> After {
        let fate = self.decide(rule);
        self.moved(order, &fate);
        if fate == Fate::Dead { After::Dead } else { After::Reads }
    }

    /// The hold lives on, unless its fan has another one by now.
    fn decline(&mut self, rule: Decline) -> After {
        let order = rule.order.clone();
        let other = self.books.usages.get(&order.account).and_then(|u| u.hold);
        let alone = other.is_none_or(|(_, until)| until < self.now);
        let fate = self.decide(rule);
        let lives = self.books.holds.get(&order.hold).is_some_and(|h| h.state == HoldState::Live);
        if fate == Fate::Committed && alone != lives {
            self.wrong(format!("untrue: hold {} of a declined order lives: {lives}", order.hold));
        }
        self.moved(&order, &fate);
        if fate == Fate::Dead { After::Dead } else { After::Reads }
    }

    /// The provider does it; the request or the answer may be lost.
    fn ask(&mut self, call: impl FnOnce(&mut Provider) -> Intent) -> After {
        self.changed = true;
        match self.trouble().trouble {
            Trouble::Before => After::Dead,
            Trouble::Busy => After::Unasked,
            Trouble::After => {
                call(&mut self.provider);
                After::Dead
            }
            Trouble::Lost | Trouble::LostShort => {
                call(&mut self.provider);
                After::Unasked
            }
            Trouble::Nothing | Trouble::Short => After::Knows(call(&mut self.provider)),
        }
    }

    /// Creates the intent and stores its id; one that cannot be stored belongs to nothing and is ended.
    fn create(&mut self, order: Order) -> After {
        let intent = match self.ask(|p| p.create(&order)) {
            After::Knows(intent) => intent,
            other => return other,
        };
        let fate = self.decide(StoreIntent { order: order.clone(), intent: intent.id.clone(), now: self.now });
        if fate == Fate::Dead {
            return After::Dead;
        }
        if self.read(&order.id).intent.as_ref() == Some(&intent.id) {
            return After::Reads;
        }
        match self.ask(|p| p.cancel(&intent.id)) {
            After::Dead => After::Dead,
            _ => After::Reads,
        }
    }

    /// Takes the money; a card that has none is tried again later, and at last given up.
    fn capture(&mut self, order: &Order, id: &str) -> After {
        if order.method.parse() == Ok(Card::Poor) && self.provider.intents[id].status == Status::RequiresCapture {
            return After::Refused;
        }
        self.ask(|p| p.capture(id))
    }

    fn refund(&mut self, order: Order, known: &Known, id: &str) -> After {
        let told = self.ask(|p| {
            p.refund(id);
            p.intents[id].clone()
        });
        match told {
            After::Knows(_) => self.perform(&order, known, after_refund(&order, known.payment())),
            other => other,
        }
    }

    fn refund_part(&mut self, order: Order, id: &str) -> After {
        let told = self.ask(|p| {
            p.refund_part(id, back_minor(&order), order.parts + 1);
            p.intents[id].clone()
        });
        match told {
            After::Knows(_) => self.perform(&order, &Known::Unasked, Step::Reduce),
            other => other,
        }
    }

    /// Sells, or sees to it that the authorization is voided.
    fn sell(&mut self, order: Order, card: Option<String>) -> After {
        let (card, now) = (card_limit(card), self.now);
        let fate = self.decide(Sell { order: order.clone(), card: card.clone(), now, wall: self.wall() });
        self.sold(&order, card.as_ref(), &fate);
        let reason = match fate {
            Fate::Dead => return After::Dead,
            Fate::Refused(SellRefusal::CardLimit { .. }) => VoidReason::CardLimit,
            Fate::Refused(SellRefusal::SeatsGone(_) | SellRefusal::TicketExists) => VoidReason::SeatsGone,
            _ => return After::Reads,
        };
        self.rule(&order.clone(), Void { order, reason, now })
    }
}
