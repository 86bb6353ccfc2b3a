//! The audit: nothing in what the rules write, and each kind of harm by its name.

use std::collections::BTreeSet;

use crate::shop::*;
use domain::audit::{self, Books, Code};
use domain::hold::Take;
use domain::ids::OrderId;
use domain::items::{Order, Usage, attr, key};
use domain::order::{CardLimit, Deliver, MarkCaptured, Sell, ticket_keys};
use domain::plan::memory::World;
use domain::plan::{Cond, Item, Key, Plan, Value, Write};
use domain::provider::{Intent, Status};
use domain::time::EventMs;

/// A table and what the provider lists.
struct Shop {
    world: World,
    payments: Vec<Intent>,
}

/// Two seats and two standing places sold and delivered, a live hold, and an order that is being paid.
fn shop() -> Shop {
    let mut world = world();
    let take = Take { pools: vec![floor(2)], ..take(1, "a", &[0, 1]) };
    world.decide(take.clone()).unwrap();
    let held_ones = hold(&world, &take.hold);
    let sold = paying(&mut world, held_ones, "o");
    let card = Some(CardLimit { fingerprint: "card".into(), limit: CARD_LIMIT });
    world.decide(Sell { order: sold.clone(), card, now: NOW, wall: WALL }).unwrap();
    world.decide(MarkCaptured { order: order(&world, &sold.id), now: NOW, wall: WALL }).unwrap();
    world.decide(Deliver { order: order(&world, &sold.id), now: NOW }).unwrap();
    held(&mut world, 2, "b", &[2]);
    let claimed = held(&mut world, 3, "c", &[3]);
    let open = paying(&mut world, claimed, "p");
    let payments = vec![taken(&sold, "pi_o"), payment(&open, "pi_p", Status::RequiresCapture)];
    Shop { world, payments }
}

fn payment(order: &Order, id: &str, status: Status) -> Intent {
    Intent {
        id: id.to_owned(),
        status,
        amount_minor: order.total_minor,
        authorized_minor: order.total_minor,
        received_minor: 0,
        refunded_minor: Some(0),
        currency: order.currency.clone(),
        order: Some(order.id.to_string()),
        decline_code: None,
        fingerprint: None,
        action: None,
    }
}

fn taken(order: &Order, id: &str) -> Intent {
    Intent { received_minor: order.total_minor, ..payment(order, id, Status::Succeeded) }
}

impl Shop {
    fn sold(&self) -> Order {
        order(&self.world, &OrderId::derive(&account(1), "o"))
    }

    fn change(&mut self, key: &Key, change: impl FnOnce(&mut Item)) {
        let mut item = self.world.get(key).cloned().unwrap();
        change(&mut item);
        self.world.put(item);
    }

    fn set(&mut self, key: &Key, name: &str, value: impl Into<Value>) {
        self.change(key, |item| drop(item.insert(name.to_owned(), value.into())));
    }

    fn add(&mut self, key: &Key, name: &str, by: i64) {
        let before = self.world.get(key).and_then(|item| item[name].as_i64()).unwrap();
        self.set(key, name, before + by);
    }

    fn books(&self) -> Books {
        let items: Vec<Item> = self.world.items().cloned().collect();
        Books::of(&event(), &items, self.payments.clone())
    }

    fn codes(&self) -> BTreeSet<Code> {
        audit::check(&self.books()).into_iter().map(|finding| finding.code).collect()
    }
}

fn seat_key(n: u32) -> Key {
    key::seat(&event(), &line(n).block, &line(n).seat)
}

fn ticket_key(shop: &Shop, n: usize) -> Key {
    ticket_keys(&shop.sold())[n].clone()
}

/// An order of somebody else that claims to own the same places.
fn forged(shop: &mut Shop) {
    let order = Order { id: OrderId::derive(&account(9), "x"), ..shop.sold() };
    shop.world.put(order.to_item());
}

fn without_order(shop: &mut Shop) {
    let key = key::order(&shop.sold().id);
    shop.world.commit(&Plan::new(vec![Write::delete(key, Cond::Exists)])).unwrap();
}

/// What must be found, and what is done to the shop.
type Harm = (Code, fn(&mut Shop));

