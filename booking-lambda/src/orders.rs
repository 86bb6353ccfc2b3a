//! Orders: placing, showing, listing.

use checkout::{Carried, PayError, Terms, wall_now};
use domain::door::mail::address;
use domain::ids::{EventId, HoldId, OrderId};
use domain::items::{Contact, Order, OrderState};
use domain::notes;
use domain::order::{Claim, ClaimRefusal};
use domain::provider::{BadMethod, PaymentMethod};
use lambda_http::{Body, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{Visitor, visitor};
use crate::answer::{inconsistent, json as answer};
use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;
use crate::{fingerprint, holds, show, tickets};

/// What is to be paid, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    hold: HoldId,
    #[serde(rename = "paymentMethod")]
    method: String,
    #[serde(default)]
    mail: Option<String>,
}

/// Pays a hold. The same request again is answered with the same order.
pub async fn place(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let (key, wish): (&str, Wish) = (call.key()?, call.json()?);
    let method = wish.method.parse().map_err(bad_method)?;
    let mail = wish.mail.as_deref().map(|text| address(text).ok_or(Problem::MailAddress)).transpose()?;
    let visitor = visitor(app, event, call).await?;
    let id = OrderId::derive(&visitor.account, key);
    let print = fingerprint::of(event, "orders", call.body());
    let terms = terms(app, event, &visitor).await?;
    let carried = match app.table.order(&id).await? {
        Some(placed) if placed.fingerprint != print => return Err(Problem::IdempotencyMismatch),
        Some(placed) => app.checkout.settle_answer(placed, &terms).await.map_err(unpaid)?,
        None => {
            let claim = claim(app, event, call, wish.hold, (id, method, print)).await?;
            contact(app, event, id, mail).await?;
            app.checkout.pay(claim, &terms).await.map_err(unpaid)?
        }
    };
    outcome(app, event, &visitor, carried).await
}

fn bad_method(bad: BadMethod) -> Problem {
    match bad {
        BadMethod::CardNumber => Problem::CardNumber,
        BadMethod::Shape => Problem::PaymentMethod,
    }
}

/// The terms under which an order of this event is carried on.
pub async fn terms(app: &App, event: &EventId, visitor: &Visitor) -> Result<Terms, Problem> {
    let event = app.events.get(&app.table, event).await?;
    Ok(Terms { clock: visitor.clock, card_limit: Some(event.definition.limits.per_card) })
}

/// Notes where the tickets go to, before there is an order: whoever sends them finds it. Without the order it means nothing.
async fn contact(app: &App, event: &EventId, order: OrderId, mail: Option<String>) -> Result<(), Problem> {
    let Some(to) = mail else { return Ok(()) };
    let keep_until = app.events.get(&app.table, event).await?.definition.keep_until();
    let contact = Contact { event: event.clone(), order, to, keep_until };
    Ok(app.table.note(&notes::contact(&contact)).await?)
}

async fn claim(
    app: &App,
    event: &EventId,
    call: &Call,
    hold: HoldId,
    order: (OrderId, PaymentMethod, String),
) -> Result<Claim, Problem> {
    let (visitor, hold) = holds::own(app, event, call, hold).await?;
    let limit = app.events.get(&app.table, event).await?.definition.limits.per_account;
    let (id, method, fingerprint) = order;
    Ok(Claim {
        hold,
        account: visitor.account,
        order: id,
        method: method.to_string(),
        limit,
        now: visitor.now(),
        created: wall_now(),
        fingerprint,
        counted: true,
    })
}

/// Why nothing was paid, as a problem.
pub fn unpaid(error: PayError) -> Problem {
    let refusal = match error {
        PayError::Unfinished(unfinished) => return unfinished.into(),
        PayError::Claim(refusal) => refusal,
    };
    match refusal {
        ClaimRefusal::NotYours => Problem::NotFound,
        ClaimRefusal::Mismatch => Problem::IdempotencyMismatch,
        ClaimRefusal::BeingPaid(_) | ClaimRefusal::Sold(_) => Problem::HoldBeingPaid,
        ClaimRefusal::SeatsGone(seats) => Problem::SeatsGone(seats),
        ClaimRefusal::TooManyAttempts => Problem::TooManyAttempts,
        ClaimRefusal::LimitExceeded { limit, committed } => Problem::LimitExceeded { limit, committed },
        refusal @ ClaimRefusal::Inconsistent => inconsistent(&refusal),
    }
}

