//! Orders, case by case.

use crate::provider::{Card, Provider};
use crate::shop::*;
use domain::hold::{HOLD_MS, Take};
use domain::items::{HoldState, Order, OrderState, SeatState, VoidReason};
use domain::order::*;
use domain::plan::Decided;
use domain::plan::memory::World;
use domain::time::EventMs;

/// The order of two seats was authorized, and nothing of it taken.
const VOIDED: Ended = Ended { authorized_minor: 11_000, captured_minor: 0 };

fn card(limit: u32) -> Option<CardLimit> {
    Some(CardLimit { fingerprint: "card".into(), limit })
}

/// A world with one order that is paying for seats 0 and 1.
fn bench() -> (World, Order) {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0, 1]);
    let order = paying(&mut world, hold, "o");
    (world, order)
}

fn sell(world: &mut World, order: &Order) -> Order {
    world.decide(Sell { order: order.clone(), card: card(9), now: NOW, wall: WALL }).unwrap();
    crate::shop::order(world, &order.id)
}

fn good(world: &World) {
    crate::promises::check(world).unwrap();
}

#[test]
fn claim_sell_capture_deliver() {
    let (mut world, paying) = bench();
    good(&world);
    let sold = sell(&mut world, &paying);
    good(&world);
    assert_eq!(
        (sold.state, seat(&world, 0).state, hold(&world, &sold.hold).state),
        (OrderState::Confirmed, SeatState::Sold, HoldState::Sold)
    );
    assert_eq!(world.decide(Sell { order: paying, card: card(9), now: NOW, wall: WALL }), Ok(Decided::Already));
    world.decide(MarkCaptured { order: sold.clone(), now: NOW, wall: WALL }).unwrap();
    assert_eq!(world.decide(MarkCaptured { order: sold.clone(), now: NOW, wall: WALL }), Ok(Decided::Already));
    let captured = order(&world, &sold.id);
    assert_eq!(captured.lines, 2);
    world.decide(Deliver { order: captured, now: NOW }).unwrap();
    assert_eq!(order(&world, &sold.id).state, OrderState::Delivered);
    good(&world);
}

#[test]
fn claims_are_refused_in_order() {
    let mut world = world();
    let live = held(&mut world, 1, "a", &[0, 1]);
    assert_eq!(
        world.decide(Claim { account: account(2), ..claim(live.clone(), "o", NOW) }),
        Err(ClaimRefusal::NotYours)
    );
    let mine = claim(live.clone(), "o", NOW);
    world.decide(mine.clone()).unwrap();
    assert_eq!(world.decide(mine.clone()), Ok(Decided::Already));
    assert_eq!(world.decide(Claim { fingerprint: "x".into(), ..mine.clone() }), Err(ClaimRefusal::Mismatch));
    let other = claim(live, "o2", NOW);
    assert_eq!(world.decide(other), Err(ClaimRefusal::BeingPaid(mine.order)));
}

#[test]
fn an_overdue_hold_is_claimed_while_its_seats_still_carry_it() {
    let now = NOW.plus(HOLD_MS + 1);
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0, 1]);
    let mut lost = world.clone();
    world.decide(claim(old.clone(), "o", now)).unwrap();
    good(&world);
    lost.decide(Take { now, ..take(2, "a", &[1]) }).unwrap();
    assert_eq!(lost.decide(claim(old, "o", now)), Err(ClaimRefusal::SeatsGone(vec![line(1).seat])));
}

#[test]
fn an_overdue_hold_is_claimed_beside_a_newer_one() {
    let now = NOW.plus(HOLD_MS + 1);
    let mut world = world();
    let old = held(&mut world, 1, "a", &[0]);
    world.decide(Take { now, ..take(1, "b", &[1]) }).unwrap();
    world.decide(claim(old.clone(), "o", now)).unwrap();
    good(&world);
    let paying = order(&world, &claim(old.clone(), "o", now).order);
    world.decide(Decline::new(paying, "no".into(), now, WALL)).unwrap();
    good(&world);
    assert_eq!((hold(&world, &old.id).state, seat(&world, 0).state), (HoldState::Released, SeatState::Free));
}

#[test]
fn the_account_limit_counts_what_is_paid_and_bought() {
    let (mut world, paying) = bench();
    let more = Take { now: NOW, ..take(1, "b", &[2, 3, 4]) };
    assert_eq!(world.decide(more), Err(domain::hold::TakeRefusal::LimitExceeded { limit: LIMIT, committed: 2 }));
    sell(&mut world, &paying);
    world.decide(take(1, "c", &[2, 3])).unwrap();
    good(&world);
}

