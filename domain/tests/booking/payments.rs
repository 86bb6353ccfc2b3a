//! What the provider may say of an order's money, and what follows.

use crate::provider::{Card, Provider};
use crate::shop::*;
use domain::items::{HoldState, Order, OrderState, SeatState, VoidReason};
use domain::order::*;
use domain::plan::Decided;
use domain::plan::memory::World;
use domain::provider::{Intent, Status};
use domain::time::{EventMs, WallMs};

const MINUTE_MS: i64 = 60_000;

fn bench() -> (World, Order) {
    let mut world = world();
    let hold = held(&mut world, 1, "a", &[0, 1]);
    let order = paying(&mut world, hold, "o");
    (world, order)
}

fn intent(order: &Order, status: Status) -> Intent {
    let received_minor = if status == Status::Succeeded { order.total_minor } else { 0 };
    Intent { status, received_minor, ..Provider::default().create(order) }
}

fn next(order: &Order, intent: &Intent, now: EventMs) -> Option<Step> {
    next_step(order, Payment::Intent(intent), now)
}

/// B-15: a challenge that takes nine minutes costs nothing; after eleven the seats are lost and the authorization is ended.
#[test]
fn a_challenge_may_take_until_the_claims_deadline() {
    let (mut world, order) = bench();
    let mut provider = Provider::default();
    let id = provider.create(&order).id;
    let asked = provider.confirm(&id, Card::Challenge);
    let at = |minutes| NOW.plus(minutes * MINUTE_MS);
    assert_eq!(next(&order, &asked, at(9)), None, "nothing to do but to wait");
    assert_eq!((hold(&world, &order.hold).state, seat(&world, 0).state), (HoldState::Claimed, SeatState::Claimed));
    let mut passed = provider.clone();
    let passed = passed.answer(&id, Card::Good);
    assert_eq!(next(&order, &passed, at(9)), Some(Step::Sell { card: passed.fingerprint.clone() }));
    let mut failed = provider.clone();
    assert_eq!(
        next(&order, &failed.answer(&id, Card::Declined), at(9)),
        Some(Step::Decline { code: "declined".into(), ended: Ended::UNTOUCHED })
    );

    assert_eq!(next(&order, &asked, at(11)), Some(Step::Void(VoidReason::Deadline)));
    world.decide(Void { order, reason: VoidReason::Deadline, now: at(11) }).unwrap();
    let voiding = crate::shop::order(&world, &claim_id());
    assert_eq!(next(&voiding, &asked, at(11)), Some(Step::CancelIntent));
    assert_eq!(next(&voiding, &provider.cancel(&id), at(11)), Some(Step::Close(Ended::UNTOUCHED)));
    world.decide(Close::new(voiding, Ended::UNTOUCHED, at(11), WALL)).unwrap();
    assert_eq!((hold_state(&world), seat(&world, 0).state), (HoldState::Released, SeatState::Free));
    crate::promises::check(&world).unwrap();
}

fn claim_id() -> domain::ids::OrderId {
    domain::ids::OrderId::derive(&account(1), "o")
}

fn hold_state(world: &World) -> HoldState {
    hold(world, &crate::shop::order(world, &claim_id()).hold).state
}

/// A fan who gives a challenge up keeps the hold; whether the card said yes meanwhile is the provider's to say, and then the money
/// is let go.
#[test]
fn a_payment_that_is_given_up_leaves_the_hold() {
    let (mut world, order) = bench();
    world.decide(Void { order, reason: VoidReason::GivenUp, now: NOW }).unwrap();
    let voiding = crate::shop::order(&world, &claim_id());
    let given_up = Some(Step::Decline { code: "given_up".into(), ended: Ended::UNTOUCHED });
    for (status, step) in [
        (Status::RequiresAction, Some(Step::CancelIntent)),
        (Status::RequiresCapture, Some(Step::CancelIntent)),
        (Status::Canceled, given_up),
        (Status::Succeeded, Some(Step::Refund)),
        (Status::Processing, None),
    ] {
        assert_eq!(next(&voiding, &intent(&voiding, status), NOW), step, "{status:?}");
    }
    world.decide(Decline::new(voiding, "given_up".into(), NOW, WALL)).unwrap();
    assert_eq!(hold_state(&world), HoldState::Live);
    let hold = hold_of(&world);
    let again = paying(&mut world, hold, "o2");
    assert_eq!(again.attempt, 2, "another card is another attempt");
    crate::promises::check(&world).unwrap();
}

fn hold_of(world: &World) -> domain::items::Hold {
    hold(world, &crate::shop::order(world, &claim_id()).hold)
}

