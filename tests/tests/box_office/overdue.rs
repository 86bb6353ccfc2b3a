//! Holds whose time has passed, and nobody sweeps: what they hold can be taken, and shows so.

use anyhow::Result;
use capture_lambda::project::Project;
use capture_lambda::records::Failures;
use domain::hold::{Take, TakeRefusal};
use domain::ids::HoldId;
use domain::items::{HoldState, attr, key};
use domain::plan::{Cond, Plan, Update, Write};
use domain::price::{PoolWish, SeatWish, quote};
use domain::time::EventMs;
use serde_json::{Value, json};
use table::DecideError;

use crate::after_sale::batch;
use crate::bench::Bench;

const MINUTE_MS: i64 = 60_000;

/// A hold of these places that has been overdue for a minute.
async fn left_behind(bench: &Bench, name: &str, seats: &[&str], standing: u32) -> Result<HoldId> {
    let take = wish(bench, name, seats, standing, EventMs(bench.terms().await?.now().0 - 11 * MINUTE_MS)).await?;
    bench.table.decide(take.clone()).await?;
    Ok(take.hold)
}

async fn wish(bench: &Bench, name: &str, seats: &[&str], standing: u32, now: EventMs) -> Result<Take> {
    let terms =
        bench.app.events.get(&bench.table, &bench.event).await.map_err(|problem| anyhow::anyhow!("{problem:?}"))?;
    let seat = |id: &&str| Ok(SeatWish { seat: id.parse()?, price_type: None });
    let seats = seats.iter().map(seat).collect::<Result<Vec<_>>>()?;
    let floor = PoolWish { pool: "floor".parse()?, quantity: standing, price_type: None };
    let pools: Vec<PoolWish> = (standing > 0).then_some(floor).into_iter().collect();
    let mut quote = quote(&terms.definition, &terms.venue.layout, &terms.venue.index, &seats, &pools)?;
    quote.pools.iter_mut().for_each(|ask| ask.order = (0..4).collect());
    let account = bench.fan(name).account;
    Ok(Take {
        event: bench.event.clone(),
        account,
        hold: HoldId::derive(&account, "left"),
        seats: quote.seats,
        pools: quote.pools,
        channels: vec![],
        currency: "EUR".into(),
        replaces: None,
        limit: 4,
        now,
        hold_ms: 10 * MINUTE_MS,
        fingerprint: String::new(),
        keep_until: terms.definition.keep_until(),
        lost: vec![],
        paced: None,
    })
}

/// Takes a hold out of the index that sweeps read, as if they never came by.
async fn unseen_by_sweeps(bench: &Bench, hold: &HoldId) -> Result<()> {
    let update = Update::new().remove(attr::OPEN_PK).remove(attr::OPEN_AT);
    bench.table.commit(&Plan::new(vec![Write::update(key::hold(hold), Cond::Exists, update)])).await?;
    Ok(())
}

async fn projected(bench: &Bench) -> Result<()> {
    let project = Project::new(bench.table.clone());
    assert_eq!(project.handle(&batch(bench, &["seat", "share", "clock"]).await?).await, Failures::default());
    Ok(())
}

/// B-29, B-32: the map and the stock show overdue seats as free, though their holds were never swept, and say so to who has
/// the map already.
#[tokio::test]
async fn overdue_seats_show_as_free_without_a_sweep() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let hold = left_behind(&bench, "ada", &["A-1-1", "A-1-2"], 0).await?;
    unseen_by_sweeps(&bench, &hold).await?;
    let live = bench.hold(&bench.fan("bo"), &["A-2-1"]).await?;
    projected(&bench).await?;
    let seen = bench.pulse(0).await?;
    assert_eq!(
        (&seen["stock"]["free"], &seen["stock"]["held"], &seen["swept"]),
        (&json!(59), &json!(1), &json!(0)),
        "{seen}"
    );
    assert_eq!((&seen["counts"]["sections"]["A"]["front"], &seen["shoppers"]), (&json!(19), &json!(1)));
    assert_eq!(bench.table.hold(&hold).await?.map(|hold| hold.state), Some(HoldState::Live), "nobody swept it");
    let wish = json!({"seats": ["A-1-1", "A-1-2"]});
    assert_eq!(bench.call(&bench.fan("cyd"), "POST", "holds", Some(&wish)).await?.0, 201, "as it shows");
    assert_eq!(bench.table.hold(&live.parse()?).await?.map(|hold| hold.state), Some(HoldState::Live));
    Ok(())
}

