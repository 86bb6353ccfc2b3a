//! The payment provider's protocol as data: which requests to make and what the answers mean.
//!
//! Stripe's PaymentIntents with manual capture. Requests are values, answers are parsed into types;
//! this module knows nothing of sockets, retries or what an order does next.
//!
//! Idempotency keys are `order:attempt:operation[:n]`. Stripe remembers what a key first answered, a
//! server error included, and refuses it for anything else; so after a server error the same thing
//! is asked under the next `n`. That is safe because an intent's own status lets each step happen
//! once, and an intent that is not stored in its order is never confirmed.

mod answer;
mod intent;
mod method;
mod request;

pub use answer::{Page, Refused, read_intent, read_page, read_refund};
pub use intent::{Intent, Status};
pub use method::{
    BadMethod, CapturedAtOnce, PaymentMethod, address_looks_like_card_number, key_looks_like_card_number, kinds,
    looks_like_card_number,
};
pub use request::{Key, Request, Verb, cancel, capture, confirm, create, list, refund, refund_part, retrieve};

#[cfg(test)]
mod tests;
