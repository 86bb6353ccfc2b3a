//! What an order needs next, whoever carries it: checkout, settle or the janitor.

use crate::items::{Order, OrderState, VoidReason};
use crate::provider::{Intent, Status};
use crate::time::EventMs;

use super::ledger::Ended;
use super::unsell::Unsold;

/// What is known of the order's intent at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment<'a> {
    /// The provider was not asked.
    Unasked,
    /// The provider does not know the intent.
    Missing,
    /// The provider's answer.
    Intent(&'a Intent),
}

/// One step. The first group is done at the provider, whose answer is the next [`Payment`]; the second is a rule
/// of this module, after which the order is read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Provider: read the intent.
    Ask,
    /// Provider: create the intent, then [`super::StoreIntent`].
    Create,
    /// Provider: confirm the intent.
    Confirm,
    /// Provider: end the intent.
    CancelIntent,
    /// Provider: capture; when refused for good, [`super::FailCapture`].
    Capture,
    /// Provider: refund the whole amount, then [`after_refund`].
    Refund,
    /// [`super::Sell`], with the fingerprint of the card; when refused for seats or card, [`super::Void`].
    Sell {
        /// The provider's fingerprint of the card.
        card: Option<String>,
    },
    /// [`super::Decline`].
    Decline {
        /// The provider's code.
        code: String,
        /// What became of its money.
        ended: Ended,
    },
    /// [`super::Void`].
    Void(VoidReason),
    /// [`super::Close`].
    Close(Ended),
    /// [`super::Abandon`].
    Abandon,
    /// [`super::MarkCaptured`].
    MarkCaptured,
    /// Render and send the tickets, then [`super::Deliver`].
    Deliver,
    /// [`super::FailCapture`].
    FailCapture {
        /// The provider's code.
        code: String,
    },
    /// [`super::Unsell`].
    Unsell(Unsold, Ended),
}

/// `payment` must be asked after the order was read, and is forgotten when the order is read again: an older answer may
/// describe a state that another executor has long left.
///
/// The next step, or `None`: nothing is left to do, or nothing now (a slow provider within the deadline).
#[must_use]
pub fn next_step(order: &Order, payment: Payment<'_>, now: EventMs) -> Option<Step> {
    match order.state {
        OrderState::Paying => paying(order, payment, now),
        OrderState::Voiding => Some(voiding(order, payment)),
        OrderState::Confirmed => Some(confirmed(order, payment)),
        OrderState::Captured => Some(Step::Deliver),
        OrderState::Cancelling => Some(unselling(order, payment, Unsold::Cancelled)),
        OrderState::CaptureFailed => Some(unselling(order, payment, Unsold::Released)),
        OrderState::Delivered | OrderState::Declined | OrderState::SeatsGone | OrderState::Abandoned => None,
        OrderState::Cancelled | OrderState::Refunded | OrderState::Released => None,
    }
}

/// What follows a refund of everything that was left, which `payment` shows as it was before.
#[must_use]
pub fn after_refund(order: &Order, payment: Payment<'_>) -> Step {
    let ended = ended(payment);
    match order.state {
        OrderState::Voiding => Step::Close(ended),
        OrderState::CaptureFailed => Step::Unsell(Unsold::Released, ended),
        _ => Step::Unsell(Unsold::Refunded, ended),
    }
}

fn ended(payment: Payment<'_>) -> Ended {
    match payment {
        Payment::Intent(intent) => Ended::of(intent),
        Payment::Unasked | Payment::Missing => Ended::UNTOUCHED,
    }
}

fn paying(order: &Order, payment: Payment<'_>, now: EventMs) -> Option<Step> {
    let in_time = now <= order.deadline;
    if order.total_minor == 0 {
        return Some(Step::Sell { card: None });
    }
    if order.intent.is_none() {
        return Some(if in_time { Step::Create } else { Step::Abandon });
    }
    match payment {
        Payment::Unasked => Some(Step::Ask),
        Payment::Missing => Some(Step::Void(VoidReason::Amount)),
        Payment::Intent(intent) => paying_with(order, intent, in_time),
    }
}

fn paying_with(order: &Order, intent: &Intent, in_time: bool) -> Option<Step> {
    let late = Step::Void(VoidReason::Deadline);
    match intent.status {
        Status::RequiresPaymentMethod => Some(Step::Decline { code: code(intent), ended: Ended::UNTOUCHED }),
        Status::RequiresConfirmation => Some(if in_time { Step::Confirm } else { late }),
        Status::RequiresAction | Status::Processing => (!in_time).then_some(late),
        Status::RequiresCapture | Status::Succeeded if !agrees(order, intent) => Some(Step::Void(VoidReason::Amount)),
        Status::RequiresCapture | Status::Succeeded => Some(Step::Sell { card: intent.fingerprint.clone() }),
        Status::Canceled if in_time => Some(Step::Decline { code: "canceled".to_owned(), ended: Ended::of(intent) }),
        Status::Canceled => Some(Step::Close(Ended::of(intent))),
    }
}

fn code(intent: &Intent) -> String {
    intent.decline_code.clone().unwrap_or_else(|| "declined".to_owned())
}

/// Amount and currency are the order's: compared in minor units, never converted.
fn agrees(order: &Order, intent: &Intent) -> bool {
    intent.amount_minor == order.total_minor && intent.currency == order.currency
}

fn voiding(order: &Order, payment: Payment<'_>) -> Step {
    let done = match order.reason {
        Some(VoidReason::CardLimit) => Step::Decline { code: "card_limit".to_owned(), ended: ended(payment) },
        _ => Step::Close(ended(payment)),
    };
    match payment {
        _ if order.intent.is_none() => done,
        Payment::Unasked => Step::Ask,
        Payment::Missing => done,
        Payment::Intent(intent) => match intent.status {
            Status::Canceled => done,
            Status::Succeeded => Step::Refund,
            _ => Step::CancelIntent,
        },
    }
}

fn confirmed(order: &Order, payment: Payment<'_>) -> Step {
    let failed = |code: &str| Step::FailCapture { code: code.to_owned() };
    match payment {
        _ if order.intent.is_none() => Step::MarkCaptured,
        Payment::Unasked => Step::Capture,
        Payment::Missing => failed("missing"),
        Payment::Intent(intent) => match intent.status {
            Status::Succeeded => Step::MarkCaptured,
            Status::RequiresCapture => Step::Capture,
            Status::Canceled => failed("authorization_ended"),
            Status::Processing => Step::Ask,
            Status::RequiresPaymentMethod | Status::RequiresConfirmation | Status::RequiresAction => {
                failed("not_authorized")
            }
        },
    }
}

/// The money goes back first, whether it was taken or only set aside; then the seats.
fn unselling(order: &Order, payment: Payment<'_>, to: Unsold) -> Step {
    match payment {
        _ if order.intent.is_none() => Step::Unsell(to, Ended::UNTOUCHED),
        Payment::Unasked => Step::Ask,
        Payment::Missing => Step::Unsell(to, Ended::UNTOUCHED),
        Payment::Intent(intent) => match intent.status {
            Status::Canceled => Step::Unsell(to, Ended::of(intent)),
            Status::Succeeded => Step::Refund,
            _ => Step::CancelIntent,
        },
    }
}
