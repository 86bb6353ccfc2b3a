//! Documents of an order, opened by a link: a page, a PDF, a calendar file.

use checkout::wall_now;
use documents::{Papers, Signer, calendar, page, pdf};
use domain::ids::{EventId, OrderId};
use domain::items::Order;
use domain::keys::KeyKind;
use domain::token::{DocumentToken, Token as _};
use lambda_http::{Body, Response};

use crate::answer::document;
use crate::app::App;
use crate::problem::Problem;
use crate::route::Kind;

/// Shows a document. The link alone says who may read it, as long as the order has its places.
pub async fn show(
    app: &App,
    event: &EventId,
    id: OrderId,
    kind: Kind,
    query: Option<&str>,
) -> Result<Response<Body>, Problem> {
    let order = linked(app, event, id, query).await?;
    let papers = of(app, event, &order).await?;
    let file = |shown: &str| format!("{shown}; filename=\"{event}-{}\"", kind.file());
    Ok(match kind {
        Kind::Page => document("text/html; charset=utf-8", "inline", page(&papers).into_bytes()),
        Kind::Pdf => document("application/pdf", &file("attachment"), drawn(&papers)?),
        Kind::Calendar => {
            let text = calendar(&papers).ok_or(Problem::NotFound)?;
            document("text/calendar; charset=utf-8", &file("attachment"), text.into_bytes())
        }
    })
}

/// The order that a link opens. Ladder: authentic, in its time, not revoked, and the order still has its places.
async fn linked(app: &App, event: &EventId, id: OrderId, query: Option<&str>) -> Result<Order, Problem> {
    let shown = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("link=")));
    let token = shown.and_then(|text| DocumentToken::decode(text, &app.keys, event).ok());
    let token = token.filter(|token| token.opens(&id, wall_now())).ok_or(Problem::LinkEnded)?;
    let clock = app.table.clock(event).await?.ok_or(Problem::Unavailable)?;
    let order = app.table.order(&id).await?.filter(|_| token.rev >= clock.rev);
    let own = order.filter(|order| order.account == token.account && order.event == *event);
    own.filter(|order| order.state.owns_seats()).ok_or(Problem::LinkEnded)
}

/// What the documents of an order say.
pub async fn of(app: &App, event: &EventId, order: &Order) -> Result<Papers, Problem> {
    let tickets = app.checkout.tickets(order).await?;
    let known = app.events.get(&app.table, event).await?;
    let signer = Signer { key_id: app.keys.signing_id(), seed: app.keys.signing_key(KeyKind::Ticket, event) };
    let plan = (&known.venue.layout, &known.venue.index);
    Ok(Papers::of(&known.definition, plan, order, &tickets, &signer))
}

fn drawn(papers: &Papers) -> Result<Vec<u8>, Problem> {
    pdf(papers).map_err(|error| {
        tracing::error!(order = %papers.order, %error, "a PDF was not drawn");
        Problem::Internal
    })
}
