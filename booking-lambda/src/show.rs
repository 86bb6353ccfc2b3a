//! Holds and orders as callers see them.

use domain::items::{Hold, Order, Places, PoolLine, SeatLine};
use domain::time::EventMs;
use serde_json::{Value, json};

/// A hold; times are event time in ms.
pub fn hold(hold: &Hold, now: EventMs) -> Value {
    let mut view = places(&hold.places);
    view["hold"] = json!(hold.id);
    view["state"] = json!(hold.state.as_str());
    view["total_minor"] = json!(hold.total_minor);
    view["currency"] = json!(hold.currency);
    view["until_ms"] = json!(hold.until.0);
    view["remaining_ms"] = json!(hold.until.since(now).max(0));
    view["extended"] = json!(hold.extended);
    view["order"] = json!(hold.order);
    view
}

/// An order, without its tickets.
pub fn order(order: &Order) -> Value {
    let mut view = places(&order.places);
    view["order"] = json!(order.id);
    view["hold"] = json!(order.hold);
    view["state"] = json!(order.state.as_str());
    view["total_minor"] = json!(order.total_minor);
    view["currency"] = json!(order.currency);
    view["created_ms"] = json!(order.created.0);
    view["decline_code"] = json!(order.decline);
    view
}

fn places(places: &Places) -> Value {
    let seats: Vec<Value> = places.seats.iter().map(seat).collect();
    json!({"seats": seats, "pools": pools(&places.pools)})
}

fn seat(line: &SeatLine) -> Value {
    let total = line.price_minor + line.fee_minor;
    json!({"seat": line.seat, "level": line.level, "price_minor": line.price_minor, "fee_minor": line.fee_minor, "total_minor": total})
}

/// One line a pool, however many shares the places come from; prices are for one place.
fn pools(lines: &[PoolLine]) -> Vec<Value> {
    let mut views: Vec<Value> = Vec::new();
    for group in lines.chunk_by(|a, b| a.pool == b.pool) {
        let Some(line) = group.first() else { continue };
        let quantity: u32 = group.iter().map(|part| part.quantity).sum();
        let total = line.price_minor + line.fee_minor;
        views.push(json!({
            "pool": line.pool, "quantity": quantity, "level": line.level,
            "price_minor": line.price_minor, "fee_minor": line.fee_minor, "total_minor": total,
        }));
    }
    views
}
