//! Tickets as their fan sees them: what the gate reads, the same as a QR code, and links to documents.

use checkout::wall_now;
use documents::{Paper, qr};
use domain::ids::EventId;
use domain::items::Order;
use domain::token::{DocumentToken, Token as _};
use serde_json::{Value, json};

use crate::access::Visitor;
use crate::app::App;
use crate::cancellation::may_cancel;
use crate::problem::Problem;
use crate::route::Kind;
use crate::{papers, show};

/// An order with its tickets; none while it is not sold.
///
/// # Errors
/// The table failed, or tickets are missing.
pub async fn with_tickets(app: &App, event: &EventId, visitor: &Visitor, order: &Order) -> Result<Value, Problem> {
    let mut view = show::order(order);
    view["tickets"] = json!([]);
    view["may_cancel"] = json!(false);
    if order.state.owns_seats() {
        let papers = papers::of(app, event, order).await?;
        view["tickets"] = papers.tickets.iter().map(view_of).collect();
        view["may_cancel"] = json!(may_cancel(app, event).await?);
        view["documents"] = links(app, event, visitor.rev, order, papers.starts.is_some());
    }
    Ok(view)
}

fn view_of(paper: &Paper) -> Value {
    json!({
        "seat": paper.place, "revision": paper.revision, "entrance": paper.entrance,
        "qr_svg": qr::svg(&paper.payload), "payload": paper.payload,
    })
}

/// Links to the order's documents. A show whose start nobody told is in no calendar.
pub(crate) fn links(app: &App, event: &EventId, rev: u32, order: &Order, dated: bool) -> Value {
    let token = DocumentToken::issue(order.account, order.id, rev, wall_now());
    let text = token.encode(&app.keys, event);
    let link = |kind: Kind| format!("/v1/events/{event}/orders/{}/{}?link={text}", order.id, kind.file());
    json!({
        "page": link(Kind::Page), "pdf": link(Kind::Pdf), "calendar": dated.then(|| link(Kind::Calendar)),
        "until_ms": token.expires,
    })
}
