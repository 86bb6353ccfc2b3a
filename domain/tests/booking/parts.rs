//! Some seats of a sold order come back.

use crate::provider::{Card, Provider};
use crate::shop::*;
use domain::items::{Order, OrderState, SeatState};
use domain::order::*;
use domain::plan::memory::World;
use domain::plan::{Cond, Decided, Plan, Rule};
use domain::provider::Intent;

/// A delivered order of seats 0, 1 and 2, and the provider that has its money.
fn bench() -> (World, Provider, Order) {
    let (mut world, mut provider) = (world(), Provider::default());
    let hold = held(&mut world, 1, "a", &[0, 1, 2]);
    let claim = claim(hold, "o", NOW);
    world.decide(claim.clone()).unwrap();
    let read = |world: &World| crate::shop::order(world, &claim.order);
    let id = provider.create(&read(&world)).id;
    world.decide(StoreIntent { order: read(&world), intent: id.clone(), now: NOW }).unwrap();
    provider.confirm(&id, Card::Good);
    let card = Some(CardLimit { fingerprint: "card".into(), limit: CARD_LIMIT });
    world.decide(Sell { order: read(&world), card, now: NOW, wall: WALL }).unwrap();
    provider.capture(&id);
    world.decide(MarkCaptured { order: read(&world), now: NOW, wall: WALL }).unwrap();
    world.decide(Deliver { order: read(&world), now: NOW }).unwrap();
    let order = read(&world);
    (world, provider, order)
}

fn part(order: &Order, seats: &[u32]) -> BeginPart {
    let seats = seats.iter().map(|n| line(*n).seat).collect();
    BeginPart { order: order.clone(), account: order.account, seats, now: NOW }
}

fn kept(provider: &Provider, order: &Order) -> (Intent, i64) {
    let intent = provider.intents[order.intent.as_ref().unwrap()].clone();
    let kept = intent.received_minor - intent.refunded_minor.unwrap();
    (intent, kept)
}

/// Begins a part and carries it to its end.
fn reduce(world: &mut World, provider: &mut Provider, order: &Order, seats: &[u32]) -> Order {
    world.decide(part(order, seats)).unwrap();
    let reducing = crate::shop::order(world, &order.id);
    assert_eq!(next_step(&reducing, Payment::Unasked, NOW), Some(Step::Ask));
    let (intent, _) = kept(provider, &reducing);
    assert_eq!(next_step(&reducing, Payment::Intent(&intent), NOW), Some(Step::RefundPart));
    provider.refund_part(&intent.id, back_minor(&reducing), reducing.parts + 1);
    let (intent, _) = kept(provider, &reducing);
    assert_eq!(next_step(&reducing, Payment::Intent(&intent), NOW), Some(Step::Reduce), "the money went back");
    let rule = Reduce { order: reducing, now: NOW, wall: WALL };
    world.decide(rule.clone()).unwrap();
    assert_eq!(world.decide(rule), Ok(Decided::Already), "once");
    crate::promises::check(world).unwrap();
    let left = crate::shop::order(world, &order.id);
    assert_eq!((left.state, next_step(&left, Payment::Unasked, NOW)), (OrderState::Captured, Some(Step::Deliver)));
    world.decide(Deliver { order: left, now: NOW }).unwrap();
    crate::shop::order(world, &order.id)
}

#[test]
fn what_is_kept_is_the_value_of_the_valid_tickets() {
    let (mut world, mut provider, whole) = bench();
    let one = reduce(&mut world, &mut provider, &whole, &[1]);
    assert_eq!((one.state, one.parts, one.total_minor), (OrderState::Delivered, 1, 11_000));
    assert_eq!(kept(&provider, &one).1, one.total_minor);
    assert_eq!((seat(&world, 0).state, seat(&world, 1).state), (SeatState::Sold, SeatState::Free));
    let two = reduce(&mut world, &mut provider, &one, &[2]);
    assert_eq!((kept(&provider, &two).1, two.total_minor, two.gone.len()), (5_500, 5_500, 2));
    let again = held(&mut world, 2, "b", &[1]);
    let second = paying(&mut world, again, "o2");
    world.decide(Sell { order: second, card: None, now: NOW, wall: WALL }).unwrap();
    crate::promises::check(&world).unwrap();
}

