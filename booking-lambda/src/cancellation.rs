//! Giving an order back: as a whole, some of its seats, or a payment that is still under way.

use domain::ids::{EventId, OrderId, SeatId};
use domain::items::{Order, OrderState, VoidReason};
use domain::order::{BeginCancel, BeginPart, Moved, PartRefusal, Void};
use lambda_http::{Body, Response};
use serde::Deserialize;
use table::DecideError;

use crate::access::Visitor;
use crate::answer::{inconsistent, json as answer};
use crate::app::App;
use crate::call::Call;
use crate::orders::{own, terms, unpaid};
use crate::problem::Problem;
use crate::show;

/// Which seats go back; without a body, or without seats, the whole order.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    #[serde(default)]
    seats: Vec<SeatId>,
}

/// Stores its fan's wish; the stream does the rest. Asking again changes nothing.
pub async fn begin(app: &App, event: &EventId, call: &Call, id: OrderId) -> Result<Response<Body>, Problem> {
    call.key()?;
    let which: Which = if call.body().is_empty() { Which::default() } else { call.json()? };
    let (visitor, order) = own(app, event, call, id).await?;
    match order.state {
        OrderState::Paying | OrderState::Voiding => give_up(app, event, &visitor, order).await?,
        OrderState::Cancelling | OrderState::Cancelled | OrderState::Refunded => {}
        _ if !may_cancel(app, event).await? => return Err(Problem::CancellationClosed),
        _ if which.seats.is_empty() => whole(app, &visitor, order).await?,
        _ => part(app, event, &visitor, order, which.seats).await?,
    }
    let order = app.table.order(&id).await?.ok_or(Problem::NotFound)?;
    Ok(answer(if order.state.is_final() { 200 } else { 202 }, &show::order(&order)))
}

/// Whether this event's fans may give back what they bought.
pub async fn may_cancel(app: &App, event: &EventId) -> Result<bool, Problem> {
    Ok(!app.events.get(&app.table, event).await?.definition.limits.final_sale)
}

/// The fan wants to pay in another way, say because the bank's page does not come: the authorization ends, the hold lives on.
async fn give_up(app: &App, event: &EventId, visitor: &Visitor, order: Order) -> Result<(), Problem> {
    let terms = terms(app, event, visitor).await?;
    let rule = Void { order: order.clone(), reason: VoidReason::GivenUp, now: visitor.now() };
    match app.table.decide(rule).await {
        Ok(_) | Err(DecideError::Refused(Moved::To(_))) => {}
        Err(error) => return Err(not_cancelled(error)),
    }
    let order = app.table.order(&order.id).await?.ok_or(Problem::NotFound)?;
    app.checkout.settle_answer(order, &terms).await.map(drop).map_err(unpaid)
}

async fn whole(app: &App, visitor: &Visitor, order: Order) -> Result<(), Problem> {
    let rule = BeginCancel { order, account: visitor.account, now: visitor.now() };
    app.table.decide(rule).await.map(drop).map_err(not_cancelled)
}

/// An order whose tickets are not sent yet is carried on first, as the stream would: its money must be taken before a part of it
/// can go back.
async fn part(
    app: &App,
    event: &EventId,
    visitor: &Visitor,
    mut order: Order,
    seats: Vec<SeatId>,
) -> Result<(), Problem> {
    if matches!(order.state, OrderState::Confirmed | OrderState::Captured) {
        let terms = terms(app, event, visitor).await?;
        order = app.checkout.advance(&order.id, &terms).await?;
    }
    let rule = BeginPart { order: order.clone(), account: visitor.account, seats, now: visitor.now() };
    if rule.is_done() {
        return Ok(());
    }
    match app.table.decide(rule).await {
        Ok(_) => Ok(()),
        Err(DecideError::Table(error)) => Err(error.into()),
        Err(DecideError::Refused(PartRefusal::Whole)) => whole(app, visitor, order).await,
        Err(DecideError::Refused(refusal)) => Err(not_reduced(refusal)),
    }
}

fn not_reduced(refusal: PartRefusal) -> Problem {
    match refusal {
        PartRefusal::NotYours => Problem::NotFound,
        PartRefusal::SeatUnknown(seats) => Problem::SeatUnknown(seats),
        PartRefusal::Moved(_) | PartRefusal::Whole => Problem::NotCancellable,
        refusal @ PartRefusal::Inconsistent => inconsistent(&refusal),
    }
}

fn not_cancelled(error: DecideError<Moved>) -> Problem {
    match error {
        DecideError::Table(error) => error.into(),
        DecideError::Refused(Moved::NotYours) => Problem::NotFound,
        DecideError::Refused(Moved::To(_)) => Problem::NotCancellable,
        DecideError::Refused(moved @ Moved::Inconsistent) => inconsistent(&moved),
    }
}
