//! Refunds of captured intents.

use serde_json::{Value, json};

use super::error::Refusal;
use super::intent::Intent;

/// Gives `amount` (or all that is left) back; answers the amount and Stripe's refund object.
pub(super) fn refund(intent: &mut Intent, id: &str, amount: Option<i64>) -> Result<(i64, Value), Refusal> {
    let left = intent.amount_received - intent.amount_refunded;
    let amount = amount.unwrap_or(left);
    if intent.status != "succeeded" {
        return Err(Refusal::unexpected_state(&intent.view()));
    }
    if amount <= 0 || amount > left {
        return Err(Refusal::already_refunded());
    }
    intent.amount_refunded += amount;
    let view = json!({
        "id": id, "object": "refund", "amount": amount, "currency": intent.currency,
        "payment_intent": intent.id, "status": "succeeded", "metadata": intent.metadata,
    });
    Ok((amount, view))
}
