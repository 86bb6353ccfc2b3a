//! What an order needs next, whoever carries it: checkout, settle or the janitor.

use super::ledger::Ended;
use super::reduce::back_minor;
use super::step::{Payment, Step};
use super::unsell::Unsold;
use crate::items::{Order, OrderState, VoidReason};
use crate::provider::{Intent, Status};
use crate::time::{EventMs, WallMs};

/// How long after an order was made its capture is tried, in ms of wall time. Providers keep an authorization for some days, but
/// the seats of somebody who does not pay are wanted by others.
pub const CAPTURE_WITHIN_MS: i64 = 24 * 60 * 60 * 1000;

/// `payment` must be asked after the order was read, and is forgotten when the order is read again: an older answer may
/// describe a state that another executor has long left.
///
/// The next step, or `None`: nothing is left to do, or nothing now (a slow provider within the deadline).
#[must_use]
pub fn next_step(order: &Order, payment: Payment<'_>, now: EventMs) -> Option<Step> {
    match order.state {
        OrderState::Paying => paying(order, payment, now),
        OrderState::Voiding => voiding(order, payment),
        OrderState::Confirmed => confirmed(order, payment),
        OrderState::Captured => Some(Step::Deliver),
        OrderState::Reducing => Some(reducing(order, payment)),
        OrderState::Cancelling => unselling(order, payment, Unsold::Cancelled),
        OrderState::CaptureFailed => unselling(order, payment, Unsold::Released),
        OrderState::Delivered | OrderState::Declined | OrderState::SeatsGone | OrderState::Abandoned => None,
        OrderState::Cancelled | OrderState::Refunded | OrderState::Released => None,
    }
}

/// What follows a capture that the card refused: another try later, until [`CAPTURE_WITHIN_MS`] are over.
#[must_use]
pub fn after_refused_capture(order: &Order, code: String, wall: WallMs) -> Step {
    if wall.since(order.created) < CAPTURE_WITHIN_MS { Step::PutOff { code } } else { Step::FailCapture { code } }
}

/// What follows a refund of everything that was left, which `payment` shows as it was before.
#[must_use]
pub fn after_refund(order: &Order, payment: Payment<'_>) -> Step {
    let ended = ended(payment);
    match order.state {
        OrderState::Voiding => voided(order, ended),
        OrderState::CaptureFailed => Step::Unsell(Unsold::Released, ended),
        _ => Step::Unsell(Unsold::Refunded, ended),
    }
}

fn ended(payment: Payment<'_>) -> Ended {
    match payment {
        Payment::Intent(intent) => Ended::of(intent),
        Payment::Unasked | Payment::PutOff | Payment::Missing => Ended::UNTOUCHED,
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
        Payment::Unasked | Payment::PutOff => Some(Step::Ask),
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

/// What a voided order becomes once no money of it is held: a fan who may try another card keeps the hold.
fn voided(order: &Order, ended: Ended) -> Step {
    match order.reason {
        Some(reason @ (VoidReason::CardLimit | VoidReason::GivenUp)) => {
            Step::Decline { code: reason.to_string(), ended }
        }
        _ => Step::Close(ended),
    }
}

fn voiding(order: &Order, payment: Payment<'_>) -> Option<Step> {
    match payment {
        _ if order.intent.is_none() => Some(voided(order, Ended::UNTOUCHED)),
        Payment::Unasked | Payment::PutOff => Some(Step::Ask),
        Payment::Missing => Some(voided(order, Ended::UNTOUCHED)),
        Payment::Intent(intent) => ending(intent, voided(order, Ended::of(intent))),
    }
}

/// Ends an intent, whatever it is; `ended` follows once no money of it is held. A card that is still being asked cannot be called
/// back: the order waits for its answer.
fn ending(intent: &Intent, ended: Step) -> Option<Step> {
    match intent.status {
        Status::Processing => None,
        Status::Canceled => Some(ended),
        Status::Succeeded if intent.refunded_minor == Some(intent.received_minor) => Some(ended),
        Status::Succeeded => Some(Step::Refund),
        _ => Some(Step::CancelIntent),
    }
}

fn confirmed(order: &Order, payment: Payment<'_>) -> Option<Step> {
    let failed = |code: &str| Some(Step::FailCapture { code: code.to_owned() });
    match payment {
        _ if order.intent.is_none() => Some(Step::MarkCaptured),
        Payment::PutOff => None,
        Payment::Unasked => Some(Step::Capture),
        Payment::Missing => failed("missing"),
        Payment::Intent(intent) => match intent.status {
            Status::Succeeded => Some(Step::MarkCaptured),
            Status::RequiresCapture => Some(Step::Capture),
            Status::Canceled => failed("authorization_ended"),
            Status::Processing => None,
            Status::RequiresPaymentMethod | Status::RequiresConfirmation | Status::RequiresAction => {
                failed("not_authorized")
            }
        },
    }
}

/// The money goes back first, whether it was taken or only set aside; then the seats.
fn unselling(order: &Order, payment: Payment<'_>, to: Unsold) -> Option<Step> {
    match payment {
        _ if order.intent.is_none() => Some(Step::Unsell(to, Ended::UNTOUCHED)),
        Payment::Unasked | Payment::PutOff => Some(Step::Ask),
        Payment::Missing => Some(Step::Unsell(to, Ended::UNTOUCHED)),
        Payment::Intent(intent) if intent.status == Status::Succeeded => ending(intent, after_refund(order, payment)),
        Payment::Intent(intent) => ending(intent, Step::Unsell(to, Ended::of(intent))),
    }
}

/// The value of the seats goes back first, then the seats. What the provider has kept tells whether the money went back before,
/// however long ago: its memory of idempotency keys ends.
fn reducing(order: &Order, payment: Payment<'_>) -> Step {
    let kept = |intent: &Intent| Some(intent.received_minor - intent.refunded_minor?);
    match payment {
        _ if order.intent.is_none() => Step::Reduce,
        Payment::Unasked | Payment::PutOff => Step::Ask,
        Payment::Missing => Step::Unexplained,
        Payment::Intent(intent) => match kept(intent) {
            Some(kept) if kept == order.total_minor - back_minor(order) => Step::Reduce,
            Some(kept) if kept == order.total_minor => Step::RefundPart,
            _ => Step::Unexplained,
        },
    }
}
