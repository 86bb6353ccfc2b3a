//! What every schedule must satisfy, at every moment and at its end.

use super::{Actor, Known, Sim};
use crate::invariants::{self, View};
use crate::shop::seat;
use domain::items::{HoldState, Movement, OrderState, SeatState};
use domain::order::CLAIM_MS;
use domain::provider::{Intent, Status};

impl Sim {
    /// Everything that every schedule must satisfy at every moment.
    pub(super) fn check(&self) -> Result<(), String> {
        invariants::check(&self.world)?;
        match self.blocked.iter().find(|n| seat(&self.world, **n).state != SeatState::Blocked) {
            Some(n) => Err(format!("seat {n} was blocked and is not")),
            None => self.money(),
        }
    }

    /// No money is taken for an order that was not sold.
    pub(super) fn money(&self) -> Result<(), String> {
        for intent in self.provider.intents.values().filter(|i| i.received_minor > 0) {
            let order = self.view().orders.into_iter().find(|o| Some(o.id.to_string()) == intent.order);
            let sold = order.is_some_and(|o| {
                o.state.owns_seats() || matches!(o.state, OrderState::Refunded | OrderState::Cancelled)
            });
            if !sold {
                return Err(format!("{} was captured for no sale", intent.id));
            }
        }
        Ok(())
    }

    /// Without faults any more, the janitor and the sweep end everything.
    pub(super) fn drain(&mut self) {
        self.faulty = false;
        self.now = self.now.plus(CLAIM_MS * 3);
        let slow = |intent: &&Intent| intent.status == Status::Processing;
        let slow: Vec<String> = self.provider.intents.values().filter(slow).map(|i| i.id.clone()).collect();
        slow.iter().for_each(|id| self.provider.answer(id));
        for order in self.view().orders {
            let mut actor = Actor { order, known: Known::Unasked };
            for _ in 0..32 {
                if !self.advance(&mut actor) {
                    break;
                }
            }
        }
        self.now = self.now.plus(CLAIM_MS * 3);
        self.sweep();
    }

    pub(super) fn nothing_is_left_over(&self) -> Result<(), String> {
        let view = self.view();
        if let Some(order) = view.orders.iter().find(|o| !o.state.is_final()) {
            return Err(format!("order {} is still {}", order.id, order.state));
        }
        if let Some(hold) = view.holds.iter().find(|h| matches!(h.state, HoldState::Live | HoldState::Claimed)) {
            return Err(format!("hold {} is still {}", hold.id, hold.state));
        }
        self.provider
            .intents
            .values()
            .try_for_each(|intent| self.ended(&view, intent).and_then(|()| booked(&view, intent)))
    }

    /// Captured for a delivered order, refunded for one given back, or nothing set aside.
    pub(super) fn ended(&self, view: &View, intent: &Intent) -> Result<(), String> {
        let order = view.orders.iter().find(|o| o.intent.as_ref() == Some(&intent.id));
        let kept = intent.received_minor - self.provider.refunded.get(&intent.id).copied().unwrap_or(0);
        let wanted = order.filter(|o| o.state == OrderState::Delivered).map_or(0, |o| o.total_minor);
        let open = matches!(intent.status, Status::RequiresCapture | Status::Processing | Status::RequiresAction);
        if kept == wanted && !open {
            Ok(())
        } else {
            Err(format!("{} keeps {kept} of {wanted}, {:?}", intent.id, intent.status))
        }
    }
}

/// At rest the ledger's lines about an intent add up to what the provider says of it.
fn booked(view: &View, intent: &Intent) -> Result<(), String> {
    let sum = |movement| {
        let lines = view.lines.iter().filter(|line| line.intent == intent.id && line.movement == movement);
        lines.map(|line| line.amount_minor).sum::<i64>()
    };
    let lines = [Movement::Authorization, Movement::Capture, Movement::Void, Movement::Refund].map(sum);
    let (authorized, captured) = (intent.authorized_minor, intent.received_minor);
    let says = [authorized, captured, authorized - captured, intent.refunded_minor.unwrap_or(0)];
    if lines == says { Ok(()) } else { Err(format!("{}: the ledger says {lines:?}, the provider {says:?}", intent.id)) }
}
