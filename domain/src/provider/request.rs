//! Requests to the provider.

use std::fmt;

use super::PaymentMethod;
use crate::items::Order;

/// HTTP's verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Changes.
    Post,
}

/// One request, ready to be sent: parameters go into the query of a [`Verb::Get`] and into the form
/// of a [`Verb::Post`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Verb.
    pub verb: Verb,
    /// Path, from `/v1`.
    pub path: String,
    /// Parameters, in order: a key may only be used again with the very same ones.
    pub form: Vec<(String, String)>,
    /// Idempotency key; only changes have one.
    pub key: Option<Key>,
}

/// An idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    base: String,
    n: u32,
}

impl Key {
    fn new(order: &Order, operation: &str) -> Self {
        Self { base: format!("{}:{}:{operation}", order.id, order.attempt), n: 1 }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n {
            1 => f.write_str(&self.base),
            n => write!(f, "{}:{n}", self.base),
        }
    }
}

impl Request {
    /// The same request under the next key, for use after a server error.
    #[must_use]
    pub fn under_next_key(mut self) -> Self {
        if let Some(key) = &mut self.key {
            key.n += 1;
        }
        self
    }

    fn post(path: String, form: Vec<(String, String)>, key: Key) -> Self {
        Self { verb: Verb::Post, path, form, key: Some(key) }
    }

    fn get(path: String, form: Vec<(String, String)>) -> Self {
        Self { verb: Verb::Get, path, form, key: None }
    }
}

/// Stripe takes at most 500 characters as the value of one metadata entry.
const METADATA_MAX: usize = 500;

/// Makes the intent of an order's attempt: the amount, manual capture, methods of these [`super::kinds`] only, and enough metadata
/// to find the order from the provider's side.
#[must_use]
pub fn create(order: &Order, method: &PaymentMethod, kinds: &[String]) -> Request {
    let mut form = vec![
        pair("amount", order.total_minor),
        pair("currency", order.currency.to_lowercase()),
        pair("capture_method", "manual"),
        pair("payment_method", method),
        pair("metadata[order]", order.id),
        pair("metadata[attempt]", order.attempt),
        pair("metadata[event]", &order.event),
        pair("metadata[hold]", order.hold),
    ];
    form.extend(kinds.iter().map(|kind| pair("payment_method_types[]", kind)));
    form.push(pair("metadata[places]", places(order)));
    Request::post("/v1/payment_intents".to_owned(), form, Key::new(order, "create"))
}

/// Asks the card. A bank that wants to see its customer first sends the fan back to `pages`, the address of our pages without
/// a slash at its end.
#[must_use]
pub fn confirm(order: &Order, intent: &str, pages: &str) -> Request {
    let mut form = expand();
    form.push(pair("return_url", format!("{pages}/e/{}/orders/{}", order.event, order.id)));
    Request::post(path(intent, "/confirm"), form, Key::new(order, "confirm"))
}

/// Takes the authorized amount. After a refusal it is asked for under another key: the provider would only repeat the refusal.
#[must_use]
pub fn capture(order: &Order, intent: &str) -> Request {
    let key = match order.tries {
        0 => Key::new(order, "capture"),
        tries => Key::new(order, &format!("capture-{tries}")),
    };
    Request::post(path(intent, "/capture"), expand(), key)
}

/// Ends the intent without taking money.
#[must_use]
pub fn cancel(order: &Order, intent: &str) -> Request {
    Request::post(path(intent, "/cancel"), expand(), Key::new(order, "cancel"))
}

/// Gives `amount_minor` of the captured amount back: the value of the `n`-th part of the order that is cancelled, from 1.
#[must_use]
pub fn refund_part(order: &Order, intent: &str, amount_minor: i64, n: u32) -> Request {
    let form = vec![pair("payment_intent", intent), pair("amount", amount_minor), pair("metadata[order]", order.id)];
    Request::post("/v1/refunds".to_owned(), form, Key::new(order, &format!("refund-{n}")))
}

/// Gives back all that is left of the captured amount.
#[must_use]
pub fn refund(order: &Order, intent: &str) -> Request {
    let form = vec![pair("payment_intent", intent), pair("metadata[order]", order.id)];
    Request::post("/v1/refunds".to_owned(), form, Key::new(order, "refund"))
}

/// Reads one intent.
#[must_use]
pub fn retrieve(intent: &str) -> Request {
    Request::get(path(intent, ""), expand())
}

/// Asks for the charge as a part of the answer: it names the card, and tells what was set aside and given back.
fn expand() -> Vec<(String, String)> {
    vec![pair("expand[]", "latest_charge")]
}

/// Reads a page of 100 intents, newest first, from the one after `after`.
#[must_use]
pub fn list(after: Option<&str>) -> Request {
    let mut form = vec![pair("limit", 100), pair("expand[]", "data.latest_charge")];
    form.extend(after.map(|id| pair("starting_after", id)));
    Request::get("/v1/payment_intents".to_owned(), form)
}

fn path(intent: &str, rest: &str) -> String {
    format!("/v1/payment_intents/{intent}{rest}")
}

fn pair(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

/// The order's places, cut at a whole entry.
fn places(order: &Order) -> String {
    let seats = order.places.seats.iter().map(|line| line.seat.to_string());
    let pools = order.places.pools.iter().map(|line| format!("{}x{}", line.pool, line.quantity));
    let mut text = String::new();
    for place in seats.chain(pools) {
        if text.len() + place.len() + 1 > METADATA_MAX {
            break;
        }
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(&place);
    }
    text
}