/// B-73: a hundred times too much or too little, or the right number of another currency, is not what was asked for.
#[test]
fn amounts_are_compared_in_minor_units_both_ways() {
    let (_, order) = bench();
    let paid = intent(&order, Status::RequiresCapture);
    assert_eq!(next(&order, &paid, NOW), Some(Step::Sell { card: paid.fingerprint.clone() }));
    for wrong in [
        Intent { amount_minor: paid.amount_minor * 100, ..paid.clone() },
        Intent { amount_minor: paid.amount_minor / 100, ..paid.clone() },
        Intent { amount_minor: paid.amount_minor + 1, ..paid.clone() },
        Intent { currency: "JPY".into(), ..paid },
    ] {
        assert_eq!(next(&order, &wrong, NOW), Some(Step::Void(VoidReason::Amount)), "{wrong:?}");
    }
}

/// B-39: a refused capture is tried again after growing pauses, and given up after a day.
#[test]
fn a_refused_capture_is_put_off_and_given_up_after_a_day() {
    let (mut world, paying) = bench();
    world.decide(Sell { order: paying, card: None, now: NOW, wall: WALL }).unwrap();
    let mut pauses = Vec::new();
    for n in 0..10 {
        let order = crate::shop::order(&world, &claim_id());
        assert_eq!(order.tries, n);
        let put_off = PutOff { order, code: "issuer_down".into(), now: NOW };
        pauses.push(put_off.again_at().since(NOW) / MINUTE_MS);
        world.decide(put_off).unwrap();
        crate::promises::check(&world).unwrap();
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256]);
    let order = crate::shop::order(&world, &claim_id());
    assert_eq!(next_step(&order, Payment::PutOff, NOW), None, "not again in the same run");
    assert_eq!(next_step(&order, Payment::Unasked, NOW), Some(Step::Capture), "but in the next one");
    let at = |ms| after_refused_capture(&order, "no".into(), WallMs(order.created.0 + ms));
    assert_eq!(at(CAPTURE_WITHIN_MS - 1), Step::PutOff { code: "no".into() });
    assert_eq!(at(CAPTURE_WITHIN_MS), Step::FailCapture { code: "no".into() });
    world.decide(MarkCaptured { order: order.clone(), now: NOW, wall: WALL }).unwrap();
    assert_eq!(crate::shop::order(&world, &claim_id()).decline, None, "it was paid after all");
    assert_eq!(world.decide(PutOff { order, code: "late".into(), now: NOW }), Ok(Decided::Already));
}

/// B-37, B-38: an authorization that lapsed is no money; the sale is undone, and nobody is refunded what was never taken.
#[test]
fn a_lapsed_authorization_undoes_the_sale() {
    let (mut world, paying) = bench();
    world.decide(Sell { order: paying, card: None, now: NOW, wall: WALL }).unwrap();
    let sold = crate::shop::order(&world, &claim_id());
    let lapsed = intent(&sold, Status::Canceled);
    let failed = Step::FailCapture { code: "authorization_ended".into() };
    assert_eq!(next(&sold, &lapsed, NOW), Some(failed));
    world.decide(FailCapture { order: sold, code: "authorization_ended".into(), now: NOW }).unwrap();
    let failed = crate::shop::order(&world, &claim_id());
    assert_eq!(next(&failed, &lapsed, NOW), Some(Step::Unsell(Unsold::Released, Ended::UNTOUCHED)));
    world
        .decide(Unsell { order: failed, to: Unsold::Released, ended: Ended::UNTOUCHED, now: NOW, wall: WALL })
        .unwrap();
    assert_eq!((hold_state(&world), seat(&world, 0).state), (HoldState::Released, SeatState::Free));
    assert_eq!(crate::shop::order(&world, &claim_id()).state, OrderState::Released);
}

/// A refund whose reply was lost so long ago that the provider has forgotten its key is not made again.
#[test]
fn money_that_went_back_does_not_go_back_again() {
    let (mut world, paying) = bench();
    world.decide(Sell { order: paying, card: None, now: NOW, wall: WALL }).unwrap();
    let sold = crate::shop::order(&world, &claim_id());
    world.decide(BeginCancel { account: sold.account, order: sold, now: NOW }).unwrap();
    let cancelling = crate::shop::order(&world, &claim_id());
    let total = cancelling.total_minor;
    let kept =
        |refunded_minor| Intent { received_minor: total, refunded_minor, ..intent(&cancelling, Status::Succeeded) };
    for (refunded, step) in [
        (Some(0), Step::Refund),
        (None, Step::Refund),
        (Some(total - 1), Step::Refund),
        (Some(total), Step::Unsell(Unsold::Refunded, Ended::of(&kept(Some(total))))),
    ] {
        assert_eq!(next(&cancelling, &kept(refunded), NOW), Some(step), "{refunded:?}");
    }
}
