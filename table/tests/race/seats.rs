//! Two hundred fans want the same five seats at once. Each seat is held once and every loser is told which seats are taken.
//! The twin leaves the seats' conditions out, and the same check must then see the damage.
use std::collections::BTreeMap;

use domain::hold::{Take, TakeRefusal};
use domain::items::{Hold, Seat, SeatState};
use domain::plan::{Cond, Plan, Rule};
use table::{CommitError, DecideError, Table};

use crate::support;
use crate::support::shop::{self, take};

const FANS: u32 = 200;
const SEATS: [u32; 5] = [0, 1, 2, 3, 4];

/// Runs `attempt` for every fan at once; answers with the holds that each fan believes to have.
async fn rush<F, A>(table: &Table, attempt: F) -> (Vec<Take>, Vec<TakeRefusal>)
where
    F: Fn(Table, Take) -> A,
    A: Future<Output = Result<(), TakeRefusal>> + Send + 'static,
{
    let tries: Vec<Take> = (0..FANS).map(|who| take(who, "k", &SEATS)).collect();
    let running: Vec<_> = tries.iter().map(|t| tokio::spawn(attempt(table.clone(), t.clone()))).collect();
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for (take, joined) in tries.into_iter().zip(running) {
        match joined.await.unwrap() {
            Ok(()) => won.push(take),
            Err(refusal) => lost.push(refusal),
        }
    }
    (won, lost)
}

/// Live holds that name a seat, by seat.
async fn holders(table: &Table, won: &[Take]) -> BTreeMap<String, usize> {
    let mut holders = BTreeMap::new();
    for take in won {
        let hold: Hold = table.hold(&take.hold).await.unwrap().unwrap();
        for line in hold.places.seats {
            *holders.entry(line.seat.to_string()).or_default() += 1;
        }
    }
    holders
}

#[tokio::test(flavor = "multi_thread")]
async fn each_seat_is_held_once_and_losers_know_why() {
    let table = support::fresh_table().await;
    shop::stock(&table, 5, 1).await;
    let (won, lost) = rush(&table, |table, take| async move {
        match table.decide(take).await {
            Ok(_) => Ok(()),
            Err(DecideError::Refused(refusal)) => Err(refusal),
            Err(DecideError::Table(error)) => panic!("{error}"),
        }
    })
    .await;
    assert_eq!((won.len(), lost.len()), (1, FANS as usize - 1));
    assert!(holders(&table, &won).await.values().all(|n| *n == 1));
    let all: Vec<_> = SEATS.iter().map(|n| shop::line(*n).seat).collect();
    assert!(lost.iter().all(|r| *r == TakeRefusal::SeatsTaken(all.clone())), "{:?}", lost.first());
    let seats: Vec<Seat> = table.seats(&shop::event(), &shop::line(0).block).await.unwrap();
    assert!(seats.iter().all(|s| s.state == SeatState::Held && s.hold == Some(won[0].hold) && s.version == 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn its_twin_without_the_seat_condition_shows_the_violation() {
    let table = support::fresh_table().await;
    shop::stock(&table, 5, 1).await;
    let (won, _) = rush(&table, |table, take| async move {
        let mut writes = take.plan().unwrap().writes;
        writes.iter_mut().filter(|w| w.key.sk.starts_with("SEAT#")).for_each(|w| w.expect = Cond::Always);
        match table.commit(&Plan::new(writes)).await {
            Ok(()) => Ok(()),
            Err(CommitError::Refused(refused)) => panic!("{refused:?}"),
            Err(CommitError::Table(error)) => panic!("{error}"),
        }
    })
    .await;
    let most = holders(&table, &won).await.into_values().max().unwrap_or(0);
    assert!(most > 1, "the race check sees no race: it would not see a missing condition either");
}
