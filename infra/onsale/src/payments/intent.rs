//! One PaymentIntent and what may happen to it. Pure: the clock is an argument.
//!
//! ```text
//! requires_payment_method ⇄ requires_confirmation ─ confirm ─▶ (processing ─▶) requires_capture ─ capture ─▶ succeeded
//!            │       ▲              │        └─▶ requires_action ─ passed ─▶┘    │ seven days
//!            │       └──────────────│────── failed ──┘ │                         ▼
//!            └──────────────────────┴─────────────────┴──────── cancel ─▶ canceled
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::book::Money;
use super::card::{Card, card, fingerprint};
use super::error::Refusal;

/// Stripe's code for a challenge that was not passed.
const NOT_AUTHENTICATED: &str = "payment_intent_authentication_failure";
/// How long an authorization lasts, in milliseconds: seven days, as most card networks have it.
const AUTHORIZED_MS: i64 = 7 * 24 * 60 * 60 * 1000;

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
    /// Where the bank sends its customer back to.
    #[serde(default)]
    pub return_url: Option<String>,
    /// Why it was canceled: by us (`requested_by_customer` is not told apart), or by itself.
    #[serde(default)]
    pub cancellation_reason: Option<String>,
    /// Milliseconds since 1970 at which the card approved.
    #[serde(default)]
    pub authorized_ms: i64,
    /// Seconds since 1970.
    pub created: i64,
    /// Milliseconds since 1970 at which a `processing` intent becomes `requires_capture`.
    pub ready_ms: i64,
}

impl Intent {
    /// The intent as Stripe shows it with its charge expanded.
    pub fn view(&self) -> Value {
        json!({
            "id": self.id, "object": "payment_intent", "amount": self.amount,
            "amount_capturable": self.amount_capturable, "amount_received": self.amount_received,
            "currency": self.currency, "status": self.status, "capture_method": "manual",
            "payment_method": self.payment_method, "metadata": self.metadata,
            "latest_charge": self.charge(), "last_payment_error": self.error(), "created": self.created, "livemode": false,
            "next_action": self.next_action(), "cancellation_reason": self.cancellation_reason,
        })
    }

    fn error(&self) -> Option<Value> {
        let code = self.decline_code.as_deref()?;
        Some(match code {
            NOT_AUTHENTICATED => json!({"type": "invalid_request_error", "code": code}),
            _ => json!({"type": "card_error", "code": "card_declined", "decline_code": code}),
        })
    }

    /// The charge; there is one once the card has approved. What was set free without being taken counts as refunded, as it does
    /// for Stripe.
    pub fn charge(&self) -> Option<Value> {
        let free = if self.status == "canceled" { self.amount } else { 0 };
        let left = if self.status == "succeeded" { self.amount - self.amount_received } else { 0 };
        let refunded = free + left + self.amount_refunded;
        let fingerprint = self.payment_method.as_deref().and_then(fingerprint);
        (self.authorized_ms > 0).then(|| {
            json!({
                "id": self.id.replacen("pi_", "ch_", 1), "object": "charge", "payment_intent": self.id, "metadata": self.metadata, "status": "succeeded", "amount": self.amount,
                "amount_captured": self.amount_received, "amount_refunded": refunded,
                "captured": self.status == "succeeded", "refunded": refunded == self.amount,
                "payment_method_details": {"card": {"fingerprint": fingerprint}},
            })
        })
    }

    /// The bank's page is a path on the simulator, whose address the intent does not know.
    fn next_action(&self) -> Option<Value> {
        (self.status == "requires_action").then(|| {
            let url = format!("/_challenge/{}", self.id);
            json!({"type": "redirect_to_url", "redirect_to_url": {"url": url, "return_url": self.return_url}})
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
            Some(Card::Approves) => Ok(Some(self.approve(now_ms))),
            Some(Card::Challenges(_)) => {
                self.status = "requires_action".to_owned();
                Ok(None)
            }
            Some(Card::Slow) => {
                self.status = "processing".to_owned();
                self.ready_ms = now_ms + slow_ms;
                Ok(None)
            }
            Some(Card::Declines(code)) => Ok(Some(self.decline(code))),
        }
    }

    fn decline(&mut self, code: &str) -> Money {
        self.status = "requires_payment_method".to_owned();
        self.payment_method = None;
        self.decline_code = Some(code.to_owned());
        Money::Decline
    }

    /// The bank has seen its customer, who said yes or no. `None`: nobody was asked.
    pub fn challenged(&mut self, passed: bool, now_ms: i64) -> Option<Money> {
        if self.status != "requires_action" {
            return None;
        }
        Some(match self.payment_method.as_deref().and_then(card) {
            _ if !passed => self.decline(NOT_AUTHENTICATED),
            Some(Card::Challenges(Some(code))) => self.decline(code),
            _ => self.approve(now_ms),
        })
    }

    /// What happens by itself: a slow card answers once its time has come, an authorization that nobody captured lapses.
    pub fn settle(&mut self, now_ms: i64) -> Option<Money> {
        match &*self.status {
            "processing" if self.ready_ms <= now_ms => Some(self.approve(now_ms)),
            "requires_capture" if self.authorized_ms + AUTHORIZED_MS <= now_ms => {
                self.cancellation_reason = Some("automatic".to_owned());
                self.end();
                Some(Money::Void)
            }
            _ => None,
        }
    }

    fn end(&mut self) {
        self.status = "canceled".to_owned();
        self.amount_capturable = 0;
    }

    fn approve(&mut self, now_ms: i64) -> Money {
        self.status = "requires_capture".to_owned();
        self.authorized_ms = now_ms;
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
            "requires_payment_method" | "requires_confirmation" | "requires_action" => false,
            "requires_capture" => true,
            _ => return Err(Refusal::unexpected_state(&self.view())),
        };
        self.end();
        Ok(authorized.then_some(Money::Void))
    }
}
