//! Test payment methods: what a card answers. The names are Stripe's, but for `pm_card_slow` and `pm_card_test_WORD`.

/// How a card answers when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    Approves,
    Declines(&'static str),
    /// Approves, but only after a while; the intent is `processing` until then.
    Slow,
    /// Its bank wants to see its customer first (3-D Secure); then it answers with this decline code or none.
    Challenges(Option<&'static str>),
}

/// The card of a payment method.
pub(super) fn card(method: &str) -> Option<Card> {
    Some(match method {
        "pm_card_visa" | "pm_card_mastercard" | "pm_card_amex" => Card::Approves,
        "pm_card_slow" => Card::Slow,
        "pm_card_threeDSecure2Required" | "pm_card_authenticationRequired" => Card::Challenges(None),
        "pm_card_threeDSecureRequiredChargeDeclined" => Card::Challenges(Some("generic_decline")),
        declined => match declined.strip_prefix("pm_card_visa_").or(declined.strip_prefix("pm_card_")) {
            Some(rest) if rest.starts_with("chargeDeclined") => Card::Declines(decline(rest)?),
            _ => fingerprint(declined).map(|_| Card::Approves)?,
        },
    })
}

fn decline(name: &str) -> Option<&'static str> {
    Some(match name {
        "chargeDeclined" => "generic_decline",
        "chargeDeclinedInsufficientFunds" => "insufficient_funds",
        "chargeDeclinedLostCard" => "lost_card",
        "chargeDeclinedStolenCard" => "stolen_card",
        "chargeDeclinedExpiredCard" => "expired_card",
        "chargeDeclinedIncorrectCvc" => "incorrect_cvc",
        "chargeDeclinedProcessingError" => "processing_error",
        _ => return None,
    })
}

/// `pm_card_test_WORD` approves and has the fingerprint `fp_WORD`; the plain test cards show none, so that a crowd may
/// share one without sharing a limit per card.
pub(super) fn fingerprint(method: &str) -> Option<String> {
    method.strip_prefix("pm_card_test_").map(|word| format!("fp_{word}"))
}
