//! A small event, and wishes for its seats.

use domain::hold::{HOLD_MS, Take};
use domain::ids::{AccountId, EventId, HoldId};
use domain::items::{Seat, SeatLine, Share};
use domain::pool::{PoolAsk, Portion};
use domain::time::{EventMs, WallMs};
use table::Table;

pub const NOW: EventMs = EventMs(1_000_000);

pub fn event() -> EventId {
    "night".parse().unwrap()
}

pub fn account(n: u32) -> AccountId {
    AccountId::derive("test", &n.to_string())
}

pub fn line(n: u32) -> SeatLine {
    SeatLine {
        seat: format!("A-1-{n}").parse().unwrap(),
        block: "A".parse().unwrap(),
        level: "front".into(),
        price_type: None,
        price_minor: 5000,
        fee_minor: 500,
    }
}

/// Writes seats `A-1-0` … and one pool share.
pub async fn stock(table: &Table, seats: u32, places: u32) {
    let mut items: Vec<_> =
        (0..seats).map(|n| Seat::fresh(&event(), &line(n).block, &line(n).seat, "front", n, 0).to_item()).collect();
    items.push(Share::fresh(&event(), &"floor".parse().unwrap(), 0, places, "standing").to_item());
    table.put_all(&items, &mut |_, _| ()).await.unwrap();
}

pub fn take(who: u32, key: &str, seats: &[u32]) -> Take {
    Take {
        event: event(),
        account: account(who),
        hold: HoldId::derive(&account(who), key),
        seats: seats.iter().map(|n| line(*n)).collect(),
        pools: vec![],
        channels: vec![],
        currency: "EUR".into(),
        replaces: None,
        limit: 6,
        now: NOW,
        hold_ms: HOLD_MS,
        fingerprint: format!("{seats:?}"),
        keep_until: WallMs(2_000_000_000_000),
        lost: vec![],
        paced: None,
    }
}

pub fn floor(quantity: u32) -> PoolAsk {
    PoolAsk {
        pool: "floor".parse().unwrap(),
        level: "standing".into(),
        portions: vec![Portion { price_type: None, quantity, price_minor: 3000, fee_minor: 0 }],
        order: vec![0],
        seen: Default::default(),
    }
}
