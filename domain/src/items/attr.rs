//! Attribute names, frozen. Short, because DynamoDB bills and indexes them with every item.

/// Partition key.
pub const PK: &str = "pk";
/// Sort key.
pub const SK: &str = "sk";
/// Item kind; stream filters select on it.
pub const KIND: &str = "k";
/// State, as a word.
pub const STATE: &str = "st";
/// Version: rises by one with every change of a seat, share or hold.
pub const VERSION: &str = "ver";
/// Event id.
pub const EVENT: &str = "e";
/// Account id.
pub const ACCOUNT: &str = "a";
/// Hold id.
pub const HOLD: &str = "h";
/// Order id.
pub const ORDER: &str = "o";
/// Event time in ms until which a hold is good.
pub const UNTIL: &str = "u";
/// Until of a usage's live hold, event time in ms.
pub const HOLD_UNTIL: &str = "hu";
/// Price level id.
pub const LEVEL: &str = "lv";
/// Index of a seat within its section, in map order.
pub const INDEX: &str = "ix";
/// Seat kind: 0 ordinary, 1 accessible, 2 companion.
pub const SEAT_KIND: &str = "kd";
/// Seats of a hold or order, with prices.
pub const SEATS: &str = "s";
/// Pool places of a hold or order, with prices.
pub const POOLS: &str = "p";
/// Amount in minor units.
pub const AMOUNT: &str = "amt";
/// ISO 4217 currency.
pub const CURRENCY: &str = "cur";
/// 1 once a hold was extended.
pub const EXTENDED: &str = "x";
/// Payment attempt: of a hold the number of claims so far, of an order its own.
pub const ATTEMPT: &str = "att";
/// Fingerprint of the request that made the item.
pub const FINGERPRINT: &str = "fp";
/// Event time in ms up to which an account's holds are counted, see [`crate::usage::Pace`].
pub const PACE: &str = "hp";
/// Places being paid or bought.
pub const COMMITTED: &str = "c";
/// A number: of places that are waited for, of ticket places on a card, of ledger lines of an order, of times that an event came.
pub const NUMBER: &str = "n";
/// The provider's intent id.
pub const INTENT: &str = "pi";
/// The provider's payment method id.
pub const METHOD: &str = "pm";
/// Claim deadline, event time in ms.
pub const DEADLINE: &str = "dl";
/// Why an order ended or is ending; why a seat is blocked; how a message to the organiser fared last.
pub const REASON: &str = "why";
/// The channel whose buyers alone may take a seat; of a map section its channels.
pub const CHANNEL: &str = "ch";
/// For whom the house keeps a seat.
pub const HOUSE: &str = "hn";
/// Wall time in ms until which the house means to keep a seat.
pub const HOUSE_UNTIL: &str = "hw";
/// Seats that an order lost before it was sold.
pub const LOST: &str = "lost";
/// The provider's decline code.
pub const DECLINE: &str = "dc";
/// Fingerprint of the card that paid.
pub const CARD: &str = "cf";
/// Seats of an order that are being given back.
pub const BACK: &str = "bk";
/// Seats that an order had once.
pub const GONE: &str = "gone";
/// How many times seats of an order were given back.
pub const PARTS: &str = "pt";
/// How often the capture of an order was refused so far; how often a message was sent.
pub const TRIES: &str = "try";
/// What the provider calls an event that it told; what a message to the organiser tells.
pub const TOLD: &str = "ty";
/// Event time in ms of the last change.
pub const UPDATED: &str = "upd";
/// Ticket revision.
pub const REVISION: &str = "rev";
/// Free places of a share; free seats of a section.
pub const FREE: &str = "free";
/// Held places or seats.
pub const HELD: &str = "held";
/// Claimed places or seats.
pub const CLAIMED: &str = "claimed";
/// Sold places or seats.
pub const SOLD: &str = "sold";
/// Blocked seats.
pub const BLOCKED: &str = "blocked";
/// Capacity of a share.
pub const CAPACITY: &str = "cap";
/// Distinct holds on a share or section, sold ones included.
pub const HOLDS: &str = "holds";
/// Packed seat states.
pub const STATES: &str = "states";
/// Counts by level.
pub const LEVELS: &str = "levels";
/// Sum of the versions that a map item was built from.
pub const SUM: &str = "sum";
/// Whose import may write.
pub const IMPORT: &str = "by";
/// Blocks that may have seats.
pub const BLOCKS: &str = "bl";
/// A mail address.
pub const TO: &str = "to";
/// Who is sending a mail or a message.
pub const SENDER: &str = "sdr";
/// The mail service's id of a message.
pub const MESSAGE: &str = "msg";
/// A JSON or compressed body.
pub const BODY: &str = "j";
/// Beat of the clock.
pub const BEAT: &str = "beat";
/// Wall time in ms.
pub const WALL: &str = "wall";
/// Wall time in ms at which a finding was last seen.
pub const LAST: &str = "last";
/// Event time in ms.
pub const EVENT_TIME: &str = "ev";
/// How far event time may run on, in ms.
pub const RUN: &str = "run";
/// Partition key of the index of what is open.
pub const OPEN_PK: &str = "opk";
/// Sort key of the index of what is open, event time in ms; of messages wall time, of those who wait their place in the line.
pub const OPEN_AT: &str = "ot";
/// Partition key of the index by account.
pub const ACCOUNT_PK: &str = "apk";
/// Sort key of the index by account, wall time in ms.
pub const AT: &str = "at";
/// Wall time in seconds after which DynamoDB may delete the item.
pub const TTL: &str = "ttl";
