//! Stripe's error objects.

use serde_json::{Value, json};

/// A refusal, as an HTTP status and Stripe's `error` object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    pub status: u16,
    pub error: Value,
}

impl Refusal {
    fn new(status: u16, kind: &str, code: &str, message: &str) -> Self {
        Self { status, error: json!({"type": kind, "code": code, "message": message}) }
    }

    /// A parameter that is absent or makes no sense.
    pub fn parameter(name: &str) -> Self {
        let mut refusal =
            Self::new(400, "invalid_request_error", "parameter_invalid", "This parameter is missing or invalid.");
        refusal.error["param"] = json!(name);
        refusal
    }

    /// No such intent or payment method.
    pub fn missing(what: &str) -> Self {
        Self::new(404, "invalid_request_error", "resource_missing", &format!("No such {what}"))
    }

    /// The intent's status does not allow this; the intent is part of the answer, as at Stripe.
    pub fn unexpected_state(intent: &Value) -> Self {
        let message = format!("This PaymentIntent's status is {}, which does not allow this.", intent["status"]);
        let mut refusal = Self::new(400, "invalid_request_error", "payment_intent_unexpected_state", &message);
        refusal.error["payment_intent"] = intent.clone();
        refusal
    }

    /// The card was refused.
    pub fn declined(decline_code: &str, intent: &Value) -> Self {
        let mut refusal = Self::new(402, "card_error", "card_declined", "Your card was declined.");
        refusal.error["decline_code"] = json!(decline_code);
        refusal.error["payment_intent"] = intent.clone();
        refusal
    }

    /// More would be refunded than was captured.
    pub fn already_refunded() -> Self {
        Self::new(400, "invalid_request_error", "charge_already_refunded", "More would be refunded than was captured.")
    }

    /// The key was first used with something else.
    pub fn other_use_of_key(what: &str) -> Self {
        let message =
            format!("Keys for idempotent requests can only be used with the same {what} they were first used with.");
        Self { status: 400, error: json!({"type": "idempotency_error", "message": message}) }
    }

    /// The first request under this key has not been answered yet.
    pub fn key_in_use() -> Self {
        Self::new(
            409,
            "idempotency_error",
            "idempotency_key_in_use",
            "Another request with this key is being processed.",
        )
    }

    /// No secret key.
    pub fn unauthorized() -> Self {
        Self {
            status: 401,
            error: json!({"type": "invalid_request_error", "message": "You did not provide an API key."}),
        }
    }

    /// The provider failed by itself; under a key this answer is replayed.
    pub fn server() -> Self {
        Self { status: 500, error: json!({"type": "api_error", "message": "An error occurred internally."}) }
    }

    /// The provider is out; nothing was begun, so nothing is remembered.
    pub fn outage() -> Self {
        Self { status: 503, error: json!({"type": "api_error", "message": "The service is unavailable."}) }
    }

    /// The body of the answer.
    pub fn body(&self) -> Value {
        json!({"error": self.error})
    }
}
