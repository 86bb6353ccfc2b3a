//! Importing, importing again, and the way of an order through the table.
#![allow(clippy::unwrap_used)] // A panic is a test's failure.

mod support;

use domain::hold::{Expire, Take};
use domain::ids::OrderId;
use domain::items::{BUCKETS, Hold, OrderState};
use domain::order::{Claim, Deliver, MarkCaptured, Sell, StoreIntent, ticket_keys};
use domain::plan_import::{Imported, import};
use domain::pool::PoolAsk;
use domain::reimport::Obstacle;
use domain::time::{EventMs, WallMs};
use support::shop::{NOW, account, floor, take};
use table::{ImportError, Table};

const EVENT: &str = r#"
id = "night"
name = "A night"
venue = "Hall"
zone = "Europe/Berlin"
opens_at = "2027-03-01T10:00"
ends_at = "2027-06-12T23:00"
currency = "EUR"
plan = "plan.json"
limits = { per_account = 6 }
levels = [{ id = "front", category = "Front", price = "50.00", fee = "5.00" }, { id = "standing", price = "30" }]
pools = [{ id = "floor", name = "Floor", level = "standing", capacity = 5, shares = 2 }]
"#;

fn plan(seats: &[u32]) -> String {
    let seat = |n: &u32| {
        format!(r#"{{"seat_guid":"A-1-{n}","seat_number":"{n}","position":{{"x":{n},"y":0}},"category":"Front"}}"#)
    };
    let seats: Vec<String> = seats.iter().map(seat).collect();
    format!(
        r#"{{"size":{{"width":9,"height":9}},"categories":[{{"name":"Front"}}],"zones":[{{"name":"A","position":{{"x":0,"y":0}},"rows":[{{"row_number":"1","position":{{"x":0,"y":0}},"seats":[{}]}}]}}]}}"#,
        seats.join(",")
    )
}

fn imported(seats: &[u32]) -> Imported {
    import(EVENT, &plan(seats)).unwrap()
}

async fn seat_ids(table: &Table) -> Vec<String> {
    let seats = table.seats(&"night".parse().unwrap(), &"A".parse().unwrap()).await.unwrap();
    seats.iter().map(|s| format!("{}{}", s.seat, if s.hold.is_some() { "*" } else { "" })).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_writes_all_and_again_nothing() {
    let table = support::fresh_table().await;
    let event = imported(&[1, 2, 3]);
    let id = &event.definition.id;
    assert_eq!(table.definition(id).await.unwrap(), None);
    assert_eq!(table.import(&event, |_, _| ()).await.unwrap().added, 3);
    assert_eq!(table.definition(id).await.unwrap(), Some(event.definition.clone()));
    assert_eq!(table.layout(id, &event.layout.version).await.unwrap(), Some(event.layout.clone()));
    let map = table.map(id).await.unwrap();
    let stock = domain::stock::of(&map);
    assert_eq!((stock.all.free, stock.levels["standing"].free), (8, 5));
    assert_eq!(
        table.shares(id, &"floor".parse().unwrap()).await.unwrap().iter().map(|s| s.capacity).collect::<Vec<_>>(),
        [3, 2]
    );
    assert_eq!(table.import(&event, |_, _| ()).await.unwrap(), Default::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_again_never_loses_a_held_seat() {
    let table = support::fresh_table().await;
    table.import(&imported(&[1, 2, 3]), |_, _| ()).await.unwrap();
    table.decide(take(1, "a", &[2])).await.unwrap();
    let refused = table.import(&imported(&[1, 3]), |_, _| ()).await.unwrap_err();
    assert!(
        matches!(&refused, ImportError::InTheWay(o) if matches!(&o[..], [Obstacle::SeatInUse { seat, .. }] if seat.as_str() == "A-1-2")),
        "{refused}"
    );
    assert_eq!(seat_ids(&table).await, ["A-1-1", "A-1-2*", "A-1-3"]);
    let report = table.import(&imported(&[2, 3, 4]), |_, _| ()).await.unwrap();
    assert_eq!((report.added, report.removed, report.changed), (1, 1, 2));
    assert_eq!(seat_ids(&table).await, ["A-1-2*", "A-1-3", "A-1-4"]);
    let map = table.map(&"night".parse().unwrap()).await.unwrap();
    assert_eq!(
        domain::map::unpack(&map.sections[0].states, 3),
        [domain::map::Packed::Held, domain::map::Packed::Free, domain::map::Packed::Free]
    );
}

/// Whoever begins last goes on; what is in force at the end is one whole plan, and a held seat is where it was.
#[tokio::test(flavor = "multi_thread")]
async fn two_imports_at_once_leave_one_plan_whole() {
    let table = support::fresh_table().await;
    table.import(&imported(&[1, 2, 3]), |_, _| ()).await.unwrap();
    table.decide(take(1, "a", &[2])).await.unwrap();
    for (a, b) in [(&[1, 2, 4, 5][..], &[2, 3, 6][..]), (&[2, 7], &[1, 2, 3, 4])] {
        let (a, b) = (imported(a), imported(b));
        let (one, two) = tokio::join!(table.import(&a, |_, _| ()), table.import(&b, |_, _| ()));
        for end in [&one, &two] {
            assert!(matches!(end, Ok(_) | Err(ImportError::Overtaken(_))), "{end:?}");
        }
        let force = table.definition(&"night".parse().unwrap()).await.unwrap().unwrap();
        let whole = [&a, &b].into_iter().find(|i| i.definition == force).unwrap();
        assert!(one.is_ok() || two.is_ok());
        let wanted: Vec<String> = domain::plan_import::seats_of(&force.id, &whole.layout)
            .iter()
            .map(|s| format!("{}{}", s.seat, if s.seat.as_str() == "A-1-2" { "*" } else { "" }))
            .collect();
        assert_eq!(seat_ids(&table).await, wanted);
    }
}

/// A pool that shrinks keeps what is taken, and one that cannot is refused before anything is written.
#[tokio::test(flavor = "multi_thread")]
async fn a_pool_never_gets_fewer_places_than_are_taken() {
    let table = support::fresh_table().await;
    table.import(&imported(&[1]), |_, _| ()).await.unwrap();
    let wish = Take { pools: vec![PoolAsk { order: vec![0, 1], ..floor(4) }], ..take(1, "a", &[]) };
    table.decide(wish).await.unwrap();
    let sized = |places: &str| import(&EVENT.replace("capacity = 5", places), &plan(&[1, 2])).unwrap();
    let refused = table.import(&sized("capacity = 3"), |_, _| ()).await.unwrap_err();
    assert!(refused.to_string().contains("POOL_IN_USE: 4 places of pool floor are taken, the plan has 3"), "{refused}");
    assert_eq!(seat_ids(&table).await, ["A-1-1"], "nothing was written");
    table.import(&sized("capacity = 4"), |_, _| ()).await.unwrap();
    let shares = table.shares(&"night".parse().unwrap(), &"floor".parse().unwrap()).await.unwrap();
    let sum = |of: fn(&domain::items::Share) -> u32| shares.iter().map(of).sum::<u32>();
    assert_eq!((sum(|s| s.capacity), sum(|s| s.held), sum(|s| s.free)), (4, 4, 0));
}

fn claim(hold: Hold) -> Claim {
    let order = OrderId::derive(&hold.account, "o");
    Claim {
        account: hold.account,
        hold,
        order,
        method: "pm".into(),
        limit: 6,
        now: NOW,
        created: WallMs(7),
        fingerprint: "f".into(),
        counted: true,
    }
}

/// Keys in the index of what is open, over all buckets: live holds due, and unfinished orders.
async fn open(table: &Table, before: EventMs) -> (usize, usize) {
    let event = "night".parse().unwrap();
    let (mut holds, mut orders) = (0, 0);
    for bucket in 0..BUCKETS {
        holds += table.due_holds(&event, bucket, before, 10).await.unwrap().len();
        orders += table.open_orders(&event, bucket, before, 10).await.unwrap().len();
    }
    (holds, orders)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_goes_its_way_and_indexes_follow() {
    let table = support::fresh_table().await;
    table.import(&imported(&[1, 2, 3]), |_, _| ()).await.unwrap();
    let pools = vec![PoolAsk { order: vec![0, 1], ..floor(4) }];
    let wish = Take { pools, ..take(1, "a", &[1]) };
    table.decide(wish.clone()).await.unwrap();
    let hold = table.hold(&wish.hold).await.unwrap().unwrap();
    assert_eq!((hold.places.pools.len(), hold.total_minor), (2, 17_500));
    assert_eq!((open(&table, NOW).await, open(&table, hold.until.plus(1)).await), ((0, 0), (1, 0)));
    let claim = claim(hold.clone());
    table.decide(claim.clone()).await.unwrap();
    assert_eq!(open(&table, NOW.plus(9_999_999)).await, (0, 1));
    let order = table.order(&claim.order).await.unwrap().unwrap();
    table.decide(StoreIntent { order, intent: "pi_1".into(), now: NOW }).await.unwrap();
    let order = table.order(&claim.order).await.unwrap().unwrap();
    table.decide(Sell { order, card: None, now: NOW, wall: WallMs(NOW.0) }).await.unwrap();
    let sold = table.order(&claim.order).await.unwrap().unwrap();
    assert_eq!((sold.state, sold.lines), (OrderState::Confirmed, 1));
    table.decide(MarkCaptured { order: sold.clone(), now: NOW, wall: WallMs(NOW.0) }).await.unwrap();
    let captured = table.order(&claim.order).await.unwrap().unwrap();
    table.decide(Deliver { order: captured, now: NOW }).await.unwrap();
    assert_eq!(open(&table, NOW.plus(9_999_999)).await, (0, 0));
    let mine = table.orders_of(&account(1)).await.unwrap();
    assert_eq!(mine.iter().map(|o| (o.id, o.state)).collect::<Vec<_>>(), [(sold.id, OrderState::Delivered)]);
    for key in ticket_keys(&sold) {
        assert!(table.get(&key).await.unwrap().is_some(), "{key:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sweep_frees_what_is_due() {
    let table = support::fresh_table().await;
    table.import(&imported(&[1, 2, 3]), |_, _| ()).await.unwrap();
    let wish = take(1, "a", &[1, 2]);
    table.decide(wish.clone()).await.unwrap();
    let hold = table.hold(&wish.hold).await.unwrap().unwrap();
    let late = hold.until.plus(1);
    table.decide(Take { now: late, ..take(2, "b", &[2]) }).await.unwrap();
    table.decide(Expire::new(hold, late)).await.unwrap();
    assert_eq!(seat_ids(&table).await, ["A-1-1", "A-1-2*", "A-1-3"]);
}
