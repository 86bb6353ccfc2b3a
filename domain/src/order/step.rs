//! The steps that an order can need.

use crate::items::VoidReason;
use crate::provider::Intent;

use super::ledger::Ended;
use super::unsell::Unsold;

/// What is known of the order's intent at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment<'a> {
    /// The provider was not asked.
    Unasked,
    /// The provider does not know the intent.
    Missing,
    /// The provider has just refused to capture it, and that was written down.
    PutOff,
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
    /// Provider: capture; when the card refuses, [`super::after_refused_capture`].
    Capture,
    /// Provider: refund all that is left, then [`super::after_refund`].
    Refund,
    /// Provider: refund the value of the seats that are being given back, then [`super::Reduce`].
    RefundPart,
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
    /// [`super::PutOff`]: the capture is tried again later.
    PutOff {
        /// The provider's code.
        code: String,
    },
    /// [`super::Reduce`].
    Reduce,
    /// Nothing that a program may do: the provider has kept an amount that no step of ours leaves. For a person.
    Unexplained,
    /// [`super::FailCapture`].
    FailCapture {
        /// The provider's code.
        code: String,
    },
    /// [`super::Unsell`].
    Unsell(Unsold, Ended),
}
