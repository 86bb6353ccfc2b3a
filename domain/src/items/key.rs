//! Keys of every kind of item, and of the indexes.

use crate::ids::{AccountId, BlockId, EventId, HoldId, OrderId, PoolId, SeatId, SectionId};
use crate::plan::Key;

/// The event's definition.
#[must_use]
pub fn meta(event: &EventId) -> Key {
    Key::new(format!("EVENT#{event}"), "META")
}

/// That there is this event, to be looked after.
#[must_use]
pub fn noted(event: &EventId) -> Key {
    Key::new("EVENTS", format!("EVENT#{event}"))
}

/// Where the nightly audit is.
#[must_use]
pub fn walk() -> Key {
    Key::new("EVENTS", "AUDIT")
}

/// A finding of the audit: beside its event, or among the events if nothing tells whose it is.
#[must_use]
pub fn finding(event: Option<&EventId>, id: &str) -> Key {
    let pk = event.map_or_else(|| "EVENTS".to_owned(), |event| format!("EVENT#{event}"));
    Key::new(pk, format!("FINDING#{id}"))
}

/// Whose import may write.
#[must_use]
pub fn import(event: &EventId) -> Key {
    Key::new(format!("EVENT#{event}"), "IMPORT")
}

/// What was last said of an event to the search index.
#[must_use]
pub fn notice(event: &EventId) -> Key {
    Key::new(format!("EVENT#{event}"), "SEARCH")
}

/// The event's clock.
#[must_use]
pub fn clock(event: &EventId) -> Key {
    Key::new(format!("EVENT#{event}"), "CLOCK")
}

/// One chunk of the compressed layout.
#[must_use]
pub fn layout(event: &EventId, version: &str, chunk: usize) -> Key {
    Key::new(format!("EVENT#{event}"), format!("LAYOUT#{version}#{chunk:02}"))
}

/// The partition of a block's seats and tickets.
#[must_use]
pub fn block(event: &EventId, block: &BlockId) -> String {
    format!("SEATS#{event}#{block}")
}

/// A seat.
#[must_use]
pub fn seat(event: &EventId, block_id: &BlockId, seat: &SeatId) -> Key {
    Key::new(block(event, block_id), format!("SEAT#{seat}"))
}

/// A seat's ticket.
#[must_use]
pub fn ticket(event: &EventId, block_id: &BlockId, seat: &SeatId) -> Key {
    Key::new(block(event, block_id), format!("TICKET#{seat}"))
}

/// The partition of a pool's shares and tickets.
#[must_use]
pub fn pool(event: &EventId, pool: &PoolId) -> String {
    format!("POOL#{event}#{pool}")
}

/// One share of a pool.
#[must_use]
pub fn share(event: &EventId, pool_id: &PoolId, share: u32) -> Key {
    Key::new(pool(event, pool_id), format!("SHARE#{share:02}"))
}

/// The ticket of the `n`-th pool place of an order, from 1.
#[must_use]
pub fn pool_ticket(event: &EventId, pool_id: &PoolId, order: &OrderId, n: u32) -> Key {
    Key::new(pool(event, pool_id), format!("TICKET#{order}#{n:02}"))
}

/// The partition of the map.
#[must_use]
pub fn map(event: &EventId) -> String {
    format!("MAP#{event}")
}

/// A section on the map.
#[must_use]
pub fn map_section(event: &EventId, section: &SectionId) -> Key {
    Key::new(map(event), format!("SECTION#{section}"))
}

/// A pool on the map.
#[must_use]
pub fn map_pool(event: &EventId, pool: &PoolId) -> Key {
    Key::new(map(event), format!("POOL#{pool}"))
}

/// The beat that the projection has seen.
#[must_use]
pub fn map_seen(event: &EventId) -> Key {
    Key::new(map(event), "SEEN")
}

/// A hold.
#[must_use]
pub fn hold(hold: &HoldId) -> Key {
    Key::new(format!("HOLD#{hold}"), "HOLD")
}

/// The partition of what an account has of events.
#[must_use]
pub fn usages(account: &AccountId) -> String {
    format!("ACCOUNT#{account}")
}

/// What an account has of an event.
#[must_use]
pub fn usage(account: &AccountId, event: &EventId) -> Key {
    Key::new(usages(account), format!("EVENT#{event}"))
}

/// What a card bought of an event.
#[must_use]
pub fn card(fingerprint: &str, event: &EventId) -> Key {
    Key::new(format!("CARD#{fingerprint}"), format!("EVENT#{event}"))
}

/// An order.
#[must_use]
pub fn order(order: &OrderId) -> Key {
    Key::new(format!("ORDER#{order}"), "ORDER")
}

/// The `n`-th money line of an order, from 1.
#[must_use]
pub fn ledger(order: &OrderId, n: u32) -> Key {
    Key::new(format!("ORDER#{order}"), format!("LEDGER#{n}"))
}

/// What the provider told of an order in one of its events.
#[must_use]
pub fn inbox(order: &OrderId, event: &str) -> Key {
    Key::new(format!("ORDER#{order}"), format!("INBOX#{event}"))
}

/// Where an order's tickets are sent to.
#[must_use]
pub fn contact(order: &OrderId) -> Key {
    Key::new(format!("ORDER#{order}"), "CONTACT")
}

/// The mail with the `n`-th revision of an order's tickets, from 1.
#[must_use]
pub fn mailing(order: &OrderId, n: u32) -> Key {
    Key::new(format!("ORDER#{order}"), format!("MAIL#{n}"))
}

/// How the sort keys of an order's messages to the organiser begin.
pub const OUT: &str = "OUT#";

/// A message to the organiser about an order; messages are sent in the order of their ranks.
#[must_use]
pub fn out(order: &OrderId, rank: u32) -> Key {
    Key::new(format!("ORDER#{order}"), format!("{OUT}{rank:06}"))
}

/// The delivery of the `n`-th revision of an order's tickets, from 1.
#[must_use]
pub fn delivery(order: &OrderId, n: u32) -> Key {
    Key::new(format!("ORDER#{order}"), format!("DELIVERY#{n}"))
}

/// Index partition of messages that are to be sent, by when.
#[must_use]
pub fn open_out(event: &EventId, bucket: u8) -> String {
    format!("EVENT#{event}#OUT#{bucket}")
}

/// Index partition of messages that were given up, by when.
#[must_use]
pub fn parked_out(event: &EventId) -> String {
    format!("EVENT#{event}#PARKED")
}

/// An account on the waiting list.
#[must_use]
pub fn waiting(event: &EventId, account: &AccountId) -> Key {
    Key::new(format!("WAIT#{event}"), format!("ACCOUNT#{account}"))
}

/// Index partition of those who wait, by their places in the line.
#[must_use]
pub fn open_waiting(event: &EventId) -> String {
    format!("EVENT#{event}#WAITING")
}

/// Index partition of live holds, by until.
#[must_use]
pub fn open_holds(event: &EventId, bucket: u8) -> String {
    format!("EVENT#{event}#HOLDS#{bucket}")
}

/// Index partition of orders that have not ended, by last change.
#[must_use]
pub fn open_orders(event: &EventId, bucket: u8) -> String {
    format!("EVENT#{event}#ORDERS#{bucket}")
}

/// Index partition of an account's orders.
#[must_use]
pub fn account_orders(account: &AccountId) -> String {
    format!("ACCOUNT#{account}")
}