/// What the fan is told of an order that was just carried on.
async fn outcome(app: &App, event: &EventId, visitor: &Visitor, carried: Carried) -> Result<Response<Body>, Problem> {
    let Carried { order, action } = carried;
    match order.state {
        OrderState::Paying | OrderState::Voiding => Ok(answer(202, &show::paying(&order, action.as_deref()))),
        OrderState::Declined => Err(declined(app, event, &order).await?),
        OrderState::SeatsGone | OrderState::Abandoned => Err(Problem::SeatsGone(seats(&order))),
        OrderState::Cancelling | OrderState::Cancelled | OrderState::Refunded => Ok(answer(201, &show::order(&order))),
        OrderState::CaptureFailed | OrderState::Released => Err(declined(app, event, &order).await?),
        OrderState::Confirmed | OrderState::Captured | OrderState::Delivered | OrderState::Reducing => {
            Ok(answer(201, &tickets::with_tickets(app, event, visitor, &order).await?))
        }
    }
}

async fn declined(app: &App, event: &EventId, order: &Order) -> Result<Problem, Problem> {
    Ok(match order.decline.as_deref() {
        Some("card_limit") => Problem::CardLimit(app.events.get(&app.table, event).await?.definition.limits.per_card),
        code => Problem::PaymentDeclined(code.unwrap_or("declined").to_owned()),
    })
}

/// The seats that the order lost, as far as that is known; else all that it was about.
fn seats(order: &Order) -> Vec<domain::ids::SeatId> {
    if !order.lost.is_empty() {
        return order.lost.clone();
    }
    order.places.seats.iter().map(|line| line.seat.clone()).collect()
}

/// Shows an order to its fan, with its tickets once it is sold. An order that is still being paid is carried on first, so
/// that asking again is all that a fan with a slow card has to do.
pub async fn show(app: &App, event: &EventId, call: &Call, id: OrderId) -> Result<Response<Body>, Problem> {
    let (visitor, mut order) = own(app, event, call, id).await?;
    if matches!(order.state, OrderState::Paying | OrderState::Voiding) {
        let terms = terms(app, event, &visitor).await?;
        let carried = app.checkout.settle_answer(order, &terms).await.map_err(unpaid)?;
        if matches!(carried.order.state, OrderState::Paying | OrderState::Voiding) {
            return Ok(answer(200, &show::paying(&carried.order, carried.action.as_deref())));
        }
        order = carried.order;
    }
    Ok(answer(200, &tickets::with_tickets(app, event, &visitor, &order).await?))
}

/// The fan's orders of this event, newest first.
pub async fn list(app: &App, event: &EventId, call: &Call) -> Result<Response<Body>, Problem> {
    let visitor = visitor(app, event, call).await?;
    let orders = app.table.orders_of(&visitor.account).await?;
    let orders: Vec<Value> = orders.iter().filter(|order| order.event == *event).map(show::order).collect();
    visitor.or_has(!orders.is_empty())?;
    Ok(answer(200, &json!({"orders": orders})))
}

/// The caller and their order. Somebody else's is as good as none. An order keeps its fan's session good for what
/// concerns it, so that tickets can be seen when the turn has passed.
pub async fn own(app: &App, event: &EventId, call: &Call, id: OrderId) -> Result<(Visitor, Order), Problem> {
    let visitor = visitor(app, event, call).await?;
    let order = app.table.order(&id).await?;
    let own = order.filter(|order| order.account == visitor.account && order.event == *event);
    visitor.or_has(own.is_some())?;
    Ok((visitor, own.ok_or(Problem::NotFound)?))
}