/// Nothing happens to a seat when its hold becomes overdue; the pulse finds out by itself.
#[tokio::test]
async fn the_pulse_redraws_what_became_overdue() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    let now = bench.terms().await?.now();
    let take = Take { hold_ms: 1_500, ..wish(&bench, "ada", &["A-1-1", "A-1-2"], 0, now).await? };
    bench.table.decide(take.clone()).await?;
    unseen_by_sweeps(&bench, &take.hold).await?;
    projected(&bench).await?;
    let before = bench.pulse(0).await?;
    assert_eq!((&before["stock"]["held"], &before["swept"]), (&json!(2), &json!(0)), "{before}");
    let mut after = Value::Null;
    for _ in 0..12 {
        tokio::time::sleep(std::time::Duration::from_millis(900)).await;
        after = bench.pulse(before["map"]["version"].as_i64().unwrap_or(0)).await?;
        if after["stock"]["held"] == 0 {
            break;
        }
    }
    assert_eq!((&after["stock"]["held"], &after["stock"]["free"]), (&json!(0), &json!(60)), "{after}");
    assert_eq!(after["counts"]["sections"]["A"]["front"], 20, "who has the map hears of it");
    Ok(())
}

/// B-30: everything is in abandoned holds, nobody sweeps, and all of it can be sold again; the last standing place, too.
#[tokio::test]
async fn abandoned_holds_keep_nothing_from_others() -> Result<()> {
    let bench = Bench::start(2, 10).await?;
    for n in 0..10 {
        left_behind(
            &bench,
            &format!("gone {n}"),
            &[&format!("A-{}-{}", n / 5 + 1, n % 5 * 2 + 1), &format!("A-{}-{}", n / 5 + 1, n % 5 * 2 + 2)],
            0,
        )
        .await?;
        left_behind(&bench, &format!("stood {n}"), &[], 4).await?;
    }
    let late = wish(&bench, "late", &[], 1, bench.terms().await?.now()).await?;
    let refused = bench.table.decide(late).await;
    let exhausted = TakeRefusal::PoolExhausted { pool: "floor".parse()?, left: 0 };
    assert!(
        matches!(refused, Err(DecideError::Refused(refusal)) if refusal == exhausted),
        "the twin: without looking for overdue holds"
    );
    for n in 0..5 {
        let seats: Vec<String> = (1..=4).map(|seat| format!("A-{}-{}", n / 2 % 2 + 1, n % 2 * 4 + seat)).collect();
        let wish =
            if n < 4 { json!({"seats": seats}) } else { json!({"seats": ["A-1-9", "A-1-10", "A-2-9", "A-2-10"]}) };
        assert_eq!(bench.call(&bench.fan(&format!("new {n}")), "POST", "holds", Some(&wish)).await?.0, 201, "{wish}");
    }
    for n in 0..10 {
        let wish = json!({"pools": [{"pool": "floor", "quantity": 4}]});
        let (status, hold) = bench.call(&bench.fan(&format!("stands {n}")), "POST", "holds", Some(&wish)).await?;
        assert_eq!(status, 201, "{n}: {hold}");
    }
    let one_more = bench
        .call(&bench.fan("late"), "POST", "holds", Some(&json!({"pools": [{"pool": "floor", "quantity": 1}]})))
        .await?;
    assert_eq!((&one_more.1["code"], &one_more.1["left"]), (&json!("POOL_EXHAUSTED"), &json!(0)));
    let shares = bench.table.shares(&bench.event, &"floor".parse()?).await?;
    assert_eq!(
        shares.iter().map(|share| (share.free, share.held)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)),
        (0, 40)
    );
    Ok(())
}