#[test]
fn declined_gives_the_hold_back_for_two_minutes_at_least() {
    let (mut world, paying) = bench();
    let late = paying.hold_until.plus(-1000);
    let decline = Decline::new(paying.clone(), "insufficient_funds".into(), late, WALL);
    world.decide(decline.clone()).unwrap();
    good(&world);
    assert_eq!(world.decide(decline), Ok(Decided::Already));
    let again = hold(&world, &paying.hold);
    assert_eq!((again.state, again.until, again.attempts), (HoldState::Live, late.plus(RETRY_MS), 1));
    let second = crate::shop::paying(&mut world, again, "o2");
    assert_eq!(second.attempt, 2);
    sell(&mut world, &second);
    good(&world);
}

#[test]
fn cards_are_tried_a_bounded_number_of_times() {
    let mut world = world();
    let mut live = held(&mut world, 1, "a", &[0]);
    for n in 0..MAX_ATTEMPTS {
        let order = paying(&mut world, live.clone(), &format!("o{n}"));
        world.decide(Decline::new(order, "no".into(), NOW, WALL)).unwrap();
        live = hold(&world, &live.id);
    }
    assert_eq!(world.decide(claim(live, "last", NOW)), Err(ClaimRefusal::TooManyAttempts));
}

#[test]
fn the_card_limit_voids_and_the_hold_lives_on() {
    let (mut world, paying) = bench();
    let refused = world.decide(Sell { order: paying.clone(), card: card(1), now: NOW, wall: WALL });
    assert_eq!(refused, Err(SellRefusal::CardLimit { limit: 1, bought: 0 }));
    world.decide(Void { order: paying.clone(), reason: VoidReason::CardLimit, now: NOW }).unwrap();
    let voiding = order(&world, &paying.id);
    assert_eq!(
        next_step(&voiding, Payment::Missing, NOW),
        Some(Step::Decline { code: "card_limit".into(), ended: Ended::UNTOUCHED })
    );
    world.decide(Decline::new(voiding, "card_limit".into(), NOW, WALL)).unwrap();
    assert_eq!(hold(&world, &paying.hold).state, HoldState::Live);
    good(&world);
}

#[test]
fn a_blocked_seat_stops_the_sale_and_the_rest_comes_back() {
    let (mut world, paying) = bench();
    assert!(block(&mut world, 0, broken()));
    let refused = world.decide(Sell { order: paying.clone(), card: None, now: NOW, wall: WALL });
    assert_eq!(refused, Err(SellRefusal::SeatsGone(vec![line(0).seat])));
    world.decide(Void { order: paying.clone(), reason: VoidReason::SeatsGone, now: NOW }).unwrap();
    world.decide(Close::new(order(&world, &paying.id), VOIDED, NOW, WALL)).unwrap();
    assert_eq!((seat(&world, 0).state, seat(&world, 1).state), (SeatState::Blocked, SeatState::Free));
    assert_eq!(order(&world, &paying.id).lost, [line(0).seat], "its buyer is told which");
    assert_eq!(hold(&world, &paying.hold).state, HoldState::Released);
    good(&world);
}

/// The second guard: a bug above the table that frees a sold seat does not sell it twice.
#[test]
fn a_valid_ticket_stops_a_second_sale() {
    let (mut world, first) = bench();
    sell(&mut world, &first);
    world.put(
        domain::items::Seat {
            version: 9,
            ..domain::items::Seat::fresh(&event(), &line(0).block, &line(0).seat, "front", 0, 0)
        }
        .to_item(),
    );
    let stolen = held(&mut world, 2, "a", &[0]);
    let second = paying(&mut world, stolen, "o2");
    assert_eq!(world.decide(Sell { order: second, card: None, now: NOW, wall: WALL }), Err(SellRefusal::TicketExists));
}

#[test]
fn an_order_without_intent_is_abandoned_and_not_with_one() {
    let mut world = world();
    let live = held(&mut world, 1, "a", &[0]);
    let mine = claim(live, "o", NOW);
    world.decide(mine.clone()).unwrap();
    let bare = order(&world, &mine.order);
    let store = StoreIntent { order: bare.clone(), intent: "pi_1".into(), now: NOW };
    let mut stored = world.clone();
    stored.decide(store.clone()).unwrap();
    assert_eq!(stored.decide(store.clone()), Ok(Decided::Already));
    assert_eq!(
        stored.decide(StoreIntent { intent: "pi_2".into(), ..store.clone() }),
        Err(Moved::To(OrderState::Paying))
    );
    assert_eq!(stored.decide(Abandon::new(bare.clone(), NOW)), Err(Moved::To(OrderState::Paying)));
    world.decide(Abandon::new(bare, NOW)).unwrap();
    assert_eq!(world.decide(store), Err(Moved::To(OrderState::Abandoned)));
    good(&world);
}

