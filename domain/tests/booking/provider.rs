//! A payment provider in memory: idempotent as the real one, with its own ledger.

use std::collections::{BTreeMap, BTreeSet};

use crate::words::words;
use domain::items::Order;
use domain::provider::{Intent, Status};

#[derive(Clone, Debug, Default)]
pub struct Provider {
    pub intents: BTreeMap<String, Intent>,
    parts: BTreeSet<(String, u32)>,
    /// How often it forgot its idempotency keys.
    forgot: u32,
}

words! {
    /// What the fan's card does, or does at last.
    Card {
        Good = "good",
        Declined = "declined",
        /// Sets money aside, and has none when it is to be taken.
        Poor = "poor",
        Slow = "slow",
        /// Asks for 3-D Secure.
        Challenge = "challenge",
        /// Set aside, and set free again by the bank.
        Lapsed = "lapsed",
    }
}

impl Card {
    const fn status(self) -> Status {
        match self {
            Self::Good | Self::Poor => Status::RequiresCapture,
            Self::Declined => Status::RequiresPaymentMethod,
            Self::Slow => Status::Processing,
            Self::Challenge => Status::RequiresAction,
            Self::Lapsed => Status::Canceled,
        }
    }
}

impl Provider {
    /// Its memory of keys ends, as a real one's does after some days.
    pub const fn forget(&mut self) {
        self.forgot += 1;
    }

    /// The intent of this attempt: the same one however often it is asked for, as long as the key is known.
    pub fn create(&mut self, order: &Order) -> Intent {
        let id = format!("pi_{}_{}_{}", order.id, order.attempt, self.forgot);
        let fresh = || Intent {
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
            // Some accounts share a card.
            fingerprint: Some(format!("card-{}", order.account.as_bytes()[0] % 2)),
        };
        self.intents.entry(id.clone()).or_insert_with(fresh).clone()
    }

    pub fn confirm(&mut self, id: &str, card: Card) -> Intent {
        self.turn(id, &[Status::RequiresConfirmation], card.status())
    }

    /// A slow card answers after all, a challenge ends, or an authorization lapses.
    pub fn answer(&mut self, id: &str, card: Card) -> Intent {
        let from: &[Status] = match card {
            Card::Lapsed => &[Status::RequiresCapture],
            _ => &[Status::Processing, Status::RequiresAction],
        };
        self.turn(id, from, card.status())
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

    /// Gives everything back, once.
    pub fn refund(&mut self, id: &str) {
        let intent = self.intents.get_mut(id).unwrap();
        intent.refunded_minor = Some(intent.received_minor);
    }

    /// Gives a part back; the same part again is the first one's answer again.
    pub fn refund_part(&mut self, id: &str, amount: i64, n: u32) {
        if self.parts.insert((id.to_owned(), n)) {
            let intent = self.intents.get_mut(id).unwrap();
            intent.refunded_minor = intent.refunded_minor.map(|before| before + amount);
        }
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
