//! Tickets as their fan sees them: what the gate reads, and the same as a QR code.

use domain::ids::EventId;
use domain::items::{Order, Ticket};
use domain::keys::KeyKind;
use domain::ticket::TicketContent;
use serde_json::{Value, json};

use crate::app::App;
use crate::cancellation::may_cancel;
use crate::problem::Problem;
use crate::{qr, show};

/// An order with its tickets; none while it is not sold.
///
/// # Errors
/// The table failed, or tickets are missing.
pub async fn with_tickets(app: &App, event: &EventId, order: &Order) -> Result<Value, Problem> {
    let mut view = show::order(order);
    let tickets = if order.state.owns_seats() { app.checkout.tickets(order).await? } else { Vec::new() };
    let views = names(order).into_iter().zip(&tickets).map(|(name, ticket)| view_of(app, event, name, ticket));
    view["tickets"] = views.collect();
    view["may_cancel"] = json!(order.state.owns_seats() && may_cancel(app, event).await?);
    Ok(view)
}

fn view_of(app: &App, event: &EventId, name: String, ticket: &Ticket) -> Value {
    let seed = app.keys.signing_key(KeyKind::Ticket, event);
    let content = TicketContent {
        key_id: app.keys.signing_id(),
        event: event.clone(),
        seat: name,
        order: ticket.order,
        revision: ticket.revision,
    };
    let payload = content.sign(&seed);
    json!({"seat": content.seat, "revision": ticket.revision, "qr_svg": qr::svg(&payload), "payload": payload})
}

/// What each ticket is for, in the order of `domain::order::ticket_keys`: a seat, or `pool/n`.
fn names(order: &Order) -> Vec<String> {
    let mut names: Vec<String> = order.places.seats.iter().map(|line| line.seat.to_string()).collect();
    for group in order.places.pools.chunk_by(|a, b| a.pool == b.pool) {
        let quantity: u32 = group.iter().map(|line| line.quantity).sum();
        let pool = group.first().map(|line| line.pool.to_string()).unwrap_or_default(); // a chunk is never empty
        names.extend((1..=quantity).map(|n| format!("{pool}/{n}")));
    }
    names
}
