//! Problem documents (RFC 9457): the one place where statuses and codes are given.

use domain::ids::{HoldId, PoolId, SeatId};
use lambda_http::{Body, Response};
use serde_json::{Value, json};

/// Everything that can be wrong with a request, or with us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no such thing, or it is somebody else's.
    NotFound,
    /// No access token that is good for this event now.
    AccessRequired,
    /// No account token that is good now.
    AccountRequired,
    /// An access token from before all were revoked.
    TokenRevoked,
    /// Not a link to documents, or one whose time is over.
    LinkEnded,
    /// The request makes no sense; what about it.
    BadRequest(&'static str),
    /// An event that the payment provider has not signed, or not lately.
    Signature,
    /// A write without a usable `Idempotency-Key`.
    KeyRequired,
    /// The idempotency key was used for another request.
    IdempotencyMismatch,
    /// Something that looks like a card number was sent.
    CardNumber,
    /// Not a payment method of the provider.
    PaymentMethod,
    /// Not a mail address.
    MailAddress,
    /// There are no such seats.
    SeatUnknown(Vec<SeatId>),
    /// There is no such section, pool or level.
    PlaceUnknown,
    /// The level of a place has no price type of this name.
    TypeUnknown(String),
    /// Others have these seats.
    SeatsTaken(Vec<SeatId>),
    /// These seats are for the buyers of a channel that was not shown.
    ChannelRequired(Vec<SeatId>),
    /// Not a key of a channel of this event, or an old one.
    ChannelKey,
    /// The choice would leave single seats.
    OrphanSeats(Vec<SeatId>),
    /// No seats together are left for this wish.
    NoneTogether,
    /// The pool has fewer places left.
    PoolExhausted(PoolId, u32),
    /// More places than one account may have.
    LimitExceeded {
        /// Places one account may have.
        limit: u32,
        /// Places it has bought or is paying.
        committed: u32,
    },
    /// Seats that come back are for those who wait.
    WaitingList,
    /// The event has no waiting list.
    NoWaitingList,
    /// Seats are left: nobody has to wait.
    NotSoldOut,
    /// The account takes holds too fast; how long to wait, in ms.
    SlowDown(i64),
    /// The account has another live hold.
    HoldExists(HoldId),
    /// The hold is being paid or was sold.
    HoldBeingPaid,
    /// The hold has ended.
    HoldEnded,
    /// A hold is extended once.
    AlreadyExtended,
    /// The card was declined; the provider's reason.
    PaymentDeclined(String),
    /// The card has bought its share of this event: so many places.
    CardLimit(u32),
    /// Too many attempts at paying this hold.
    TooManyAttempts,
    /// Seats are not the hold's any more.
    SeatsGone(Vec<SeatId>),
    /// The order cannot be given back in its state.
    NotCancellable,
    /// The event takes no orders back.
    CancellationClosed,
    /// A beat that is not higher than the last one, which is told.
    BeatNotHigher(u64),
    /// Too much at once; worth another try.
    Busy,
    /// The table or the provider cannot be reached; worth another try.
    Unavailable,
    /// A mistake of ours.
    Internal,
}