/// B-81: whoever presses again, at whatever moment, gives nothing more back.
#[test]
fn a_part_goes_back_once_however_often_it_is_asked_for() {
    let (mut world, mut provider, whole) = bench();
    let pressed = part(&whole, &[1]);
    world.decide(pressed.clone()).unwrap();
    assert_eq!(world.decide(pressed.clone()), Ok(Decided::Already), "while it goes back");
    assert_eq!(world.decide(part(&whole, &[2])), Err(PartRefusal::Moved(OrderState::Reducing)), "one part at a time");
    let reducing = crate::shop::order(&world, &whole.id);
    assert_eq!(
        world.decide(BeginCancel { account: whole.account, order: reducing.clone(), now: NOW }),
        Err(Moved::To(OrderState::Reducing))
    );
    provider.refund_part(reducing.intent.as_ref().unwrap(), back_minor(&reducing), 1);
    world.decide(Reduce { order: reducing, now: NOW, wall: WALL }).unwrap();
    assert_eq!(world.decide(pressed.clone()), Ok(Decided::Already), "afterwards, on what was read before");
    let now = crate::shop::order(&world, &whole.id);
    assert!(BeginPart { order: now.clone(), ..pressed }.is_done());
    assert_eq!(kept(&provider, &now).1, now.total_minor);
    world.decide(BeginCancel { account: now.account, order: now.clone(), now: NOW }).unwrap();
    let cancelling = crate::shop::order(&world, &now.id);
    provider.refund(cancelling.intent.as_ref().unwrap());
    world
        .decide(Unsell {
            order: cancelling.clone(),
            to: Unsold::Refunded,
            ended: Ended::of(&kept(&provider, &cancelling).0),
            now: NOW,
            wall: WALL,
        })
        .unwrap();
    assert_eq!(kept(&provider, &cancelling).1, 0);
    crate::promises::check(&world).unwrap();
}

/// The twin: without the condition on the parts, what was read before takes a seat back that somebody else has bought since.
#[test]
fn without_its_condition_an_old_wish_goes_back_again() {
    let (mut world, mut provider, whole) = bench();
    let pressed = part(&whole, &[1]);
    reduce(&mut world, &mut provider, &whole, &[1]);
    let plan = pressed.plan().unwrap();
    assert!(world.clone().commit(&plan).is_err());
    let mut writes = plan.writes;
    writes[0].expect = Cond::eq("st", OrderState::Delivered);
    world.commit(&Plan::new(writes)).unwrap();
    let reducing = crate::shop::order(&world, &whole.id);
    assert_eq!(reducing.back, [line(1).seat]);
    assert!(!reducing.places.seats.iter().any(|l| l.seat == line(1).seat), "it would give back what it has not");
}

/// Tickets of the first part's rest are not handed out yet, for instance because no mail goes out: more can go back all the same. Before
/// the first tickets are out nothing goes back in part.
#[test]
fn more_goes_back_before_what_was_left_is_handed_out() {
    let (mut world, mut provider, whole) = bench();
    world.decide(part(&whole, &[1])).unwrap();
    let reducing = crate::shop::order(&world, &whole.id);
    provider.refund_part(reducing.intent.as_ref().unwrap(), back_minor(&reducing), 1);
    world.decide(Reduce { order: reducing, now: NOW, wall: WALL }).unwrap();
    let left = crate::shop::order(&world, &whole.id);
    let first = Order { parts: 0, ..left.clone() };
    assert_eq!(part(&first, &[2]).plan(), Err(PartRefusal::Moved(OrderState::Captured)));
    let two = reduce(&mut world, &mut provider, &left, &[2]);
    assert_eq!((two.state, two.parts, kept(&provider, &two).1), (OrderState::Delivered, 2, two.total_minor));
}

#[test]
fn parts_are_refused_in_order() {
    let (mut world, _, whole) = bench();
    assert_eq!(world.decide(BeginPart { account: account(2), ..part(&whole, &[0]) }), Err(PartRefusal::NotYours));
    assert_eq!(world.decide(part(&whole, &[0, 7])), Err(PartRefusal::SeatUnknown(vec![line(7).seat])));
    assert_eq!(world.decide(part(&whole, &[])), Err(PartRefusal::SeatUnknown(vec![])));
    assert_eq!(world.decide(part(&whole, &[2, 1, 0])), Err(PartRefusal::Whole));
    world.decide(part(&whole, &[2, 0, 0])).unwrap();
    assert_eq!(crate::shop::order(&world, &whole.id).back, [line(0).seat, line(2).seat]);
}

/// B-24: the provider has kept something that no step of ours leaves, too much or too little: no guess is made.
#[test]
fn an_amount_that_nobody_can_explain_is_left_to_a_person() {
    let (mut world, provider, whole) = bench();
    world.decide(part(&whole, &[0])).unwrap();
    let reducing = crate::shop::order(&world, &whole.id);
    let (intent, total) = kept(&provider, &reducing);
    for refunded in [Some(1), Some(total), Some(-1), None] {
        let odd = Intent { refunded_minor: refunded, ..intent.clone() };
        assert_eq!(next_step(&reducing, Payment::Intent(&odd), NOW), Some(Step::Unexplained), "{refunded:?}");
    }
    assert_eq!(next_step(&reducing, Payment::Missing, NOW), Some(Step::Unexplained));
}
