//! Orders: from a claimed hold to money taken and tickets sent, or back.
//!
//! ```text
//! paying ──► confirmed ──► captured ──► delivered ◄──► reducing
//!   │ │ │        │             │            │
//!   │ │ │        │             └─────┬──────┘
//!   │ │ │        ├─► cancelling ◄────┘ ──► cancelled | refunded
//!   │ │ │        └─► capture_failed ──► released
//!   │ │ └─► voiding ──► seats_gone | declined
//!   │ └─► declined
//!   └─► abandoned
//! ```
//! Money first: an order that is not sold is `voiding` until its authorization has ended at the provider, and only then
//! are its seats freed. [`next_step`] says what is to be done next; every arrow is one [`crate::plan::Rule`].

mod capture;
mod claim;
mod close;
mod decline;
mod intent;
mod ledger;
mod next;
mod reduce;
mod sell;
mod sold;
mod step;
mod unsell;

pub use capture::{BeginCancel, Deliver, FailCapture, MarkCaptured, PutOff};
pub use claim::{CLAIM_MS, Claim, ClaimRefusal, MAX_ATTEMPTS};
pub use close::{Abandon, Close};
pub use decline::{Decline, RETRY_MS};
pub use intent::{StoreIntent, Void};
pub use ledger::{Ended, Moment};
pub use next::{CAPTURE_WITHIN_MS, after_refund, after_refused_capture, next_step};
pub use reduce::{BeginPart, PartRefusal, Reduce, back_minor};
pub use sell::{CardLimit, Sell, SellRefusal};
pub use sold::ticket_keys;
pub use step::{Payment, Step};
pub use unsell::{Unsell, Unsold};

use crate::items::{HoldState, Order, OrderState, SeatLine, attr, key};
use crate::plan::{Cond, Refused, Update, Write};
use crate::time::EventMs;
use crate::usage::Owner;

/// Why a step on an order does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Moved {
    /// The order is not in a state that has this step; it is to be read again.
    #[error("the order moved on: it is {0}")]
    To(OrderState),
    /// It is somebody else's; answered as if there were none.
    #[error("no such order")]
    NotYours,
    /// The table holds something that no rule writes.
    #[error("stored items of the order are not as any rule writes them")]
    Inconsistent,
}

/// Where the order stands, as the old item of a failed condition shows it.
pub(crate) fn found(order: &Order, refused: &Refused) -> Option<Order> {
    let item = refused.of(&key::order(&order.id))?.old.as_ref()?;
    Order::from_item(item).ok()
}

/// The order is in this state.
pub(crate) fn is(state: OrderState) -> Cond {
    Cond::eq(attr::STATE, state)
}

/// The order is in the state in which it was read. Its intent is not asked for: it is stored once, while the order is paying, and
/// stays; only who acts on there being none, [`Abandon`], has to ask.
pub(crate) fn as_read(order: &Order) -> Cond {
    is(order.state)
}

/// The order goes to `state` at `now`, and leaves the index of open ones when nothing is left to do.
pub(crate) fn goes(order: &Order, state: OrderState, now: EventMs) -> Update {
    let update = Update::new().set(attr::STATE, state).set(attr::UPDATED, now.0);
    if state.is_final() {
        update.remove(attr::OPEN_PK).remove(attr::OPEN_AT)
    } else {
        update.set(attr::OPEN_PK, order.open_pk()).set(attr::OPEN_AT, now.0)
    }
}

/// The hold is in `state` for this order and goes to another, out of the index.
pub(crate) fn end_hold(order: &Order, from: HoldState, to: HoldState) -> Write {
    let update = Update::new().set(attr::STATE, to).add(attr::VERSION, 1);
    Write::update(key::hold(&order.hold), hold_of(order, from), update.remove(attr::OPEN_PK).remove(attr::OPEN_AT))
}

/// The hold is in `state` for this order. Of a sold one that is not asked: it is never another order's again.
pub(crate) fn hold_of(order: &Order, state: HoldState) -> Cond {
    let is = Cond::eq(attr::STATE, state);
    if state == HoldState::Sold { is } else { is.and(Cond::eq(attr::ORDER, order.id.to_string())) }
}

/// Whose usage an order counts in.
pub(crate) fn owner(order: &Order) -> Owner {
    Owner { account: order.account, event: order.event.clone() }
}

/// The order's seats whose condition failed.
pub(crate) fn failed_lines<'a>(order: &'a Order, refused: &Refused) -> Vec<&'a SeatLine> {
    let failed = |l: &&SeatLine| refused.of(&crate::seat::key_of(&order.event, l)).is_some();
    order.places.seats.iter().filter(failed).collect()
}
