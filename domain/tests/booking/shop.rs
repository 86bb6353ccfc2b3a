//! A small event: eight seats in a row and one pool.

use domain::allot::{self, Change, Mark, Outcome, Reach, Spot};
use domain::hold::{HOLD_MS, Take};
use domain::ids::{AccountId, EventId, HoldId, OrderId};
use domain::items::{Hold, Order, Seat, SeatLine, Share, key};
use domain::order::Claim;
use domain::plan::memory::World;
use domain::pool::{PoolAsk, Portion};
use domain::time::{EventMs, WallMs};

pub const NOW: EventMs = EventMs(1_000_000_000);
pub const WALL: WallMs = WallMs(1_000_000_007);
pub const SEATS: u32 = 8;
pub const LIMIT: u32 = 4;
pub const CARD_LIMIT: u32 = 5;
pub const SHARES: [u32; 2] = [3, 2];

pub fn event() -> EventId {
    "night".parse().unwrap()
}

pub fn account(n: u32) -> AccountId {
    AccountId::derive("test", &n.to_string())
}

pub fn line(n: u32) -> SeatLine {
    let seat = format!("A-1-{n}").parse().unwrap();
    let block = "A".parse().unwrap();
    SeatLine { seat, block, level: "front".into(), price_type: None, price_minor: 5000, fee_minor: 500 }
}

pub fn world() -> World {
    let mut world = World::new();
    for n in 0..SEATS {
        world.put(Seat::fresh(&event(), &line(n).block, &line(n).seat, "front", n, 0).to_item());
    }
    for (n, places) in (0..).zip(SHARES) {
        world.put(Share::fresh(&event(), &floor(0).pool, n, places, "standing").to_item());
    }
    world
}

pub fn floor(quantity: u32) -> PoolAsk {
    let pool = "floor".parse().unwrap();
    PoolAsk {
        pool,
        level: "standing".into(),
        portions: vec![Portion { price_type: None, quantity, price_minor: 3000, fee_minor: 0 }],
        order: vec![0, 1],
        seen: Default::default(),
    }
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
        limit: LIMIT,
        now: NOW,
        hold_ms: HOLD_MS,
        fingerprint: format!("{seats:?}"),
        keep_until: WallMs(2_000_000_000_000),
        lost: vec![],
        paced: None,
    }
}

pub fn claim(hold: Hold, key: &str, now: EventMs) -> Claim {
    let order = OrderId::derive(&hold.account, key);
    let (account, fingerprint) = (hold.account, hold.id.to_string());
    Claim {
        account,
        hold,
        order,
        method: "pm_card_visa".into(),
        limit: LIMIT,
        now,
        created: WallMs(now.0),
        fingerprint,
        counted: true,
    }
}

pub fn hold(world: &World, id: &HoldId) -> Hold {
    Hold::from_item(world.get(&key::hold(id)).unwrap()).unwrap()
}

pub fn order(world: &World, id: &OrderId) -> Order {
    Order::from_item(world.get(&key::order(id)).unwrap()).unwrap()
}

pub fn seat(world: &World, n: u32) -> Seat {
    Seat::from_item(world.get(&key::seat(&event(), &line(n).block, &line(n).seat)).unwrap()).unwrap()
}

/// A hold of these seats, made.
pub fn held(world: &mut World, who: u32, key: &str, seats: &[u32]) -> Hold {
    let take = take(who, key, seats);
    world.decide(take.clone()).unwrap();
    hold(world, &take.hold)
}

/// An order for a hold, claimed, with a stored intent.
pub fn paying(world: &mut World, hold: Hold, key: &str) -> Order {
    let claim = claim(hold, key, NOW);
    world.decide(claim.clone()).unwrap();
    let order = order(world, &claim.order);
    let store = domain::order::StoreIntent { intent: format!("pi_{key}"), order, now: NOW };
    world.decide(store).unwrap();
    self::order(world, &claim.order)
}

/// Blocks a seat, whoever has it, or frees a blocked one; a sold one stays as it is. Answers whether it did.
pub fn block(world: &mut World, n: u32, change: Change) -> bool {
    let spot = Spot { seat: line(n).seat, block: line(n).block, from: None };
    let (mut mark, mut outcome) = (Mark { event: event(), change, spots: vec![spot], now: NOW }, Outcome::default());
    loop {
        let Err(findings) = world.decide(mark.clone()) else { return true };
        let Some(next) = allot::sort(&mark, findings, Reach::HeldToo, &mut outcome) else { return false };
        mark = next;
    }
}

/// The change that blocks.
pub fn broken() -> Change {
    Change::Block("broken".parse().unwrap())
}
