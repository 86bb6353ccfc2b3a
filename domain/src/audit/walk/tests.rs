use super::*;
use crate::plan::memory::World;

const NIGHT_MS: i64 = 20 * 60 * 60 * 1000;

fn fresh() -> Walk {
    Walk::due(None, WallMs(1_000), NIGHT_MS).expect("nothing was walked yet")
}

fn stored(world: &World) -> Option<Walk> {
    world.get(&key::walk()).map(|item| Walk::from_item(item).expect("readable"))
}

fn write(world: &mut World, next: Walk) -> Walk {
    world.decide(GoOn { next }).expect("nobody else walks");
    stored(world).expect("written")
}

/// Killed after any page, it goes on where it was; every part of the table and every page of the list is read once.
#[test]
fn every_part_is_read_once_though_it_is_killed_after_every_page() {
    let (mut world, mut seen) = (World::new(), Vec::new());
    write(&mut world, fresh());
    loop {
        // Nothing but the table is kept from one page to the next.
        let walk = Walk::due(stored(&world), WallMs(2_000), NIGHT_MS).expect("under way");
        let page = Page { read: 2, findings: 1 };
        let next = match &walk.stage {
            Stage::Table { segment, after } => {
                seen.push(format!("{segment} {}", after.is_some()));
                let last = after.is_none().then(|| ("pk".to_owned(), "sk".to_owned()));
                walk.read_items(page, last, WallMs(3_000))
            }
            Stage::Payments { after } => {
                seen.push(format!("list {after:?}"));
                walk.read_payments(page, after.is_none().then(|| "pi_1".to_owned()), WallMs(3_000))
            }
            Stage::Done => unreachable!("a walk that is done is not due"),
        };
        if write(&mut world, next).stage == Stage::Done {
            break;
        }
    }
    let parts = (0..SEGMENTS).flat_map(|n| [format!("{n} false"), format!("{n} true")]);
    let expect: Vec<_> = parts.chain(["list None".into(), "list Some(\"pi_1\")".into()]).collect();
    assert_eq!(seen, expect);
    let counts = stored(&world).expect("stored").counts;
    let pages = u64::from(SEGMENTS) * 2;
    assert_eq!(counts, Counts { items: pages * 2, payments: 4, findings: pages + 2, left_behind: 0 });
}

#[test]
fn a_page_that_cannot_be_read_is_left_behind_at_last_and_counts_stay() {
    let mut walk = fresh().read_items(Page { read: 7, findings: 0 }, Some(("a".into(), "b".into())), WallMs(1));
    for _ in 1..MOST_TRIES {
        let (next, finding) = walk.failed(WallMs(2));
        assert_eq!((finding, &next.stage, next.counts), (None, &walk.stage, walk.counts));
        walk = next;
    }
    let (next, finding) = walk.failed(WallMs(3));
    assert_eq!(finding.map(|f| (f.code, f.subject)), Some((Code::Unreadable, "table part 0 of 32 from a b".into())));
    assert_eq!(next.stage, Stage::Table { segment: 1, after: None });
    assert_eq!((next.tries, next.counts.items, next.counts.left_behind), (0, 7, 1));
    let mut list = Walk { stage: Stage::Payments { after: None }, tries: MOST_TRIES - 1, ..fresh() };
    (list, _) = list.failed(WallMs(3));
    assert_eq!(list.stage, Stage::Done);
}

#[test]
fn two_who_walk_at_once_count_once() {
    let mut world = World::new();
    let walk = write(&mut world, fresh());
    let page = |read| walk.read_items(Page { read, findings: 0 }, None, WallMs(5));
    write(&mut world, page(3));
    assert_eq!(world.decide(GoOn { next: page(4) }), Err(Overtaken));
    assert!(world.decide(GoOn { next: page(3) }).is_ok(), "a lost reply is no other walker");
    assert_eq!(stored(&world).map(|walk| walk.counts.items), Some(3));
}

#[test]
fn the_next_walk_is_due_a_night_later() {
    let done = Walk { stage: Stage::Done, version: 9, ..fresh() };
    assert_eq!(Walk::due(Some(done.clone()), WallMs(999 + NIGHT_MS), NIGHT_MS), None);
    let next = Walk::due(Some(done), WallMs(1_000 + NIGHT_MS), NIGHT_MS).expect("due");
    assert_eq!((next.version, next.stage), (9, Stage::Table { segment: 0, after: None }));
}