#[test]
fn sold_places_come_back_once() {
    let (mut world, paying) = bench();
    let sold = sell(&mut world, &paying);
    assert_eq!(world.decide(BeginCancel { order: sold.clone(), account: account(2), now: NOW }), Err(Moved::NotYours));
    world.decide(BeginCancel { order: sold.clone(), account: account(1), now: NOW }).unwrap();
    assert_eq!(
        world.decide(MarkCaptured { order: sold.clone(), now: NOW, wall: WALL }),
        Err(Moved::To(OrderState::Cancelling))
    );
    let cancelling = order(&world, &sold.id);
    let unsell = Unsell { order: cancelling, to: Unsold::Cancelled, ended: VOIDED, now: NOW, wall: WALL };
    world.decide(unsell.clone()).unwrap();
    assert_eq!(world.decide(unsell), Ok(Decided::Already));
    good(&world);
    let again = held(&mut world, 2, "b", &[0]);
    let second = crate::shop::paying(&mut world, again, "o2");
    sell(&mut world, &second);
    good(&world);
}

#[test]
fn a_failed_capture_releases_the_seats() {
    let (mut world, paying) = bench();
    let sold = sell(&mut world, &paying);
    world.decide(FailCapture { order: sold.clone(), code: "expired".into(), now: NOW }).unwrap();
    world
        .decide(Unsell { order: order(&world, &sold.id), to: Unsold::Released, ended: VOIDED, now: NOW, wall: WALL })
        .unwrap();
    assert_eq!((order(&world, &sold.id).state, seat(&world, 0).state), (OrderState::Released, SeatState::Free));
    good(&world);
}

#[test]
fn what_comes_next() {
    let (_, order) = bench();
    let mut provider = Provider::default();
    let fresh = provider.create(&order);
    let done = |card| {
        let mut provider = Provider::default();
        let id = provider.create(&order).id;
        provider.confirm(&id, card)
    };
    let late = EventMs(order.deadline.0 + 1);
    let canceled = provider.cancel(&fresh.id);
    let wrong = domain::provider::Intent { amount_minor: 1, ..done(Card::Good) };
    let decline = |code: &str| Some(Step::Decline { code: code.into(), ended: Ended::UNTOUCHED });
    let cases = [
        (Payment::Unasked, NOW, Some(Step::Ask)),
        (Payment::Missing, NOW, Some(Step::Void(VoidReason::Amount))),
        (Payment::Intent(&fresh), NOW, Some(Step::Confirm)),
        (Payment::Intent(&fresh), late, Some(Step::Void(VoidReason::Deadline))),
        (Payment::Intent(&done(Card::Declined)), NOW, decline("declined")),
        (Payment::Intent(&done(Card::Slow)), NOW, None),
        (Payment::Intent(&done(Card::Slow)), late, Some(Step::Void(VoidReason::Deadline))),
        (Payment::Intent(&done(Card::Good)), late, Some(Step::Sell { card: fresh.fingerprint.clone() })),
        (Payment::Intent(&wrong), NOW, Some(Step::Void(VoidReason::Amount))),
        (Payment::Intent(&canceled), NOW, decline("canceled")),
        (Payment::Intent(&canceled), late, Some(Step::Close(Ended::UNTOUCHED))),
    ];
    for (payment, now, step) in cases {
        assert_eq!(next_step(&order, payment, now), step, "{payment:?} at {now:?}");
    }
    let bare = Order { intent: None, ..order.clone() };
    assert_eq!(next_step(&bare, Payment::Unasked, NOW), Some(Step::Create));
    assert_eq!(next_step(&bare, Payment::Unasked, late), Some(Step::Abandon));
    let gift = Order { total_minor: 0, ..bare };
    assert_eq!(next_step(&gift, Payment::Unasked, NOW), Some(Step::Sell { card: None }));
}

#[test]
fn every_state_has_a_next_step_or_is_final() {
    let (_, order) = bench();
    for state in OrderState::ALL {
        let order = Order { state: *state, ..order.clone() };
        assert_eq!(next_step(&order, Payment::Unasked, NOW).is_none(), state.is_final(), "{state}");
    }
}
