//! Order items.

use super::read::{Builder, Reader, Unreadable};
use super::{Places, attr, bucket, key, stored_words};
use crate::ids::{AccountId, EventId, HoldId, OrderId, SeatId};
use crate::plan::{Item, Value};
use crate::time::{EventMs, WallMs};

stored_words! {
    /// What an order is.
    ///
    /// `paying → confirmed → captured → delivered`; `paying → declined`; `paying → voiding → seats_gone | declined`;
    /// `paying → abandoned`; `confirmed | captured | delivered → cancelling → cancelled | refunded`;
    /// `delivered → reducing → captured`; `confirmed → capture_failed → released`.
    OrderState {
        /// Its seats are claimed and the money is being authorized.
        Paying = "paying",
        /// Sold; the authorization is not yet captured.
        Confirmed = "confirmed",
        /// Captured; its tickets, or those that are left of them, are not yet sent.
        Captured = "captured",
        /// Tickets are sent.
        Delivered = "delivered",
        /// The card was refused; the hold lives on.
        Declined = "declined",
        /// Not sold; the authorization is being ended at the provider.
        Voiding = "voiding",
        /// Not sold; no authorization is left.
        SeatsGone = "seats_gone",
        /// Nothing was ever asked of the provider.
        Abandoned = "abandoned",
        /// Some of its seats are being given back.
        Reducing = "reducing",
        /// Being given back.
        Cancelling = "cancelling",
        /// Given back before capture.
        Cancelled = "cancelled",
        /// Given back after capture.
        Refunded = "refunded",
        /// The capture failed for good; seats are about to be freed.
        CaptureFailed = "capture_failed",
        /// Seats are free again after a failed capture.
        Released = "released",
    }
}

impl OrderState {
    /// Whether nothing is left to do, so that the order is in no index of open ones.
    #[must_use]
    pub const fn is_final(self) -> bool {
        match self {
            Self::Paying
            | Self::Confirmed
            | Self::Captured
            | Self::Reducing
            | Self::Voiding
            | Self::Cancelling
            | Self::CaptureFailed => false,
            Self::Delivered | Self::Declined | Self::SeatsGone | Self::Abandoned => true,
            Self::Cancelled | Self::Refunded | Self::Released => true,
        }
    }

    /// Whether the order was sold once, whatever became of it: only then there is something to tell of it.
    #[must_use]
    pub const fn was_sold(self) -> bool {
        self.owns_seats() || matches!(self, Self::Cancelled | Self::Refunded | Self::Released)
    }

    /// Whether the order's places are its own: it has one valid ticket for each.
    #[must_use]
    pub const fn owns_seats(self) -> bool {
        match self {
            Self::Confirmed | Self::Captured | Self::Delivered | Self::Reducing => true,
            Self::Cancelling | Self::CaptureFailed => true,
            Self::Paying | Self::Declined | Self::Voiding | Self::SeatsGone | Self::Abandoned => false,
            Self::Cancelled | Self::Refunded | Self::Released => false,
        }
    }
}

stored_words! {
    /// Why an order is voided.
    VoidReason {
        /// A seat was not the hold's any more.
        SeatsGone = "seats_gone",
        /// The claim deadline passed.
        Deadline = "deadline",
        /// The card has bought its share already.
        CardLimit = "card_limit",
        /// The provider holds another amount than the order's.
        Amount = "amount",
        /// Its fan wants to pay in another way.
        GivenUp = "given_up",
    }
}

/// An order as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Order.
    pub id: OrderId,
    /// Event.
    pub event: EventId,
    /// Whose it is.
    pub account: AccountId,
    /// The hold it pays.
    pub hold: HoldId,
    /// State.
    pub state: OrderState,
    /// Its places, as the hold had them.
    pub places: Places,
    /// What its places cost, in minor units; what was paid, less what was given back.
    pub total_minor: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Which attempt at paying the hold this is, from 1; part of the provider's idempotency keys.
    pub attempt: u32,
    /// The provider's payment method.
    pub method: String,
    /// The provider's intent, once stored.
    pub intent: Option<String>,
    /// Until when the seats stay claimed.
    pub deadline: EventMs,
    /// Until when the hold was good when it was claimed.
    pub hold_until: EventMs,
    /// Seats that it lost before it was sold, known once it has ended.
    pub lost: Vec<SeatId>,
    /// Why it is voided.
    pub reason: Option<VoidReason>,
    /// The provider's decline code.
    pub decline: Option<String>,
    /// Fingerprint of the card that paid, as the provider gives it.
    pub card: Option<String>,
    /// Fingerprint of the request that made it.
    pub fingerprint: String,
    /// Seats that are being given back.
    pub back: Vec<SeatId>,
    /// Seats that were given back.
    pub gone: Vec<SeatId>,
    /// In how many parts they were given back.
    pub parts: u32,
    /// How often its capture was refused.
    pub tries: u32,
    /// How many ledger lines it has.
    pub lines: u32,
    /// When it was made.
    pub created: WallMs,
    /// When it last changed.
    pub updated: EventMs,
}

