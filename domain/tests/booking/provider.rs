//! A payment provider in memory: idempotent as the real one, with its own ledger.

use std::collections::BTreeMap;

use domain::items::Order;
use domain::provider::{Intent, Status};

#[derive(Clone, Default)]
pub struct Provider {
    pub intents: BTreeMap<String, Intent>,
    keys: BTreeMap<String, String>,
    pub refunded: BTreeMap<String, i64>,
}

/// What the fan's card does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Card {
    Good,
    Declined,
    Slow,
    /// The bank wants to see the fan first.
    Challenge,
}

impl Provider {
    pub fn create(&mut self, order: &Order) -> Intent {
        let key = format!("{}:{}:create", order.id, order.attempt);
        let id = self.keys.entry(key.clone()).or_insert_with(|| format!("pi_{}", key.replace([':', '-'], "_"))).clone();
        let fresh = Intent {
            id: id.clone(),
            status: Status::RequiresConfirmation,
            amount_minor: order.total_minor,
            authorized_minor: 0,
            received_minor: 0,
            refunded_minor: Some(0),
            action: None,
            currency: order.currency.clone(),
            order: Some(order.id.to_string()),
            decline_code: None,
            fingerprint: Some(format!("card-{}", order.account)),
        };
        self.intents.entry(id).or_insert(fresh).clone()
    }

    pub fn confirm(&mut self, id: &str, card: Card) -> Intent {
        let next = match card {
            Card::Good => Status::RequiresCapture,
            Card::Declined => Status::RequiresPaymentMethod,
            Card::Slow => Status::Processing,
            Card::Challenge => Status::RequiresAction,
        };
        self.turn(id, &[Status::RequiresConfirmation], next)
    }

    /// A slow card answers after all.
    pub fn answer(&mut self, id: &str) {
        self.turn(id, &[Status::Processing], Status::RequiresCapture);
    }

    /// The bank has seen the fan, or not.
    pub fn challenged(&mut self, id: &str, passed: bool) -> Intent {
        let next = if passed { Status::RequiresCapture } else { Status::RequiresPaymentMethod };
        self.turn(id, &[Status::RequiresAction], next)
    }

    pub fn capture(&mut self, id: &str) -> Intent {
        let intent = self.turn(id, &[Status::RequiresCapture], Status::Succeeded);
        if intent.status == Status::Succeeded {
            self.intents.get_mut(id).unwrap().received_minor = intent.amount_minor;
        }
        self.intents[id].clone()
    }

    pub fn cancel(&mut self, id: &str) -> Intent {
        let open = [
            Status::RequiresPaymentMethod,
            Status::RequiresConfirmation,
            Status::RequiresAction,
            Status::Processing,
            Status::RequiresCapture,
        ];
        self.turn(id, &open, Status::Canceled)
    }

    pub fn refund(&mut self, id: &str) {
        let amount = self.intents[id].received_minor;
        self.refunded.insert(id.to_owned(), amount);
        self.intents.get_mut(id).unwrap().refunded_minor = Some(amount);
    }

    /// The same part again is the first one's answer again.
    pub fn refund_part(&mut self, id: &str, amount: i64, n: u32) {
        if self.keys.insert(format!("{id}:refund-{n}"), String::new()).is_some() {
            return;
        }
        let refunded = self.refunded.entry(id.to_owned()).or_default();
        *refunded += amount;
        self.intents.get_mut(id).unwrap().refunded_minor = Some(*refunded);
    }

    fn turn(&mut self, id: &str, from: &[Status], to: Status) -> Intent {
        let intent = self.intents.get_mut(id).unwrap();
        if from.contains(&intent.status) {
            intent.status = to;
        }
        if intent.status == Status::RequiresCapture {
            intent.authorized_minor = intent.amount_minor;
        }
        intent.clone()
    }
}
