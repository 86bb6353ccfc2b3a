//! What an audit compares: the table's seats, tickets, holds and orders, and the provider's payments.

/// One seat item.
#[derive(Debug, Clone, Default)]
pub struct SeatFact {
    /// Seat id.
    pub seat: String,
    /// State: free, held, claimed, sold, blocked.
    pub state: String,
    /// The order that owns a sold seat.
    pub order: Option<String>,
}

/// One ticket item.
#[derive(Debug, Clone, Default)]
pub struct TicketFact {
    /// Seat id (or the place id of a pool ticket).
    pub seat: String,
    /// Its order.
    pub order: String,
    /// Whether it opens the gate.
    pub valid: bool,
}

/// One hold item.
#[derive(Debug, Clone, Default)]
pub struct HoldFact {
    /// Hold id.
    pub hold: String,
    /// State: live, claimed, sold, released, expired.
    pub state: String,
}

/// One order item.
#[derive(Debug, Clone, Default)]
pub struct OrderFact {
    /// Order id.
    pub order: String,
    /// State, in the design's words.
    pub state: String,
    /// Assigned seats.
    pub seats: Vec<String>,
    /// Standing places in all pools together.
    pub pool_places: usize,
    /// Amount in minor units.
    pub amount_minor: i64,
    /// The payment at the provider, once stored.
    pub intent: Option<String>,
}

impl OrderFact {
    /// Whether the order ever reached `confirmed`.
    pub fn was_confirmed(&self) -> bool {
        let after = ["capture_failed", "released", "cancelling", "cancelled", "refunded"];
        self.holds_seats() || after.contains(&self.state.as_str())
    }

    /// Whether the order owns its seats now.
    pub fn holds_seats(&self) -> bool {
        ["confirmed", "captured", "delivered"].contains(&self.state.as_str())
    }

    /// Whether the order waits for nothing any more.
    pub fn is_at_rest(&self) -> bool {
        let ends = ["delivered", "declined", "seats_gone", "abandoned", "cancelled", "refunded", "released"];
        ends.contains(&self.state.as_str())
    }

    /// Its assigned seats.
    pub fn seat_ids(&self) -> impl Iterator<Item = &String> {
        self.seats.iter()
    }
}

/// One payment as the provider lists it.
#[derive(Debug, Clone, Default)]
pub struct PaymentFact {
    /// The provider's id.
    pub id: String,
    /// The provider's status, for instance `requires_capture`, `succeeded`, `canceled`.
    pub status: String,
    /// Amount captured, in minor units.
    pub captured_minor: i64,
    /// Amount refunded, in minor units.
    pub refunded_minor: i64,
    /// The order named in its metadata.
    pub order: Option<String>,
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
