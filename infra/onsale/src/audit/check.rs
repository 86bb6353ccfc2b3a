//! The comparisons, one function each.

use std::collections::HashMap;

use domain::items::{HoldState, SeatState};
use serde::Serialize;

use super::books::{Books, OrderFact};

/// One difference, with a stable code and the thing it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable code.
    pub code: &'static str,
    /// The seat, order, hold or payment concerned.
    pub subject: String,
}

fn finding(code: &'static str, subject: &str) -> Finding {
    Finding { code, subject: subject.to_owned() }
}

/// All differences; none means that the books balance and nothing is left over.
pub fn check(books: &Books) -> Vec<Finding> {
    let checks = [seats_have_orders, tickets_match_orders, orders_are_at_rest, holds_are_at_rest, money_matches];
    checks.iter().flat_map(|check| check(books)).collect()
}

/// A sold seat belongs to exactly the order that lists it; an order that owns seats finds them sold.
fn seats_have_orders(books: &Books) -> Vec<Finding> {
    let owners = owners(books);
    let owned = |seat: &str| owners.get(seat).cloned().unwrap_or_default();
    let mut found = Vec::new();
    for seat in &books.seats {
        let orders = owned(&seat.seat);
        if orders.len() > 1 {
            found.push(finding("SEAT_SOLD_TWICE", &seat.seat));
        }
        let owner = orders.first().copied();
        if seat.state == SeatState::Sold && (owner.is_none() || owner != seat.order.as_deref()) {
            found.push(finding("SOLD_SEAT_WITHOUT_ORDER", &seat.seat));
        }
        if seat.state != SeatState::Sold && owner.is_some() {
            found.push(finding("ORDERED_SEAT_NOT_SOLD", &seat.seat));
        }
    }
    found
}

fn owners(books: &Books) -> HashMap<&str, Vec<&str>> {
    let mut owners: HashMap<&str, Vec<&str>> = HashMap::new();
    for order in books.orders.iter().filter(|order| order.state.owns_seats()) {
        for seat in &order.seats {
            owners.entry(seat).or_default().push(&order.order);
        }
    }
    owners
}

/// Every order that owns places has one valid ticket for each, and no valid ticket belongs to anything else.
fn tickets_match_orders(books: &Books) -> Vec<Finding> {
    let mut valid: HashMap<&str, usize> = HashMap::new();
    for ticket in books.tickets.iter().filter(|ticket| ticket.valid) {
        *valid.entry(&ticket.order).or_default() += 1;
    }
    let mut found = Vec::new();
    for order in books.orders.iter().filter(|order| order.state.owns_seats()) {
        if valid.remove(order.order.as_str()) != Some(order.seats.len() + order.pool_places) {
            found.push(finding("ORDER_TICKETS_DIFFER", &order.order));
        }
    }
    found.extend(valid.keys().map(|order| finding("TICKET_WITHOUT_ORDER", order)));
    found
}

fn orders_are_at_rest(books: &Books) -> Vec<Finding> {
    let unfinished = books.orders.iter().filter(|order| !order.state.is_final());
    unfinished.map(|order| finding("ORDER_MID_STEP", &order.order)).collect()
}

fn holds_are_at_rest(books: &Books) -> Vec<Finding> {
    let open = books.holds.iter().filter(|hold| matches!(hold.state, HoldState::Live | HoldState::Claimed));
    open.map(|hold| finding("HOLD_LEFT_OVER", &hold.hold)).collect()
}

/// Every payment ended; what is captured and not refunded is exactly what orders with seats cost.
fn money_matches(books: &Books) -> Vec<Finding> {
    let orders: HashMap<&str, &OrderFact> = books.orders.iter().map(|order| (order.order.as_str(), order)).collect();
    let mut found = Vec::new();
    let mut kept: HashMap<&str, i64> = HashMap::new();
    for payment in &books.payments {
        if !payment.has_ended() {
            found.push(finding("PAYMENT_NOT_ENDED", &payment.id));
        }
        match payment.order.as_deref().filter(|order| orders.contains_key(order)) {
            Some(order) => *kept.entry(order).or_default() += payment.captured_minor - payment.refunded_minor,
            None if payment.captured_minor > 0 => found.push(finding("CAPTURE_WITHOUT_ORDER", &payment.id)),
            None => {}
        }
    }
    for (id, order) in orders {
        let due = if order.state.owns_seats() { order.amount_minor } else { 0 };
        if kept.get(id).copied().unwrap_or_default() != due {
            found.push(finding("MONEY_DIFFERS", id));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use domain::items::OrderState;

    use super::super::books::*;
    use super::*;

    fn balanced() -> Books {
        let (seat, order) = ("A-1-1".to_owned(), "o1".to_owned());
        Books {
            seats: vec![SeatFact { seat: seat.clone(), state: SeatState::Sold, order: Some(order.clone()) }],
            tickets: vec![TicketFact { seat: seat.clone(), order: order.clone(), valid: true }],
            holds: vec![HoldFact { hold: "h1".into(), state: HoldState::Sold }],
            orders: vec![OrderFact {
                order: order.clone(),
                state: OrderState::Delivered,
                seats: vec![seat],
                pool_places: 0,
                amount_minor: 5_000,
            }],
            payments: vec![PaymentFact {
                id: "pi_1".into(),
                authorized_minor: 5_000,
                captured_minor: 5_000,
                order: Some(order),
                ..PaymentFact::default()
            }],
        }
    }

    #[test]
    fn balanced_books_have_no_finding() {
        assert_eq!(check(&balanced()), []);
    }

    #[test]
    fn each_difference_is_named() {
        type Break = fn(&mut Books);
        let table: [(Break, &str); 9] = [
            (|b| b.orders.push(OrderFact { order: "o2".into(), ..b.orders[0].clone() }), "SEAT_SOLD_TWICE"),
            (|b| b.seats[0].order = None, "SOLD_SEAT_WITHOUT_ORDER"),
            (|b| b.seats[0].state = SeatState::Free, "ORDERED_SEAT_NOT_SOLD"),
            (|b| b.tickets[0].valid = false, "ORDER_TICKETS_DIFFER"),
            (|b| b.tickets[0].order = "o9".into(), "TICKET_WITHOUT_ORDER"),
            (|b| b.orders[0].state = OrderState::Paying, "ORDER_MID_STEP"),
            (|b| b.holds[0].state = HoldState::Live, "HOLD_LEFT_OVER"),
            (|b| b.payments[0].captured_minor = 0, "PAYMENT_NOT_ENDED"),
            (|b| b.payments[0].captured_minor = 4_999, "MONEY_DIFFERS"),
        ];
        for (change, code) in table {
            let mut books = balanced();
            change(&mut books);
            let codes: Vec<_> = check(&books).into_iter().map(|finding| finding.code).collect();
            assert!(codes.contains(&code), "{code} not among {codes:?}");
        }
    }
}
