//! The event that is sent: CloudEvents 1.0, structured JSON. Nothing of it is personal.

use serde_json::{Value as Json, json};

use crate::items::{Order, OutKind, PoolLine, SeatLine, attr, message_id};
use crate::plan::{Item, Value};
use crate::time::WallMs;

/// Tickets that were handed out: place and revision of each.
pub type Handed = Vec<(String, u32)>;

/// The tickets that a stored delivery names.
#[must_use]
pub fn tickets(delivery: &Item) -> Handed {
    let lines = delivery.get(attr::SEATS).and_then(Value::as_list).unwrap_or_default();
    lines.iter().filter_map(ticket).collect()
}

fn ticket(line: &Value) -> Option<(String, u32)> {
    let [place, revision] = line.as_list()? else { return None };
    Some((place.as_str()?.to_owned(), u32::try_from(revision.as_i64()?).ok()?))
}

/// The body of a message, as text.
pub(super) fn of(order: &Order, kind: OutKind, rank: u32, handed: &Handed, now: WallMs) -> String {
    let mut data = data(order);
    if kind == OutKind::Issued {
        data["tickets"] =
            handed.iter().map(|(place, revision)| json!({"place": place, "revision": revision})).collect();
    }
    let event = json!({
        "specversion": "1.0",
        "id": message_id(&order.id, rank),
        "source": format!("/v1/events/{}", order.event),
        "type": kind.as_str(),
        "subject": order.id.to_string(),
        "time": time(now),
        "datacontenttype": "application/json",
        "sequence": format!("{rank:06}"),
        "data": data,
    });
    event.to_string()
}

fn data(order: &Order) -> Json {
    let gone: Vec<String> = order.gone.iter().map(ToString::to_string).collect();
    json!({
        "event": order.event,
        "order": order.id.to_string(),
        "seats": order.places.seats.iter().map(seat).collect::<Vec<_>>(),
        "pools": order.places.pools.iter().map(pool).collect::<Vec<_>>(),
        "given_back": gone,
        "amount_minor": order.total_minor,
        "currency": order.currency,
    })
}

fn seat(line: &SeatLine) -> Json {
    json!({"seat": line.seat.to_string(), "level": line.level, "type": line.price_type,
        "price_minor": line.price_minor, "fee_minor": line.fee_minor})
}

fn pool(line: &PoolLine) -> Json {
    json!({"pool": line.pool.to_string(), "quantity": line.quantity, "level": line.level, "type": line.price_type,
        "price_minor": line.price_minor, "fee_minor": line.fee_minor})
}

/// As RFC 3339 has it. Times outside its years do not happen.
fn time(at: WallMs) -> String {
    jiff::Timestamp::from_millisecond(at.0).map(|time| time.to_string()).unwrap_or_default()
}
