//! The booking origin: holds, orders, the pulse and what the payment provider tells, as one function behind a function URL.
//!
//! A request becomes a call, a call becomes facts, `domain` decides, `table` commits. Access tokens are
//! verified again here, although the edge did so before.
//!
//! **It deliberately knows nothing of** the line, cookies, pages, the stream, and DynamoDB's SDK; and it
//! never decides what a seat, a hold or an order may do.

mod access;
mod account;
mod answer;
pub mod app;
mod best;
mod call;
mod cancellation;
mod desk;
mod events;
mod fingerprint;
mod holds;
mod layout;
mod orders;
mod overdue;
mod papers;
mod problem;
mod pulse;
mod route;
mod show;
mod tickets;
mod waiting;
mod webhook;

use std::time::Instant;

use lambda_http::http::HeaderValue;
use lambda_http::{Body, Request, Response};
use tracing::Instrument as _;

use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;
use crate::route::{Action, Route};

/// Answers one request, whatever it is, and writes one line about it.
pub async fn handle(app: &App, request: &Request) -> Response<Body> {
    let (begun, correlation) = (Instant::now(), call::correlation(request));
    let span = tracing::info_span!("call", correlation);
    let (mut response, code) = match dispatch(app, request).instrument(span).await {
        Ok(response) => (response, ""),
        Err(problem) => (problem.response(), problem.kind().1),
    };
    let (status, took_ms) = (response.status().as_u16(), begun.elapsed().as_millis() as u64); // 580 million years
    tracing::info!(correlation, method = %request.method(), route = route::name(request), status, code, took_ms, "answered");
    if let Ok(value) = HeaderValue::from_str(&correlation) {
        response.headers_mut().insert("x-correlation-id", value);
    }
    response
}

async fn dispatch(app: &App, request: &Request) -> Result<Response<Body>, Problem> {
    if route::is_provider_event(request) {
        return webhook::receive(app, request).await;
    }
    if let Some(asked) = route::of_account(request) {
        return account::respond(app, asked, &Call::read(request)?, request.uri().query()).await;
    }
    let Route { event, action } = route::of(request).ok_or(Problem::NotFound)?;
    let call = Call::read(request)?;
    if action.is_fans() {
        // Before the body is looked at: a stranger learns nothing about what would be a good request.
        access::token(app, &event, &call)?;
        call.without_card_numbers(request.uri().query())?;
    }
    match action {
        Action::Pulse => pulse::beat(app, &event, &call).await,
        Action::ListSeats => desk::list(app, &event, &call).await,
        Action::ChangeSeats(deed) => desk::change(app, &event, &call, deed).await,
        Action::Layout => layout::show(app, &event, &call).await,
        Action::TakeHold => holds::take(app, &event, &call).await,
        Action::ShowHold(hold) => holds::show(app, &event, &call, hold).await,
        Action::ReleaseHold(hold) => holds::release(app, &event, &call, hold).await,
        Action::ExtendHold(hold) => holds::extend(app, &event, &call, hold).await,
        Action::PlaceOrder => orders::place(app, &event, &call).await,
        Action::ListOrders => orders::list(app, &event, &call).await,
        Action::Wait => waiting::join(app, &event, &call).await,
        Action::ShowWait => waiting::show(app, &event, &call).await,
        Action::LeaveWait => waiting::leave(app, &event, &call).await,
        Action::ShowOrder(order) => orders::show(app, &event, &call, order).await,
        Action::ShowPapers(order, kind) => papers::show(app, &event, order, kind, request.uri().query()).await,
        Action::CancelOrder(order) => cancellation::begin(app, &event, &call, order).await,
    }
}
