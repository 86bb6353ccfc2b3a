//! The provider's ledger, folded into one fact per payment.

use std::collections::BTreeMap;

use super::books::PaymentFact;
use crate::payments::{Money, Movement};

/// Reads the simulator's ledger at its base address, for instance `http://127.0.0.1:9100`.
///
/// # Errors
/// When the simulator does not answer or a line is not a movement.
pub async fn fetch(payments_url: &str) -> anyhow::Result<Vec<PaymentFact>> {
    let url = format!("{}/_ledger", payments_url.trim_end_matches('/'));
    let lines = reqwest::get(url).await?.error_for_status()?.text().await?;
    let movements = lines.lines().map(serde_json::from_str).collect::<Result<Vec<Movement>, _>>()?;
    Ok(fold(&movements))
}

/// One fact per payment, in order of the provider's ids.
pub fn fold(movements: &[Movement]) -> Vec<PaymentFact> {
    let mut facts: BTreeMap<&str, PaymentFact> = BTreeMap::new();
    for movement in movements {
        let fact = facts.entry(&movement.intent).or_insert_with(|| fresh(movement));
        if let Some(side) = side(fact, movement.kind) {
            *side += movement.amount;
        }
    }
    facts.into_values().collect()
}

fn fresh(movement: &Movement) -> PaymentFact {
    PaymentFact { id: movement.intent.clone(), order: movement.order.clone(), ..PaymentFact::default() }
}

fn side(fact: &mut PaymentFact, kind: Money) -> Option<&mut i64> {
    match kind {
        Money::Authorize => Some(&mut fact.authorized_minor),
        Money::Capture => Some(&mut fact.captured_minor),
        Money::Void => Some(&mut fact.voided_minor),
        Money::Refund => Some(&mut fact.refunded_minor),
        Money::Decline => None,
    }
}
