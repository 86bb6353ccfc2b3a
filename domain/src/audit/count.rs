//! What accounts and cards are charged with.

use super::{Code, Finding};
use crate::items::{CardUse, Order, OrderState, Usage};

/// An account's count with all its orders of the event.
#[must_use]
pub fn usage<'a>(usage: &Usage, orders: impl Iterator<Item = &'a Order>) -> Option<Finding> {
    let places: u32 = orders.filter(|order| is_counted(order.state)).map(|order| order.places.count()).sum();
    let note = || format!("{} counted, its orders have {places}", usage.committed);
    let differs = usage.committed != places;
    differs.then(|| Finding::new(Code::UsageDiffers, format!("account {}", usage.account), note()))
}

/// From the claim until the places are given back.
const fn is_counted(state: OrderState) -> bool {
    matches!(state, OrderState::Paying | OrderState::Voiding) || state.owns_seats()
}

/// A card's count with all orders of the event that it paid.
#[must_use]
pub fn card<'a>(card: &CardUse, orders: impl Iterator<Item = &'a Order>) -> Option<Finding> {
    let places: u32 = orders.filter(|order| order.state.owns_seats()).map(|order| order.places.count()).sum();
    let note = || format!("{} counted, orders that it paid have {places}", card.bought);
    let differs = card.bought != places;
    differs.then(|| Finding::new(Code::CardUseDiffers, format!("card {}", card.fingerprint), note()))
}
