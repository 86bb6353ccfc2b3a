//! Many want the last standing places at once, at several prices, from several shares. None is given twice, none is left
//! that somebody wants, and every loser is told how many are left. The twin leaves the shares' conditions out.
use domain::hold::{Take, TakeRefusal};
use domain::items::Share;
use domain::plan::{Cond, Plan, Rule};
use domain::pool::{PoolAsk, Portion};
use table::{CommitError, DecideError, Table};

use crate::support;
use crate::support::shop::{event, floor, take};

/// Places of each share.
const SHARES: [u32; 4] = [2, 1, 0, 4];
const FANS: u32 = 60;

async fn stocked() -> Table {
    let table = support::fresh_table().await;
    let share = |(n, places)| Share::fresh(&event(), &floor(0).pool, n, places, "standing").to_item();
    let items: Vec<_> = (0..).zip(SHARES).map(share).collect();
    table.put_all(&items, &mut |_, _| ()).await.unwrap();
    table
}

/// So many adults and so many children, trying the shares from `first` on.
fn places(who: u32, adults: u32, children: u32) -> Take {
    let portion = |id: &str, quantity, price_minor| Portion {
        price_type: Some(id.to_owned()),
        quantity,
        price_minor,
        fee_minor: 0,
    };
    let portions = [portion("adult", adults, 3000), portion("child", children, 1000)];
    let portions = portions.into_iter().filter(|portion| portion.quantity > 0).collect();
    let order = (0..4).map(|n| (n + who) % 4).collect();
    Take { pools: vec![PoolAsk { portions, order, ..floor(0) }], ..take(who, "k", &[]) }
}

async fn shares(table: &Table) -> Vec<Share> {
    table.shares(&event(), &floor(0).pool).await.unwrap()
}

async fn asks(table: &Table, take: Take) -> Result<u32, u32> {
    let count = take.count();
    match table.decide(take).await {
        Ok(_) => Ok(count),
        Err(DecideError::Refused(TakeRefusal::PoolExhausted { left, .. })) => Err(left),
        other => panic!("{other:?}"),
    }
}

/// All ask at once; each with how many it wanted.
async fn rush(table: &Table, takes: Vec<Take>) -> Vec<(u32, Result<u32, u32>)> {
    let ask = |take: Take| {
        let table = table.clone();
        tokio::spawn(async move { (take.count(), asks(&table, take).await) })
    };
    let mut answers = Vec::new();
    for running in takes.into_iter().map(ask).collect::<Vec<_>>() {
        answers.push(running.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_places_are_given_once_and_all_of_them() {
    let table = stocked().await;
    let all: u32 = SHARES.iter().sum();
    let answers = rush(&table, (0..FANS).map(|who| places(who, 1 + who % 2, who % 3)).collect()).await;
    let won: u32 = answers.iter().filter_map(|(_, answer)| answer.ok()).sum();
    let now = shares(&table).await;
    assert!(won > 0 && now.iter().map(|s| s.held).sum::<u32>() == won, "{now:?}");
    assert!(now.iter().all(|s| s.free + s.held == SHARES[s.share as usize]), "{now:?}");
    assert!(answers.iter().all(|(wanted, answer)| answer.err().is_none_or(|left| left < *wanted)), "{answers:?}");
    // Whatever is left can be had, in one hold from all the shares it lies in; then nothing.
    if all > won {
        assert_eq!(asks(&table, places(FANS, all - won, 0)).await, Ok(all - won));
    }
    assert_eq!(asks(&table, places(FANS + 1, 1, 0)).await, Err(0));
    assert!(shares(&table).await.iter().all(|s| s.free == 0));
}

/// B-02: two are left, in two shares, and eight ask for two each, an adult and a child. One gets both.
#[tokio::test(flavor = "multi_thread")]
async fn two_are_left_and_eight_ask_for_two() {
    let table = stocked().await;
    assert_eq!(asks(&table, places(100, 4, 0)).await, Ok(4));
    assert_eq!(asks(&table, places(104, 1, 0)).await, Ok(1));
    assert_eq!(shares(&table).await.iter().map(|s| s.free).collect::<Vec<_>>(), [1, 1, 0, 0]);
    let answers = rush(&table, (0..8).map(|who| places(who, 1, 1)).collect()).await;
    assert_eq!(answers.iter().filter(|(_, answer)| *answer == Ok(2)).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|(_, answer)| matches!(answer, Ok(2) | Err(0..=1))), "{answers:?}");
    assert!(shares(&table).await.iter().all(|s| s.free == 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn its_twin_without_the_share_condition_goes_below_zero() {
    let table = stocked().await;
    for who in 0..8 {
        let mut writes = places(who, 2, 0).plan().unwrap().writes;
        writes.iter_mut().filter(|w| w.key.sk.starts_with("SHARE#")).for_each(|w| w.expect = Cond::Always);
        match table.commit(&Plan::new(writes)).await {
            Ok(()) => {}
            Err(CommitError::Refused(refused)) => panic!("{refused:?}"),
            Err(CommitError::Table(error)) => panic!("{error}"),
        }
    }
    let below = table.shares(&event(), &floor(0).pool).await;
    assert!(below.is_err(), "a count below zero is unreadable: {below:?}");
}
