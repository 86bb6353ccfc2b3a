//! Payments, from the provider's side.

use super::{Code, Finding};
use crate::items::Order;
use crate::provider::{Intent, Status};

/// Whether no money is set aside, and none can be without us asking for it. A challenge that a bank has put to its customer may
/// still be passed.
#[must_use]
pub const fn has_ended(intent: &Intent) -> bool {
    match intent.status {
        Status::RequiresCapture | Status::Processing | Status::RequiresAction => false,
        Status::RequiresPaymentMethod | Status::RequiresConfirmation => true,
        Status::Succeeded | Status::Canceled => true,
    }
}

/// What was taken and not given back, in minor units.
#[must_use]
pub fn kept_minor(intent: &Intent) -> i64 {
    intent.received_minor - intent.refunded_minor.unwrap_or(0)
}

/// A payment of an order that does not exist: nothing may be set aside or kept.
#[must_use]
pub fn stray(intent: &Intent) -> Vec<Finding> {
    let order = intent.order.as_deref().unwrap_or("none");
    let finding = |code, what: String| {
        Finding::new(code, format!("payment {}", intent.id), format!("its order, {order}, does not exist; {what}"))
    };
    let open = (!has_ended(intent)).then(|| finding(Code::PaymentNotEnded, format!("it is {:?}", intent.status)));
    let kept = kept_minor(intent);
    let taken = (kept != 0)
        .then(|| finding(Code::CaptureWithoutOrder, format!("the provider kept {kept} {}", intent.currency)));
    open.into_iter().chain(taken).collect()
}

/// A payment that names an order and is not its own: nothing may be set aside or kept.
#[must_use]
pub fn spare(intent: &Intent, order: &Order) -> Vec<Finding> {
    let kept = kept_minor(intent);
    let note =
        format!("order {} is {}; the payment is {:?} and not the order's own", order.id, order.state, intent.status);
    let open =
        (!has_ended(intent)).then(|| Finding::new(Code::PaymentNotEnded, format!("payment {}", intent.id), note));
    let note = format!("the provider kept {kept} {} of payment {}, which is not its own", intent.currency, intent.id);
    let taken = (kept != 0).then(|| Finding::new(Code::MoneyDiffers, format!("order {}", order.id), note));
    open.into_iter().chain(taken).collect()
}
