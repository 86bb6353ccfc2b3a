//! What must hold after every step.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::Books;
use crate::shop::{CARD_LIMIT, LIMIT};
use domain::ids::{AccountId, SeatId};
use domain::items::{Hold, HoldState, Order, OrderState, Seat, SeatState};
use domain::plan::memory::World;
use domain::time::EventMs;

/// The first promise that a world breaks, whatever the time is.
pub fn check(world: &World) -> Result<(), String> {
    kept(&Books::of(world)?, EventMs(i64::MAX))
}

/// The first promise that is broken.
pub fn kept(books: &Books, now: EventMs) -> Result<(), String> {
    seats(books)?;
    holds(books, now)?;
    shares(books)?;
    limits(books)?;
    tickets(books)?;
    orders(books)
}

pub fn need(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Every seat that is not free is so for exactly one hold or order that names it.
fn seats(books: &Books) -> Result<(), String> {
    let mut owners: BTreeMap<&SeatId, &Order> = BTreeMap::new();
    for sale in books.owners() {
        for line in &sale.order.places.seats {
            let other = owners.insert(&line.seat, &sale.order);
            need(other.is_none(), || format!("seat {} is sold twice", line.seat))?;
        }
    }
    books.seats.values().try_for_each(|seat| one_seat(books, seat, owners.remove(&seat.seat)))?;
    let lost = owners.keys().next();
    lost.map_or(Ok(()), |seat| Err(format!("seat {seat} is sold and gone")))
}

fn one_seat(books: &Books, seat: &Seat, owner: Option<&Order>) -> Result<(), String> {
    let hold = seat.hold.and_then(|id| books.holds.get(&id));
    let names = |h: &Hold| h.places.seats.iter().any(|l| l.seat == seat.seat);
    let is = |state| hold.is_some_and(|h| h.state == state && names(h));
    let good = match seat.state {
        SeatState::Free | SeatState::Blocked => seat.hold.is_none() && seat.order.is_none(),
        SeatState::Held => is(HoldState::Live) && seat.until == hold.map(|h| h.until),
        SeatState::Claimed => is(HoldState::Claimed) && seat.until.is_none(),
        SeatState::Sold => is(HoldState::Sold) && owner.is_some_and(|o| Some(o.id) == seat.order),
    };
    need(good, || format!("seat {} is {} without its hold or order", seat.seat, seat.state))?;
    need(seat.state == SeatState::Sold || owner.is_none(), || format!("seat {} is owned but {}", seat.seat, seat.state))
}

/// A claimed or sold hold has an order in the matching state; a good one has its seats, its account and a place in the
/// index by which the sweep finds it.
fn holds(books: &Books, now: EventMs) -> Result<(), String> {
    let mut live: BTreeSet<AccountId> = BTreeSet::new();
    for hold in books.holds.values() {
        let order = hold.order.and_then(|id| books.order(&id)).filter(|o| o.hold == hold.id);
        let good = match hold.state {
            HoldState::Claimed => order.is_some_and(|o| matches!(o.state, OrderState::Paying | OrderState::Voiding)),
            HoldState::Sold => order.is_some_and(|o| o.state.owns_seats()),
            HoldState::Live => hold.order.is_none(),
            HoldState::Released | HoldState::Expired => true,
        };
        need(good, || format!("hold {} is {} without its order", hold.id, hold.state))?;
        let open = books.open.contains(&domain::items::key::hold(&hold.id));
        need(open == (hold.state == HoldState::Live), || format!("hold {} is {}, open {open}", hold.id, hold.state))?;
        if hold.state == HoldState::Live && hold.until >= now {
            need(live.insert(hold.account), || format!("account {} has two live holds", hold.account))?;
            let named = books.usages.get(&hold.account).and_then(|u| u.hold) == Some((hold.id, hold.until));
            need(named, || format!("the account of live hold {} does not name it", hold.id))?;
        }
        its_seats(books, hold, now)?;
    }
    Ok(())
}

/// Nobody but an operator takes a seat out of a hold that is good or being paid.
fn its_seats(books: &Books, hold: &Hold, now: EventMs) -> Result<(), String> {
    let state = match hold.state {
        HoldState::Live if hold.until >= now => SeatState::Held,
        HoldState::Claimed => SeatState::Claimed,
        HoldState::Sold => SeatState::Sold,
        HoldState::Live | HoldState::Released | HoldState::Expired => return Ok(()),
    };
    let lost = hold.places.seats.iter().find(|l| {
        let has = books.seats.get(&l.seat).is_some_and(|s| s.hold == Some(hold.id) && s.state == state);
        !has && !books.stripped.contains(&(hold.id, l.seat.clone()))
    });
    lost.map_or(Ok(()), |l| Err(format!("hold {} is {} and lost seat {}", hold.id, hold.state, l.seat)))
}

/// Counts of shares add up, and are those of holds.
fn shares(books: &Books) -> Result<(), String> {
    for share in books.shares.values() {
        let all = share.free + share.held + share.claimed + share.sold;
        need(all == share.capacity, || format!("share {} counts {all} of {}", share.share, share.capacity))?;
        let mut lines = 0;
        for (state, count) in
            [(HoldState::Live, share.held), (HoldState::Claimed, share.claimed), (HoldState::Sold, share.sold)]
        {
            let mut sum = 0;
            for hold in books.holds.values().filter(|h| h.state == state) {
                let here = hold.places.pools.iter().filter(|l| l.share == share.share && l.pool == share.pool);
                let places: u32 = here.map(|l| l.quantity).sum();
                (sum, lines) = (sum + places, lines + u32::from(places > 0));
            }
            need(sum == count, || format!("share {} has {count} {state}, holds say {sum}", share.share))?;
        }
        need(lines == share.holds, || format!("share {} counts {} holds of {lines}", share.share, share.holds))?;
    }
    Ok(())
}

/// Usage and card use are what orders say, and within limits.
fn limits(books: &Books) -> Result<(), String> {
    let mut committed: BTreeMap<AccountId, u32> = BTreeMap::new();
    let mut cards: BTreeMap<&str, u32> = BTreeMap::new();
    for Order { account, card, places, state, .. } in books.orders.values().map(|s| &s.order) {
        if state.owns_seats() || matches!(state, OrderState::Paying | OrderState::Voiding) {
            *committed.entry(*account).or_default() += places.count();
        }
        if let Some(card) = card.as_ref().filter(|_| state.owns_seats()) {
            *cards.entry(card).or_default() += places.count();
        }
    }
    for usage in books.usages.values() {
        let sum = committed.remove(&usage.account).unwrap_or(0);
        need(sum == usage.committed, || format!("usage says {}, orders {sum}", usage.committed))?;
        need(sum <= LIMIT, || format!("{sum} places are over the account's limit"))?;
        let live = usage.hold.is_none_or(|(id, until)| {
            books.holds.get(&id).is_some_and(|h| h.state == HoldState::Live && h.until == until)
        });
        need(live, || format!("account {} names a hold that is not live", usage.account))?;
    }
    need(committed.is_empty(), || "an account has no usage but orders".into())?;
    for card in books.cards.values() {
        let sum = cards.remove(card.fingerprint.as_str()).unwrap_or(0);
        need(sum == card.bought && sum <= CARD_LIMIT, || format!("card bought {sum}, its item says {}", card.bought))?;
    }
    need(cards.is_empty(), || "a card has no item but orders".into())
}

/// Sold ⇔ one valid ticket of that order, for each of its places.
fn tickets(books: &Books) -> Result<(), String> {
    let mut wanted = 0;
    for sale in books.owners() {
        wanted += sale.tickets.len();
        let id = sale.order.id;
        let good = |key| books.tickets.get(key).is_some_and(|t| t.order == id && t.revision > 0);
        need(sale.tickets.iter().all(good), || format!("order {id} is {} without its tickets", sale.order.state))?;
    }
    let valid = books.valid().count();
    need(valid == wanted, || format!("{valid} tickets are valid, {wanted} places are sold"))
}

/// An unfinished order stands in the index; its money lines are as many as it counts; no attempt has two orders.
fn orders(books: &Books) -> Result<(), String> {
    let mut attempts = BTreeSet::new();
    for order in books.orders.values().map(|s| &s.order) {
        let key = domain::items::key::order(&order.id);
        let open = books.open.contains(&key);
        need(open != order.state.is_final(), || format!("order {} is {}, open {open}", order.id, order.state))?;
        let lines = books.lines.get(&order.id).map_or(0, Vec::len);
        need(lines == order.lines as usize, || format!("order {} has {lines} lines of {}", order.id, order.lines))?;
        need(order.state != OrderState::Abandoned || order.intent.is_none(), || {
            format!("order {} is abandoned and the provider was asked", order.id)
        })?;
        let whole = !order.state.owns_seats() || order.places.count() > 0;
        need(whole, || format!("order {} is {} and has no place", order.id, order.state))?;
        let first = attempts.insert((order.hold, order.attempt));
        need(first, || format!("two orders are attempt {} of hold {}", order.attempt, order.hold))?;
    }
    Ok(())
}
