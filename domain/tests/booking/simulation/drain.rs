//! Money at every moment, and the end: without faults any more, everything comes to rest.

use super::op::{Op, Verb};
use super::stage::Stage;
use crate::promises::need;
use crate::provider::Card;
use crate::shop::{LIMIT, SEATS};
use domain::audit;
use domain::ids::OrderId;
use domain::items::{HoldState, Movement, Order, OrderState, SeatState};
use domain::order::{CAPTURE_WITHIN_MS, CLAIM_MS, back_minor};
use domain::provider::{Intent, Status};

/// Steps after which an order that is carried on undisturbed must have come to rest.
const MOST_STEPS: usize = 32;
/// A fan that no schedule has.
const STRANGER: u32 = 99;

impl Stage {
    /// No money is set aside or kept but for an order that is under way or has its tickets.
    pub fn money(&self) -> Result<(), String> {
        self.provider.intents.values().try_for_each(|intent| self.one_intent(intent))?;
        let paid = self.books.orders.values().map(|s| &s.order).filter(|o| o.total_minor > 0);
        for order in paid.filter(|o| matches!(o.state, OrderState::Captured | OrderState::Delivered)) {
            let stored = order.intent.as_ref().and_then(|id| self.provider.intents.get(id));
            let kept = stored.map_or(0, kept);
            need(kept == order.total_minor, || {
                format!("{kept} is kept for order {} of {}", order.id, order.total_minor)
            })?;
        }
        Ok(())
    }

    fn one_intent(&self, intent: &Intent) -> Result<(), String> {
        let aside = matches!(intent.status, Status::RequiresCapture | Status::Processing | Status::RequiresAction);
        if !aside && kept(intent) == 0 {
            return need(kept(intent) >= 0, || format!("{} is refunded twice", intent.id));
        }
        let order = intent.order.as_ref().and_then(|id| self.books.order(&id.parse::<OrderId>().ok()?));
        let order = order.filter(|o| o.intent.as_ref() == Some(&intent.id));
        let under_way = order.is_some_and(|o| !o.state.is_final());
        need(!aside || under_way, || format!("{} is {:?} and nobody will end it", intent.id, intent.status))?;
        let right = |o: &Order| kept(intent) == o.total_minor || kept(intent) == o.total_minor - back_minor(o);
        let owned = order.is_some_and(|o| o.state.owns_seats() && right(o));
        need(kept(intent) == 0 || owned, || format!("{} keeps {} for no ticket", intent.id, kept(intent)))
    }

    /// Faults end, time passes, the janitor and the sweep find what their indexes list.
    pub fn drain(&mut self) -> Result<(), String> {
        self.workers.clear();
        self.run(&Op { ms: CLAIM_MS * 3, ..Op::new(Verb::Pass) })?;
        self.banks_answer();
        self.finish_orders()?;
        self.run(&Op { ms: CAPTURE_WITHIN_MS, ..Op::new(Verb::Pass) })?;
        self.finish_orders()?;
        let due: Vec<u32> = self
            .holds
            .iter()
            .filter(|(_, (_, id))| self.is_listed(&domain::items::key::hold(id)))
            .map(|(n, _)| *n)
            .collect();
        due.into_iter().try_for_each(|hold| self.run(&Op { hold, ..Op::new(Verb::Sweep) }))?;
        self.nothing_is_left()?;
        self.imports_end()?;
        self.provider.intents.values().try_for_each(|intent| self.booked(intent))?;
        self.audit_is_silent()?;
        self.map_is_true()?;
        self.free_seats_can_be_had()
    }

    /// A card that is being asked answers some day.
    fn banks_answer(&mut self) {
        let slow = |i: &&Intent| i.status == Status::Processing;
        let slow: Vec<String> = self.provider.intents.values().filter(slow).map(|i| i.id.clone()).collect();
        slow.iter().for_each(|id| drop(self.provider.answer(id, Card::Good)));
    }

    /// At rest the ledger's lines about an intent add up to what the provider says of it.
    fn booked(&self, intent: &Intent) -> Result<(), String> {
        let sum = |movement| {
            let lines = self.books.lines.values().flatten();
            let lines = lines.filter(|line| line.intent == intent.id && line.movement == movement);
            lines.map(|line| line.amount_minor).sum::<i64>()
        };
        let lines = [Movement::Authorization, Movement::Capture, Movement::Void, Movement::Refund].map(sum);
        let (authorized, captured) = (intent.authorized_minor, intent.received_minor);
        let says = [authorized, captured, authorized - captured, intent.refunded_minor.unwrap_or(0)];
        need(lines == says, || format!("{}: the ledger says {lines:?}, the provider {says:?}", intent.id))
    }

    /// The audit has nothing to say of what only rules wrote.
    fn audit_is_silent(&self) -> Result<(), String> {
        let items: Vec<_> = self.world.items().cloned().collect();
        let payments = self.provider.intents.values().cloned().collect();
        let found = audit::check_at_rest(&audit::Books::of(&crate::shop::event(), &items, payments));
        need(found.is_empty(), || format!("the audit finds {found:?}"))
    }

    fn is_listed(&self, key: &domain::plan::Key) -> bool {
        self.books.open.contains(key)
    }

    pub fn finish_orders(&mut self) -> Result<(), String> {
        let open: Vec<u32> = self
            .orders
            .iter()
            .filter(|(_, id)| self.is_listed(&domain::items::key::order(id)))
            .map(|(n, _)| *n)
            .collect();
        for order in open {
            self.run(&Op { order, worker: 1, ..Op::new(Verb::Work) })?;
            let mut steps = 0;
            while !self.workers.is_empty() {
                steps += 1;
                need(steps < MOST_STEPS, || format!("order {order} takes more than {MOST_STEPS} steps"))?;
                self.run(&Op { worker: 1, ..Op::new(Verb::Step) })?;
            }
        }
        Ok(())
    }

    fn nothing_is_left(&self) -> Result<(), String> {
        let books = &self.books;
        need(books.open.is_empty(), || format!("left in the index: {:?}", books.open))?;
        let busy = books.seats.values().find(|s| matches!(s.state, SeatState::Held | SeatState::Claimed));
        need(busy.is_none(), || format!("seat {busy:?} is left over"))?;
        let share = books.shares.values().find(|s| s.held + s.claimed > 0);
        need(share.is_none(), || format!("share {share:?} has places left over"))?;
        let hold = books.holds.values().find(|h| matches!(h.state, HoldState::Live | HoldState::Claimed));
        need(hold.is_none(), || format!("hold {hold:?} is left over"))
    }

    /// Availability is right: a stranger gets what is free.
    fn free_seats_can_be_had(&mut self) -> Result<(), String> {
        let shown = [None, Some(super::operator::club())];
        let free = (0..SEATS).filter(|n| {
            let seat = self.books.seats.get(&super::fans::line(*n).seat);
            seat.is_some_and(|s| s.state == SeatState::Free && shown.contains(&s.channel))
        });
        let seats: Vec<u32> = free.take(LIMIT as usize).collect();
        if seats.is_empty() {
            return Ok(());
        }
        self.run(&Op { fan: STRANGER, hold: STRANGER, seats, nth: 1, ..Op::new(Verb::Take) })?;
        need(self.holds.contains_key(&STRANGER), || "what is free cannot be had".into())
    }
}

fn kept(intent: &Intent) -> i64 {
    intent.received_minor - intent.refunded_minor.unwrap_or(0)
}
