//! The protocol's single decisions as tables; the simulation shows them together.

use super::*;

const OPENING: WallMs = WallMs(10_000);

fn cut(k: u32, t: i64) -> Cut {
    Cut { k, t: WallMs(t) }
}

fn leaves(times: &[i64]) -> Vec<Leaf> {
    times.iter().map(|t| Leaf { pseudonym: [1; 32], time: WallMs(*t) }).collect()
}

/// A shard of generation 0 with these arrivals.
fn shard(arrivals: &[i64]) -> Shard {
    let mut shard = Shard::new(0, 0, None);
    for at in arrivals {
        let entry = shard.append(OPENING, WallMs(*at));
        shard.record(&entry);
    }
    shard
}

#[test]
fn arrivals_find_their_log_and_time() {
    let before = shard(&[9_000, 11_000]);
    let (after, _) = before.cut(&cut(0, 10_000), &leaves(&[9_000])).expect("the first cut");
    let (later, _) = after.cut(&cut(1, 12_000), &leaves(&[11_000])).expect("the second cut");
    let cases = [
        ("early", &before, 9_500, (0, 1, 9_500)),
        ("early, clock went back", &before, 8_000, (0, 1, 9_000)),
        ("later", &before, 11_500, (1, 1, 11_500)),
        ("stamped in the grace", &before, 9_999, (0, 1, 9_999)),
        ("stamped, but cohort 0 is cut", &after, 9_999, (1, 1, 11_000)),
        ("below the second cut", &later, 11_500, (1, 1, 12_000)),
        ("after it", &later, 12_500, (1, 1, 12_500)),
    ];
    for (name, shard, at, (epoch, index, time)) in cases {
        assert_eq!(shard.append(OPENING, WallMs(at)), Entry { epoch, index, time: WallMs(time) }, "{name}");
    }
}

#[test]
fn a_new_generation_after_the_draw_has_no_early_entries() {
    let shard = Shard::new(0, 3, Some(cut(4, 20_000)));
    assert_eq!(shard.append(OPENING, WallMs(9_000)), Entry { epoch: 7, index: 0, time: WallMs(20_000) });
}

#[test]
fn a_cut_asked_again_answers_the_same_and_an_older_one_is_refused() {
    let (one, first) = shard(&[9_000, 11_000]).cut(&cut(0, 10_000), &leaves(&[9_000])).expect("the first cut");
    assert_eq!(one.cut(&cut(0, 10_000), &[]), Ok((one.clone(), first)));
    let (two, _) = one.cut(&cut(1, 12_000), &leaves(&[11_000])).expect("the second cut");
    for old in [cut(0, 10_000), cut(1, 11_999), cut(2, 11_000)] {
        assert_eq!(two.cut(&old, &[]), Err(CutRefused::Stale(cut(1, 12_000))), "{old:?}");
    }
    assert!(two.cut(&cut(1, 13_000), &[]).is_ok(), "a new attempt at the same cohort cuts further");
    assert_eq!(two.cut(&cut(2, 13_000), &leaves(&[13_000])), Err(CutRefused::Leaves));
    assert_eq!(shard(&[9_000]).cut(&cut(0, 10_000), &[]), Err(CutRefused::Leaves));
}

fn answer(shard: u16, cut: Cut, early: (u32, u64), later: u64) -> CutAnswer {
    let log = |epoch, len| LogAnswer { epoch, len, root: [len as u8; 32] };
    CutAnswer { shard, cut, logs: vec![log(early.0, early.1), log(early.0 + 1, later)] }
}

fn first_row() -> Row {
    let c = cut(0, 10_000);
    close(None, &c, &[0, 0], &[answer(0, c, (0, 3), 9), answer(1, c, (0, 2), 9)], &[7; 32])
        .expect("all answered")
        .expect("5 people")
}

#[test]
fn cohort_0_waits_for_every_shard_in_its_present_generation() {
    let c = cut(0, 10_000);
    let both = [answer(0, c, (0, 3), 0), answer(1, c, (0, 2), 0)];
    assert_eq!(close(None, &c, &[0, 0], &both[..1], &[7; 32]), Err(CloseRefused::Waiting(vec![1])));
    assert_eq!(
        close(None, &c, &[1, 0], &both, &[7; 32]),
        Err(CloseRefused::Waiting(vec![0])),
        "wiped after it answered"
    );
    assert_eq!((first_row().n, first_row().base, first_row().given()), (5, 0, 5));
}

#[test]
fn rows_follow_each_other() {
    for k in [0, 2] {
        let refused = close(Some(&first_row()), &cut(k, 11_000), &[0, 0], &[], &[7; 32]);
        assert_eq!(refused, Err(CloseRefused::NotNext { got: k, want: 1 }));
    }
}

#[test]
fn a_silent_shard_keeps_its_cut_and_an_empty_cohort_is_no_row() {
    let c = cut(1, 11_000);
    let close = |answers: &[CutAnswer]| close(Some(&first_row()), &c, &[0, 0], answers, &[7; 32]).expect("it follows");
    assert_eq!(close(&[]), None);
    assert_eq!(close(&[answer(1, cut(1, 10_500), (0, 2), 4)]), None, "an answer to an earlier attempt");
    let row = close(&[answer(1, c, (0, 2), 4)]).expect("four people");
    assert_eq!((row.n, row.base), (4, 5));
    assert_eq!(row.log(0, 0).map(|log| (log.from, log.to)), Some((3, 3)), "the silent shard");
    assert_eq!(row.log(1, 1).map(|log| (log.from, log.to)), Some((0, 4)));
    assert!(row.numbered(0, 0, 2) && !row.numbered(0, 0, 3) && row.place_of(0, 0, 2).is_none());
    assert!((0..4).all(|i| row.place_of(1, 1, i).is_some_and(|place| (6..=9).contains(&place))));
}

#[test]
fn cuts_come_after_the_grace_and_never_go_back() {
    assert_eq!(next_cut(None, OPENING, 3_000, WallMs(12_999)), None);
    assert_eq!(next_cut(None, OPENING, 3_000, WallMs(13_000)), Some(cut(0, 10_000)));
    assert_eq!(next_cut(Some(&first_row()), OPENING, 3_000, WallMs(14_000)), Some(cut(1, 14_000)));
    assert_eq!(next_cut(Some(&first_row()), OPENING, 3_000, WallMs(1)), Some(cut(1, 10_001)));
}

#[test]
fn accounts_spread_over_shards() {
    let mut counts = [0_u32; 4];
    for i in 0..4_000 {
        counts[usize::from(shard_of(&AccountId::derive("t", &i.to_string()), 4))] += 1;
    }
    assert!(counts.iter().all(|n| (900..1_100).contains(n)), "{counts:?}");
    assert_eq!(shard_of(&AccountId::from_bytes([0; 16]), 0), 0);
}
