//! What an audit answers.

use serde::{Serialize, Serializer};

use crate::items::stored_words;

stored_words! {
    /// What is wrong. Codes are stable: they are stored, printed and looked up in docs/operating.md.
    Code {
        /// Two orders own one seat.
        SeatSoldTwice = "SEAT_SOLD_TWICE",
        /// A sold seat whose order does not own it.
        SoldSeatWithoutOrder = "SOLD_SEAT_WITHOUT_ORDER",
        /// An order owns a seat that is not sold.
        OrderedSeatNotSold = "ORDERED_SEAT_NOT_SOLD",
        /// A held or claimed seat whose hold does not keep it.
        KeptSeatWithoutHold = "KEPT_SEAT_WITHOUT_HOLD",
        /// A valid ticket whose order does not own its place.
        TicketWithoutOrder = "TICKET_WITHOUT_ORDER",
        /// An order that owns places lacks a valid ticket.
        OrderTicketsDiffer = "ORDER_TICKETS_DIFFER",
        /// A claimed hold without an order under way.
        HoldWithoutOrder = "HOLD_WITHOUT_ORDER",
        /// Free, held, claimed and sold places of a share are not its capacity.
        PoolCountsDiffer = "POOL_COUNTS_DIFFER",
        /// A pool's sold places are not as many as its valid tickets.
        PoolSoldDiffers = "POOL_SOLD_DIFFERS",
        /// A section or pool has more or fewer places than the event's definition says.
        CapacityDiffers = "CAPACITY_DIFFERS",
        /// An account is charged with more or fewer places than its orders have.
        UsageDiffers = "USAGE_DIFFERS",
        /// The same of a card.
        CardUseDiffers = "CARD_USE_DIFFERS",
        /// An order's ledger lines do not add up to what it is.
        LedgerDiffers = "LEDGER_DIFFERS",
        /// Ledger lines of no order.
        LedgerWithoutOrder = "LEDGER_WITHOUT_ORDER",
        /// The provider's amounts are not those of the ledger.
        ProviderDiffers = "PROVIDER_DIFFERS",
        /// What the provider kept of an order is not what it costs.
        MoneyDiffers = "MONEY_DIFFERS",
        /// An order's payment is not known to the provider.
        PaymentMissing = "PAYMENT_MISSING",
        /// Money is set aside, or may yet be, for an order that has ended or does not exist.
        PaymentNotEnded = "PAYMENT_NOT_ENDED",
        /// Money was taken for an order that does not exist.
        CaptureWithoutOrder = "CAPTURE_WITHOUT_ORDER",
        /// A hold whose time is over, or at rest any hold.
        HoldLeftOver = "HOLD_LEFT_OVER",
        /// An order that has steps left although it had time enough.
        OrderMidStep = "ORDER_MID_STEP",
        /// Something could not be read, so it was not compared.
        Unreadable = "UNREADABLE",
    }
}

/// One difference. Two findings of the same code about the same subject are the same finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What is wrong.
    pub code: Code,
    /// What it is about: `seat A-1-1`, `order …`, `payment pi_…`.
    pub subject: String,
    /// What was compared, for a person.
    pub note: String,
}

impl Finding {
    /// A finding.
    #[must_use]
    pub fn new(code: Code, subject: impl Into<String>, note: impl Into<String>) -> Self {
        Self { code, subject: subject.into(), note: note.into() }
    }

    /// Whether this is the same finding, whatever the notes say.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.code == other.code && self.subject == other.subject
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}
