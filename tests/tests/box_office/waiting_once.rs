//! One offer for a seat that came back, however many make it.

use anyhow::Result;
use domain::items::{HoldState, WaitState};
use domain::plan::{Cond, Plan, Rule as _};
use domain::waiting::Offer;

use crate::waiting::Hall;

/// Ten who wait for one seat that came back, and ten who offer it at once. How many offers were made; holds that live; entries that
/// say they have one.
async fn ten_offers(guarded: bool) -> Result<(usize, usize, usize)> {
    let hall = Hall::sold_out().await?;
    for n in 1..=10 {
        assert_eq!(hall.waits(&hall.at(&n.to_string(), n), 1).await?.0, 201);
    }
    hall.gives_back(&hall.ada, "o", &["A-1-1"]).await?;
    let table = &hall.bench.table;
    let waiting = table.waiting(&hall.bench.event, 20).await?;
    assert_eq!(waiting.iter().map(|one| one.place).collect::<Vec<_>>(), (1..=10).collect::<Vec<u64>>());
    let (seats, now) = (hall.first_seat().await?, hall.bench.terms().await?.now());
    let offers = waiting.into_iter().map(|to| hall.offer(to, seats.clone(), now));
    let made = futures::future::join_all(offers.map(async |offer| match guarded {
        true => table.decide(offer).await.is_ok(),
        false => table.commit(&unguarded(&offer)).await.is_ok(),
    }));
    let made = made.await.into_iter().filter(|made| *made).count();
    let items = table.scan().await?;
    let live = items.iter().filter_map(|item| domain::items::Hold::from_item(item).ok());
    let offered = items.iter().filter_map(|item| domain::items::Waiting::from_item(item).ok());
    let live = live.filter(|hold| hold.state == HoldState::Live).count();
    Ok((made, live, offered.filter(|one| one.state == WaitState::Offered).count()))
}

/// An offer that does not look whether the seat is somebody's.
fn unguarded(offer: &Offer) -> Plan {
    let Plan { mut writes } = offer.plan().expect("no refusal");
    for write in writes.iter_mut().filter(|write| write.key.pk.starts_with("SEATS#")) {
        write.expect = Cond::Always;
    }
    Plan::new(writes)
}

/// B-26: one seat that came back, ten who wait, ten who offer it: one live offer.
#[tokio::test]
async fn ten_offers_of_one_seat_make_one() -> Result<()> {
    assert_eq!(ten_offers(true).await?, (1, 1, 1));
    Ok(())
}

#[tokio::test]
async fn without_the_seats_condition_one_seat_is_offered_to_ten() -> Result<()> {
    assert_eq!(ten_offers(false).await?, (10, 10, 10));
    Ok(())
}
