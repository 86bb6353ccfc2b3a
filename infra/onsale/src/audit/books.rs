//! What an audit compares: the table's seats, tickets, holds and orders, and the provider's payments.

use domain::items::{HoldState, OrderState, SeatState};

/// One seat item.
#[derive(Debug, Clone)]
pub struct SeatFact {
    /// Seat id.
    pub seat: String,
    /// State.
    pub state: SeatState,
    /// The order that owns a sold seat.
    pub order: Option<String>,
}

/// One ticket item.
#[derive(Debug, Clone)]
pub struct TicketFact {
    /// Seat id (or the place id of a pool ticket).
    pub seat: String,
    /// Its order.
    pub order: String,
    /// Whether it opens the gate.
    pub valid: bool,
}

/// One hold item.
#[derive(Debug, Clone)]
pub struct HoldFact {
    /// Hold id.
    pub hold: String,
    /// State.
    pub state: HoldState,
}

/// One order item.
#[derive(Debug, Clone)]
pub struct OrderFact {
    /// Order id.
    pub order: String,
    /// State.
    pub state: OrderState,
    /// Assigned seats.
    pub seats: Vec<String>,
    /// Standing places in all pools together.
    pub pool_places: usize,
    /// Amount in minor units.
    pub amount_minor: i64,
}

impl OrderFact {
    /// Whether the order ever reached `confirmed`.
    pub fn was_confirmed(&self) -> bool {
        use OrderState as S;
        self.state.owns_seats() || matches!(self.state, S::Cancelled | S::Refunded | S::Released)
    }
}

/// One payment as the provider's own ledger tells it; amounts in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentFact {
    /// The provider's id.
    pub id: String,
    /// The order named in its metadata.
    pub order: Option<String>,
    /// Set aside on the card.
    pub authorized_minor: i64,
    /// Taken.
    pub captured_minor: i64,
    /// Let go without being taken.
    pub voided_minor: i64,
    /// Taken and given back.
    pub refunded_minor: i64,
}

impl PaymentFact {
    /// Whether nothing is set aside any more.
    pub fn has_ended(&self) -> bool {
        self.authorized_minor <= self.captured_minor + self.voided_minor
    }
}

/// Everything an audit compares.
#[derive(Debug, Clone, Default)]
pub struct Books {
    /// All seats of the event.
    pub seats: Vec<SeatFact>,
    /// All tickets of the event.
    pub tickets: Vec<TicketFact>,
    /// All holds of the event.
    pub holds: Vec<HoldFact>,
    /// All orders of the event.
    pub orders: Vec<OrderFact>,
    /// The provider's payments for these orders.
    pub payments: Vec<PaymentFact>,
}