const HARM: [Harm; 20] = [
    (Code::SeatSoldTwice, forged),
    (Code::SoldSeatWithoutOrder, |s| s.change(&seat_key(0), |item| drop(item.remove(attr::ORDER)))),
    (Code::OrderedSeatNotSold, |s| s.set(&seat_key(0), attr::STATE, "free")),
    (Code::KeptSeatWithoutHold, |s| s.set(&key::hold(&held_by(s, 2)), attr::STATE, "released")),
    (Code::KeptSeatWithoutHold, |s| s.set(&seat_key(3), attr::STATE, "held")),
    (Code::TicketWithoutOrder, |s| {
        s.set(&ticket_key(s, 0), attr::ORDER, OrderId::derive(&account(9), "x").to_string())
    }),
    (Code::OrderTicketsDiffer, |s| s.set(&ticket_key(s, 0), attr::STATE, "void")),
    (Code::HoldWithoutOrder, |s| s.set(&key::order(&OrderId::derive(&account(3), "p")), attr::STATE, "abandoned")),
    (Code::PoolCountsDiffer, |s| s.add(&key::share(&event(), &floor(0).pool, 0), attr::CAPACITY, 1)),
    (Code::PoolSoldDiffers, |s| s.set(&ticket_key(s, 2), attr::STATE, "void")),
    (Code::UsageDiffers, |s| s.add(&key::usage(&account(1), &event()), attr::COMMITTED, 1)),
    (Code::CardUseDiffers, |s| s.add(&key::card("card", &event()), attr::NUMBER, -1)),
    (Code::LedgerDiffers, |s| s.add(&key::ledger(&s.sold().id, 2), attr::AMOUNT, -1)),
    (Code::LedgerWithoutOrder, without_order),
    (Code::ProviderDiffers, |s| s.payments[0].refunded_minor = Some(100)),
    (Code::MoneyDiffers, |s| s.payments.push(taken(&s.sold(), "pi_again"))),
    (Code::PaymentMissing, |s| drop(s.payments.remove(0))),
    (Code::PaymentNotEnded, |s| s.payments.push(payment(&s.sold(), "pi_again", Status::RequiresAction))),
    (Code::CaptureWithoutOrder, |s| s.payments.push(Intent { order: None, ..taken(&s.sold(), "pi_stray") })),
    (Code::Unreadable, |s| s.set(&seat_key(5), attr::STATE, "odd")),
];

fn held_by(shop: &Shop, who: u32) -> domain::ids::HoldId {
    let usage = shop.world.get(&key::usage(&account(who), &event())).unwrap();
    Usage::from_item(usage).unwrap().hold.unwrap().0
}

#[test]
fn a_shop_that_only_rules_wrote_has_no_finding() {
    let shop = shop();
    assert_eq!(audit::check(&shop.books()), []);
    let left: Vec<Code> = audit::left_over(&shop.books()).into_iter().map(|finding| finding.code).collect();
    assert_eq!(
        left,
        [Code::HoldLeftOver, Code::HoldLeftOver, Code::OrderMidStep],
        "what is under way is counted apart"
    );
}

#[test]
fn each_kind_of_harm_is_found() {
    for (code, harm) in HARM {
        let mut shop = shop();
        harm(&mut shop);
        assert!(shop.codes().contains(&code), "{code} is not among {:?}", shop.codes());
    }
}

/// What the walk alone sees, and what an event's definition says.
#[test]
fn every_code_is_shown_by_some_harm() {
    let mut shown: BTreeSet<Code> = HARM.iter().map(|(code, _)| *code).collect();
    let shop = shop();
    let live = hold(&shop.world, &held_by(&shop, 2));
    let late = |ms| audit::hold(&live, None, live.until.plus(ms)).map(|finding| finding.code);
    assert_eq!((late(60 * 60 * 1000), late(60 * 60 * 1000 + 1)), (None, Some(Code::HoldLeftOver)));
    let section = "A".parse().unwrap();
    assert_eq!(audit::section(&section, 8, 8), None);
    assert_eq!(audit::section(&section, 7, 8).map(|finding| finding.code), Some(Code::CapacityDiffers));
    let pool = audit::pool(&floor(0).pool, &[], 0, Some(5));
    assert_eq!(pool.into_iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::CapacityDiffers]);
    shown.extend([Code::HoldLeftOver, Code::OrderMidStep, Code::CapacityDiffers]);
    let missing: Vec<&Code> = Code::ALL.iter().filter(|code| !shown.contains(code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// An overdue hold that was taken over keeps nothing, and that is no harm.
#[test]
fn a_seat_that_was_taken_over_is_no_finding() {
    let mut shop = shop();
    let old = hold(&shop.world, &held_by(&shop, 2));
    let again = Take { now: EventMs(old.until.0 + 1), ..take(4, "d", &[2]) };
    shop.world.decide(again).unwrap();
    assert_eq!(audit::check(&shop.books()), []);
}

/// A payment of another event's order is not this event's affair.
#[test]
fn payments_of_other_events_are_passed_over() {
    let mut shop = shop();
    let other = Order { id: OrderId::derive(&account(8), "y"), event: "matinee".parse().unwrap(), ..shop.sold() };
    shop.payments.push(taken(&other, "pi_other"));
    assert_eq!(shop.codes(), BTreeSet::from([Code::CaptureWithoutOrder]), "while no event has it");
    shop.world.put(other.to_item());
    assert_eq!((shop.codes(), shop.books().payments.len()), (BTreeSet::new(), 2));
}