impl Order {
    /// The value of `k`.
    pub const KIND: &'static str = "order";

    /// Which revision of its tickets it has, from 1: giving back a part of them makes a new one.
    #[must_use]
    pub const fn revision(&self) -> u32 {
        self.parts + 1
    }

    /// Its partition of the index of what is open.
    #[must_use]
    pub fn open_pk(&self) -> String {
        key::open_orders(&self.event, bucket(&self.id.to_string()))
    }

    /// As stored.
    #[must_use]
    pub fn to_item(&self) -> Item {
        let open = !self.state.is_final();
        Builder::new(&key::order(&self.id), Self::KIND)
            .with(attr::EVENT, self.event.to_string())
            .with(attr::ACCOUNT, self.account.to_string())
            .with(attr::HOLD, self.hold.to_string())
            .with(attr::STATE, self.state)
            .with(attr::SEATS, self.places.seats_value())
            .with(attr::POOLS, self.places.pools_value())
            .with(attr::AMOUNT, self.total_minor)
            .with(attr::CURRENCY, self.currency.as_str())
            .with(attr::ATTEMPT, self.attempt)
            .with(attr::METHOD, self.method.as_str())
            .maybe(attr::INTENT, self.intent.as_deref())
            .with(attr::DEADLINE, self.deadline.0)
            .with(attr::HOLD_UNTIL, self.hold_until.0)
            .maybe(attr::LOST, some(&self.lost))
            .maybe(attr::REASON, self.reason)
            .maybe(attr::DECLINE, self.decline.as_deref())
            .maybe(attr::CARD, self.card.as_deref())
            .with(attr::FINGERPRINT, self.fingerprint.as_str())
            .maybe(attr::BACK, some(&self.back))
            .maybe(attr::GONE, some(&self.gone))
            .maybe(attr::PARTS, (self.parts > 0).then_some(self.parts))
            .maybe(attr::TRIES, (self.tries > 0).then_some(self.tries))
            .with(attr::NUMBER, self.lines)
            .with(attr::ACCOUNT_PK, key::account_orders(&self.account))
            .with(attr::AT, self.created.0)
            .with(attr::UPDATED, self.updated.0)
            .maybe(attr::OPEN_PK, open.then(|| self.open_pk()))
            .maybe(attr::OPEN_AT, open.then_some(self.updated.0))
            .done()
    }

    /// Reads a stored order.
    ///
    /// # Errors
    /// When an attribute is missing or unreadable.
    pub fn from_item(item: &Item) -> Result<Self, Unreadable> {
        let r = Reader::new(Self::KIND, item)?;
        let text = |name| r.opt_text(name).map(str::to_owned);
        let reason = r.opt_text(attr::REASON).map(|w| VoidReason::from_word(w).ok_or_else(|| r.bad(attr::REASON)));
        Ok(Self {
            id: r.partition_key("ORDER#")?,
            event: r.parse(attr::EVENT)?,
            account: r.parse(attr::ACCOUNT)?,
            hold: r.parse(attr::HOLD)?,
            state: OrderState::from_word(r.text(attr::STATE)?).ok_or_else(|| r.bad(attr::STATE))?,
            places: Places::read(&r)?,
            total_minor: r.number(attr::AMOUNT)?,
            currency: r.text(attr::CURRENCY)?.to_owned(),
            attempt: r.count(attr::ATTEMPT)?,
            method: r.text(attr::METHOD)?.to_owned(),
            intent: text(attr::INTENT),
            deadline: EventMs(r.number(attr::DEADLINE)?),
            hold_until: EventMs(r.number(attr::HOLD_UNTIL)?),
            lost: seats(&r, attr::LOST)?,
            reason: reason.transpose()?,
            decline: text(attr::DECLINE),
            card: text(attr::CARD),
            fingerprint: r.text(attr::FINGERPRINT)?.to_owned(),
            back: seats(&r, attr::BACK)?,
            gone: seats(&r, attr::GONE)?,
            parts: r.opt_count(attr::PARTS)?,
            tries: r.opt_count(attr::TRIES)?,
            lines: r.count(attr::NUMBER)?,
            created: WallMs(r.number(attr::AT)?),
            updated: EventMs(r.number(attr::UPDATED)?),
        })
    }
}

/// A list of seats as stored.
#[must_use]
pub fn seat_list(seats: &[SeatId]) -> Value {
    Value::L(seats.iter().map(|seat| seat.to_string().into()).collect())
}

fn some(seats: &[SeatId]) -> Option<Value> {
    (!seats.is_empty()).then(|| seat_list(seats))
}

fn seats(reader: &Reader<'_>, name: &'static str) -> Result<Vec<SeatId>, Unreadable> {
    let seats = reader.list(name).iter().map(|seat| seat.as_str()?.parse().ok());
    seats.collect::<Option<_>>().ok_or_else(|| reader.bad(name))
}
