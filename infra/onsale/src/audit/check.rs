//! The comparisons, one function each.

use std::collections::HashMap;

use domain::items::{HoldState, SeatState};
use serde::Serialize;

use super::books::{Books, OrderFact, PaymentFact};

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

/// All contradictions; none means that the books balance. Holds and orders under way are no contradiction.
pub fn check(books: &Books) -> Vec<Finding> {
    let checks = [seats_have_orders, tickets_match_orders, payments_end, money_matches];
    checks.iter().flat_map(|check| check(books)).collect()
}

/// Holds and orders that are still under way: normal during an on-sale, a fault after it.
pub fn left_over(books: &Books) -> Vec<Finding> {
    let holds = books.holds.iter().filter(|hold| matches!(hold.state, HoldState::Live | HoldState::Claimed));
    let orders = books.orders.iter().filter(|order| !order.state.is_final());
    let holds = holds.map(|hold| finding("HOLD_LEFT_OVER", &hold.hold));
    holds.chain(orders.map(|order| finding("ORDER_MID_STEP", &order.order))).collect()
}

/// Contradictions and what is left over: an on-sale that is over has neither.
pub fn check_at_rest(books: &Books) -> Vec<Finding> {
    check(books).into_iter().chain(left_over(books)).collect()
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

/// Only an order that is still under way may have money set aside, and every payment has an order.
fn payments_end(books: &Books) -> Vec<Finding> {
    let orders = by_id(books);
    let order_of = |payment: &PaymentFact| payment.order.as_deref().and_then(|id| orders.get(id).copied());
    let mut found = Vec::new();
    for payment in &books.payments {
        let order = order_of(payment);
        if !payment.has_ended() && order.is_none_or(|order| order.state.is_final()) {
            found.push(finding("PAYMENT_NOT_ENDED", &payment.id));
        }
        if payment.captured_minor > payment.refunded_minor && order.is_none() {
            found.push(finding("CAPTURE_WITHOUT_ORDER", &payment.id));
        }
    }
    found
}

/// What an ended order's payments kept is what it costs if it owns seats, and nothing otherwise.
fn money_matches(books: &Books) -> Vec<Finding> {
    let mut kept: HashMap<&str, i64> = HashMap::new();
    for payment in &books.payments {
        let order = payment.order.as_deref().unwrap_or_default();
        *kept.entry(order).or_default() += payment.captured_minor - payment.refunded_minor;
    }
    let ended = books.orders.iter().filter(|order| order.state.is_final());
    let differs = |order: &&OrderFact| kept.get(order.order.as_str()).copied().unwrap_or_default() != due(order);
    ended.filter(differs).map(|order| finding("MONEY_DIFFERS", &order.order)).collect()
}

fn due(order: &OrderFact) -> i64 {
    if order.state.owns_seats() { order.amount_minor } else { 0 }
}

fn by_id(books: &Books) -> HashMap<&str, &OrderFact> {
    books.orders.iter().map(|order| (order.order.as_str(), order)).collect()
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
        assert_eq!(check_at_rest(&balanced()), []);
    }

    #[test]
    fn an_order_under_way_contradicts_nothing() {
        let mut books = balanced();
        books.orders[0].state = OrderState::Confirmed;
        books.payments[0].captured_minor = 0;
        assert_eq!(check(&books), []);
        assert_eq!(left_over(&books), [finding("ORDER_MID_STEP", "o1")]);
    }

    #[test]
    fn each_difference_is_named() {
        type Break = fn(&mut Books);
        let table: [(Break, &str); 10] = [
            (|b| b.orders.push(OrderFact { order: "o2".into(), ..b.orders[0].clone() }), "SEAT_SOLD_TWICE"),
            (|b| b.seats[0].order = None, "SOLD_SEAT_WITHOUT_ORDER"),
            (|b| b.seats[0].state = SeatState::Free, "ORDERED_SEAT_NOT_SOLD"),
            (|b| b.tickets[0].valid = false, "ORDER_TICKETS_DIFFER"),
            (|b| b.tickets[0].order = "o9".into(), "TICKET_WITHOUT_ORDER"),
            (|b| b.orders[0].state = OrderState::Paying, "ORDER_MID_STEP"),
            (|b| b.holds[0].state = HoldState::Live, "HOLD_LEFT_OVER"),
            (|b| b.payments[0].captured_minor = 0, "PAYMENT_NOT_ENDED"),
            (|b| b.payments[0].captured_minor = 4_999, "MONEY_DIFFERS"),
            (|b| b.payments[0].order = None, "CAPTURE_WITHOUT_ORDER"),
        ];
        for (change, code) in table {
            let mut books = balanced();
            change(&mut books);
            let codes: Vec<_> = check_at_rest(&books).into_iter().map(|finding| finding.code).collect();
            assert!(codes.contains(&code), "{code} not among {codes:?}");
        }
    }
}
