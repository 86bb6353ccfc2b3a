//! Holds and orders as callers see them.

use domain::choose::side_by_side;
use domain::ids::SeatId;
use domain::items::{Hold, Order, Places, PoolLine, SeatLine};
use domain::time::EventMs;
use serde_json::{Value, json};

use crate::events::Venue;

/// A hold; times are event time in ms.
pub fn hold(hold: &Hold, venue: &Venue, now: EventMs) -> Value {
    let mut view = places(&hold.places);
    let seats: Vec<SeatId> = hold.places.seats.iter().map(|line| line.seat.clone()).collect();
    view["together"] = json!(side_by_side(&venue.layout, &venue.index, &seats));
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
    view["given_back"] = json!(order.gone);
    view["going_back"] = json!(order.back);
    view
}

/// An order that is being paid, with what its fan has to do before the card answers.
pub fn paying(paying: &Order, action: Option<&str>) -> Value {
    let mut view = order(paying);
    view["tickets"] = json!([]);
    view["action"] = action.map_or(Value::Null, |url| json!({"type": "redirect", "url": url}));
    view
}

fn places(places: &Places) -> Value {
    let seats: Vec<Value> = places.seats.iter().map(seat).collect();
    json!({"seats": seats, "pools": pools(&places.pools)})
}

fn seat(line: &SeatLine) -> Value {
    let total = line.price_minor + line.fee_minor;
    json!({
        "seat": line.seat, "level": line.level, "type": line.price_type,
        "price_minor": line.price_minor, "fee_minor": line.fee_minor, "total_minor": total,
    })
}

/// One line for each price of a pool, however many shares the places come from; amounts are for one place.
fn pools(lines: &[PoolLine]) -> Vec<Value> {
    let mut prices: Vec<(&PoolLine, u32)> = Vec::new();
    for line in lines {
        let price = |l: &PoolLine| (l.pool.clone(), l.price_type.clone(), l.price_minor, l.fee_minor);
        match prices.iter_mut().find(|(known, _)| price(known) == price(line)) {
            Some((_, quantity)) => *quantity += line.quantity,
            None => prices.push((line, line.quantity)),
        }
    }
    let view = |(line, quantity): (&PoolLine, u32)| {
        json!({
            "pool": line.pool, "quantity": quantity, "level": line.level, "type": line.price_type,
            "price_minor": line.price_minor, "fee_minor": line.fee_minor, "total_minor": line.price_minor + line.fee_minor,
        })
    };
    prices.into_iter().map(view).collect()
}
