//! One PaymentIntent and what may happen to it. Pure: the clock is an argument.
//!
//! ```text
//! requires_payment_method ⇄ requires_confirmation ─ confirm ─▶ (processing ─▶) requires_capture ─ capture ─▶ succeeded
//!            └──────────────────────┴───────────── cancel ─▶ canceled ◀── cancel ───┘
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::book::Money;
use super::error::Refusal;

/// How a test payment method answers a confirmation.
enum Card {
    Approves,
    Declines(&'static str),
    /// Approves, but only after a while; the intent is `processing` until then.
    Slow,
}

fn card(method: &str) -> Option<Card> {
    match method {
        "pm_card_visa" | "pm_card_mastercard" | "pm_card_amex" => Some(Card::Approves),
        "pm_card_slow" => Some(Card::Slow),
        "pm_card_chargeDeclined" | "pm_card_visa_chargeDeclined" => Some(Card::Declines("generic_decline")),
        "pm_card_chargeDeclinedInsufficientFunds" | "pm_card_visa_chargeDeclinedInsufficientFunds" => {
            Some(Card::Declines("insufficient_funds"))
        }
        "pm_card_chargeDeclinedExpiredCard" => Some(Card::Declines("expired_card")),
        other => fingerprint(other).map(|_| Card::Approves),
    }
}

/// `pm_card_test_WORD` approves and has the fingerprint `fp_WORD`; the plain test cards show none, so that a crowd may
/// share one without sharing a limit per card.
fn fingerprint(method: &str) -> Option<String> {
    method.strip_prefix("pm_card_test_").map(|word| format!("fp_{word}"))
}

/// One intent as the books keep it. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Intent {
    pub id: String,
    pub amount: i64,
    pub amount_capturable: i64,
    pub amount_received: i64,
    pub amount_refunded: i64,
    pub currency: String,
    pub status: String,
    pub payment_method: Option<String>,
    pub metadata: BTreeMap<String, String>,
    pub decline_code: Option<String>,
    /// Whether the card approved, ever.
    #[serde(default)]
    pub authorized: bool,
    /// Seconds since 1970.
    pub created: i64,
    /// Milliseconds since 1970 at which a `processing` intent becomes `requires_capture`.
    pub ready_ms: i64,
}

impl Intent {
    /// The intent as Stripe shows it.
    pub fn view(&self) -> Value {
        let error = self
            .decline_code
            .as_ref()
            .map(|code| json!({"type": "card_error", "code": "card_declined", "decline_code": code}));
        json!({
            "id": self.id, "object": "payment_intent", "amount": self.amount,
            "amount_capturable": self.amount_capturable, "amount_received": self.amount_received,
            "currency": self.currency, "status": self.status, "capture_method": "manual",
            "payment_method": self.payment_method, "metadata": self.metadata,
            "latest_charge": self.charge(), "last_payment_error": error, "created": self.created, "livemode": false,
        })
    }

    /// The charge, always expanded; there is one once the card has approved. What was set free without being taken counts
    /// as refunded, as it does for Stripe.
    fn charge(&self) -> Option<Value> {
        let free = if self.status == "canceled" { self.amount } else { 0 };
        let left = if self.status == "succeeded" { self.amount - self.amount_received } else { 0 };
        let refunded = free + left + self.amount_refunded;
        let fingerprint = self.payment_method.as_deref().and_then(fingerprint);
        self.authorized.then(|| {
            json!({
                "object": "charge", "status": "succeeded", "amount": self.amount,
                "amount_captured": self.amount_received, "amount_refunded": refunded,
                "captured": self.status == "succeeded", "refunded": refunded == self.amount,
                "payment_method_details": {"card": {"fingerprint": fingerprint}},
            })
        })
    }

    /// Attaches a payment method, if one is named and exists.
    pub fn attach(&mut self, method: Option<&str>) -> Result<(), Refusal> {
        let Some(method) = method else { return Ok(()) };
        card(method).ok_or_else(|| Refusal::missing("PaymentMethod"))?;
        self.payment_method = Some(method.to_owned());
        self.status = "requires_confirmation".to_owned();
        Ok(())
    }

    /// Asks the card. `slow_ms` is how long a slow card takes.
    pub fn confirm(&mut self, method: Option<&str>, now_ms: i64, slow_ms: i64) -> Result<Option<Money>, Refusal> {
        if !matches!(&*self.status, "requires_payment_method" | "requires_confirmation") {
            return Err(Refusal::unexpected_state(&self.view()));
        }
        self.attach(method)?;
        match self.payment_method.as_deref().and_then(card) {
            None => Err(Refusal::unexpected_state(&self.view())),
            Some(Card::Approves) => Ok(Some(self.approve())),
            Some(Card::Slow) => {
                self.status = "processing".to_owned();
                self.ready_ms = now_ms + slow_ms;
                Ok(None)
            }
            Some(Card::Declines(code)) => {
                self.status = "requires_payment_method".to_owned();
                self.payment_method = None;
                self.decline_code = Some(code.to_owned());
                Ok(Some(Money::Decline))
            }
        }
    }

    /// Lets a slow card answer once its time has come.
    pub fn settle(&mut self, now_ms: i64) -> Option<Money> {
        (self.status == "processing" && self.ready_ms <= now_ms).then(|| self.approve())
    }

    fn approve(&mut self) -> Money {
        self.status = "requires_capture".to_owned();
        self.authorized = true;
        self.decline_code = None;
        self.amount_capturable = self.amount;
        Money::Authorize
    }

    /// Takes the authorized money, or `amount` of it.
    pub fn capture(&mut self, amount: Option<i64>) -> Result<Money, Refusal> {
        if self.status != "requires_capture" {
            return Err(Refusal::unexpected_state(&self.view()));
        }
        let amount = amount.unwrap_or(self.amount_capturable);
        if amount <= 0 || amount > self.amount_capturable {
            return Err(Refusal::parameter("amount_to_capture"));
        }
        self.status = "succeeded".to_owned();
        self.amount_capturable = 0;
        self.amount_received = amount;
        Ok(Money::Capture)
    }

    /// Ends the intent without taking money. `Ok(None)`: nothing was authorized.
    pub fn cancel(&mut self) -> Result<Option<Money>, Refusal> {
        let authorized = match &*self.status {
            "requires_payment_method" | "requires_confirmation" => false,
            "requires_capture" => true,
            _ => return Err(Refusal::unexpected_state(&self.view())),
        };
        self.status = "canceled".to_owned();
        self.amount_capturable = 0;
        Ok(authorized.then_some(Money::Void))
    }
}
