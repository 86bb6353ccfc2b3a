//! An event, read: only whose order it is about, and its name.

use serde::Deserialize;

use crate::ids::OrderId;

/// Kinds of events that tell of an order's money, by how they begin.
const FAMILIES: [&str; 3] = ["payment_intent.", "charge.", "refund."];
/// Told when we make an intent: nothing has moved.
const OWN: &str = "payment_intent.created";

/// Something moved at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The provider's id of the event.
    pub event: String,
    /// What the provider calls it.
    pub kind: String,
    /// The order in the metadata of what moved.
    pub order: OrderId,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Something about an order.
    Of(Hint),
    /// Nothing about any order of ours: another kind of event, or a payment that was made elsewhere.
    Nothing,
}

/// The body is not an event; though it is rightly signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an event of the payment provider")]
pub struct Unreadable;

#[derive(Deserialize)]
struct RawEvent {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: RawData,
}

#[derive(Deserialize)]
struct RawData {
    object: RawObject,
}

#[derive(Deserialize)]
struct RawObject {
    metadata: Option<RawMetadata>,
}

#[derive(Deserialize)]
struct RawMetadata {
    order: Option<String>,
}

/// Reads the body of an event.
///
/// # Errors
/// It is not one.
pub fn read(body: &[u8]) -> Result<Said, Unreadable> {
    let raw: RawEvent = serde_json::from_slice(body).map_err(|_| Unreadable)?;
    if !is_name(&raw.id, "evt_") || !is_name(&raw.kind, "") {
        return Err(Unreadable);
    }
    let order = raw.data.object.metadata.and_then(|metadata| metadata.order).and_then(|order| order.parse().ok());
    let of_money = FAMILIES.iter().any(|family| raw.kind.starts_with(family)) && raw.kind != OWN;
    Ok(match order.filter(|_| of_money) {
        Some(order) => Said::Of(Hint { event: raw.id, kind: raw.kind, order }),
        None => Said::Nothing,
    })
}

/// Names go into keys and logs.
fn is_name(text: &str, prefix: &str) -> bool {
    let is_sign = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    text.len() > prefix.len() && text.len() <= 100 && text.starts_with(prefix) && text.bytes().all(is_sign)
}
