//! What must be true of the books at the end of every test.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use domain::items::{HoldState, Order, OrderState, Seat, SeatState, TicketState};
use onsale::payments::Money;

use crate::bench::Bench;

/// Money and seats agree: every authorization ended once, captured exactly if its order is sold; every sold seat has one
/// valid ticket of its order, every other seat is free.
pub async fn balanced(bench: &Bench) -> Result<()> {
    let items = bench.table.scan().await?;
    let orders: Vec<Order> = items.iter().filter_map(|item| Order::from_item(item).ok()).collect();
    money(bench, &orders)?;
    for order in &orders {
        ensure!(order.state.is_final(), "order {} is {}", order.id, order.state);
    }
    for seat in items.iter().filter_map(|item| Seat::from_item(item).ok()) {
        seat_is_right(bench, &seat, &orders).await?;
    }
    let live = items
        .iter()
        .filter_map(|item| domain::items::Hold::from_item(item).ok())
        .filter(|hold| hold.state == HoldState::Claimed);
    ensure!(live.count() == 0, "a hold is still claimed");
    Ok(())
}

fn money(bench: &Bench, orders: &[Order]) -> Result<()> {
    let mut intents: BTreeMap<String, Vec<Money>> = BTreeMap::new();
    let mut captured: BTreeMap<String, usize> = BTreeMap::new();
    for movement in bench.payments.movements() {
        if movement.kind == Money::Capture {
            *captured.entry(movement.order.clone().unwrap_or_default()).or_default() += 1;
        }
        if movement.kind != Money::Decline {
            intents.entry(movement.intent).or_default().push(movement.kind);
        }
    }
    for (intent, moves) in &intents {
        let ended = [
            [Money::Authorize, Money::Capture].as_slice(),
            &[Money::Authorize, Money::Void],
            &[Money::Authorize, Money::Capture, Money::Refund],
        ];
        ensure!(ended.contains(&moves.as_slice()), "{intent}: {moves:?}");
    }
    for order in orders {
        let times = captured.get(&order.id.to_string()).copied().unwrap_or(0);
        let expect = usize::from(matches!(order.state, OrderState::Delivered | OrderState::Refunded));
        ensure!(
            order.state == OrderState::Cancelled || times == expect,
            "order {} is {} and captured {times} times",
            order.id,
            order.state
        );
    }
    Ok(())
}

async fn seat_is_right(bench: &Bench, seat: &Seat, orders: &[Order]) -> Result<()> {
    let key = domain::items::key::ticket(&bench.event, &seat.block, &seat.seat);
    let ticket = bench.table.get(&key).await?.map(|item| domain::items::Ticket::from_item(&item)).transpose()?;
    let valid = ticket.filter(|ticket| ticket.state == TicketState::Valid).map(|ticket| ticket.order);
    let owner = orders
        .iter()
        .find(|order| order.state.owns_seats() && order.places.seats.iter().any(|line| line.seat == seat.seat));
    ensure!(valid == owner.map(|order| order.id), "{}: ticket of {valid:?}", seat.seat);
    ensure!(seat.order == valid, "{}: sold to {:?}", seat.seat, seat.order);
    let right = if owner.is_some() {
        seat.state == SeatState::Sold
    } else {
        matches!(seat.state, SeatState::Free | SeatState::Held)
    };
    ensure!(right, "{} is {}", seat.seat, seat.state);
    Ok(())
}