impl Problem {
    /// Status, code and title.
    #[must_use]
    pub const fn kind(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::BadRequest(_) => (400, "BAD_REQUEST", "The request makes no sense."),
            Self::Signature => (400, "SIGNATURE_INVALID", "The payment provider has not signed this, or not lately."),
            Self::KeyRequired => {
                (400, "IDEMPOTENCY_KEY_REQUIRED", "An Idempotency-Key of 1 to 255 visible characters is needed.")
            }
            Self::AccessRequired => (401, "ACCESS_REQUIRED", "It is not your turn, or your turn has passed."),
            Self::AccountRequired => (401, "ACCOUNT_REQUIRED", "Sign in first."),
            Self::TokenRevoked => (401, "TOKEN_REVOKED", "This token was revoked: claim your turn again."),
            Self::PaymentDeclined(_) => (402, "PAYMENT_DECLINED", "The card was declined. Another one may be tried."),
            Self::CardLimit(_) => (402, "CARD_LIMIT", "This card has bought as many tickets as one card may."),
            Self::LinkEnded => (410, "LINK_ENDED", "This link has ended. Open the tickets from your order again."),
            Self::NotFound => (404, "NOT_FOUND", "There is nothing here."),
            Self::SeatsTaken(_) => (409, "SEATS_TAKEN", "Others have these seats."),
            Self::OrphanSeats(_) => {
                (409, "ORPHAN_SEATS", "This would leave single seats that others could hardly use.")
            }
            Self::ChannelRequired(_) => (409, "CHANNEL_REQUIRED", "These seats are kept for others."),
            Self::ChannelKey => (422, "CHANNEL_KEY_INVALID", "This key opens no seats of this event any more."),
            Self::NoneTogether => (409, "NONE_TOGETHER", "There are no such places together any more."),
            Self::PoolExhausted(..) => (409, "POOL_EXHAUSTED", "There are not that many standing places left."),
            Self::LimitExceeded { .. } => (409, "LIMIT_EXCEEDED", "This is more than one account may have."),
            Self::WaitingList => (409, "WAITING_LIST", "Seats that come back are offered to those who wait for them."),
            Self::NoWaitingList => (409, "NO_WAITING_LIST", "This event has no waiting list."),
            Self::NotSoldOut => (409, "NOT_SOLD_OUT", "There are seats left: nobody has to wait."),
            Self::SlowDown(_) => (429, "SLOW_DOWN", "A little slower, please: seats were taken too often."),
            Self::HoldExists(_) => (409, "HOLD_EXISTS", "You have another hold."),
            Self::HoldBeingPaid => (409, "HOLD_BEING_PAID", "The hold is being paid or was sold."),
            Self::HoldEnded => (409, "HOLD_ENDED", "The hold has ended."),
            Self::AlreadyExtended => (409, "ALREADY_EXTENDED", "A hold is extended once."),
            Self::TooManyAttempts => (409, "TOO_MANY_ATTEMPTS", "This hold has been tried to pay too often."),
            Self::SeatsGone(_) => (409, "SEATS_GONE", "The seats are gone; nothing was charged."),
            Self::NotCancellable => (409, "NOT_CANCELLABLE", "This order cannot be cancelled now."),
            Self::CancellationClosed => (409, "CANCELLATION_CLOSED", "Orders of this event are not taken back."),
            Self::BeatNotHigher(_) => (409, "BEAT_NOT_HIGHER", "A later beat has been here."),
            Self::IdempotencyMismatch => (422, "IDEMPOTENCY_MISMATCH", "The key was used for another request."),
            Self::CardNumber => (422, "CARD_NUMBER_REFUSED", "Card numbers must not be sent here."),
            Self::PaymentMethod => (422, "PAYMENT_METHOD_UNKNOWN", "Not a payment method of the provider."),
            Self::MailAddress => (422, "MAIL_ADDRESS", "This is no mail address."),
            Self::SeatUnknown(_) => (422, "SEAT_UNKNOWN", "There are no such seats."),
            Self::PlaceUnknown => (422, "PLACE_UNKNOWN", "There is no such section, pool or price level."),
            Self::TypeUnknown(_) => (422, "TYPE_UNKNOWN", "There is no such price type there."),
            Self::Busy => (503, "BUSY", "Too much at once. Please try again."),
            Self::Unavailable => (503, "UNAVAILABLE", "A part is out. Please try again."),
            Self::Internal => (500, "INTERNAL", "Something went wrong on our side."),
        }
    }

    /// What a page needs to explain it, beside code and title.
    fn details(&self) -> Value {
        match self {
            Self::SeatsTaken(seats)
            | Self::ChannelRequired(seats)
            | Self::SeatUnknown(seats)
            | Self::OrphanSeats(seats)
            | Self::SeatsGone(seats) => {
                json!({"seats": seats})
            }
            Self::LimitExceeded { limit, committed } => json!({"limit": limit, "committed": committed}),
            Self::CardLimit(limit) => json!({"limit": limit}),
            Self::PoolExhausted(pool, left) => json!({"pool": pool, "left": left}),
            Self::TypeUnknown(name) => json!({"price_type": name}),
            Self::SlowDown(wait_ms) => json!({"retry_after_ms": wait_ms}),
            Self::HoldExists(hold) => json!({"hold": hold}),
            Self::PaymentDeclined(code) => json!({"decline_code": code}),
            Self::BeatNotHigher(beat) => json!({"beat": beat}),
            Self::BadRequest(detail) => json!({"detail": detail}),
            _ => json!({}),
        }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> Value {
        let (status, code, title) = self.kind();
        let mut document = self.details();
        document["type"] = json!(format!("urn:onsale:problem:{}", code.to_lowercase()));
        document["title"] = json!(title);
        document["status"] = json!(status);
        document["code"] = json!(code);
        document
    }

    /// The answer.
    #[must_use]
    pub fn response(&self) -> Response<Body> {
        let (status, _, _) = self.kind();
        let mut builder = Response::builder().status(status).header("content-type", "application/problem+json");
        match self {
            Self::SlowDown(wait_ms) => builder = builder.header("retry-after", wait_ms.div_euclid(1_000) + 1),
            _ if status == 503 => builder = builder.header("retry-after", "1"),
            _ => {}
        }
        let body = Body::Text(self.document().to_string());
        builder.body(body).unwrap_or_default() // constants only: they always build
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_what_is_wrong_and_with_what() {
        let seat: SeatId = "W01-1-1".parse().expect("a seat id");
        let document = Problem::SeatsTaken(vec![seat]).document();
        assert_eq!(document["type"], "urn:onsale:problem:seats_taken");
        assert_eq!((&document["status"], &document["code"]), (&json!(409), &json!("SEATS_TAKEN")));
        assert_eq!(document["seats"], json!(["W01-1-1"]));
        assert_eq!(Problem::Busy.response().headers()["retry-after"], "1");
    }
}
