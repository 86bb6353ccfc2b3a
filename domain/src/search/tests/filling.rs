//! How the index is filled: stock in words, generations, signatures, news.

use super::super::*;
use super::{NOW, doc};
use crate::time::WallMs;

#[test]
fn stock_is_told_in_three_words_and_blocked_places_do_not_count() {
    use crate::stock::Counts;
    let of = |free, sold, blocked| Left::of(&Counts { free, sold, blocked, ..Counts::default() });
    assert_eq!(
        [of(0, 5, 0), of(10, 90, 0), of(11, 89, 0), of(10, 10, 900)],
        [Left::None, Left::Few, Left::Plenty, Left::Plenty]
    );
}

#[test]
fn one_generation_is_filled_at_a_time_and_the_last_one_is_left_alone_for_a_while() {
    let slot = |slot, state, number, since| Generation { slot, state, number, since_ms: WallMs(since) };
    let fresh = [slot(0, State::Live, 0, 0), slot(1, State::Idle, 0, 0)];
    let (number, statements) = begin(&fresh, NOW).expect("nothing is in the way");
    assert_eq!((number, statements.len()), (1, 3));
    assert!(statements.iter().all(|s| s.sql.contains("slot = 1") && s.sql.matches('?').count() == s.args.len()));
    let filling = [slot(0, State::Live, 0, 0), slot(1, State::Filling, 1, NOW.0)];
    assert_eq!(begin(&filling, NOW).map(|(number, _)| number), Ok(2), "a filling that never ended is given up");
    assert_eq!(switch(&filling, 2, NOW), Err(Refusal::Overtaken));
    assert_eq!(switch(&fresh, 0, NOW), Err(Refusal::Overtaken));
    assert!(switch(&filling, 1, NOW).is_ok());
    let switched = [slot(0, State::Idle, 0, NOW.0), slot(1, State::Live, 1, NOW.0)];
    assert_eq!(begin(&switched, NOW.plus(SETTLE_MS - 1)), Err(Refusal::Settling));
    let (number, statements) = begin(&switched, NOW.plus(SETTLE_MS)).expect("a minute later");
    assert!(number == 2 && statements.iter().all(|s| s.sql.contains("_0") || s.sql.contains("slot = 0")));
}

#[test]
fn a_call_is_good_for_its_path_its_body_and_a_few_minutes() {
    use crate::keys::MasterKeys;
    let keys = |text: &str| MasterKeys::parse(text).expect("keys");
    let (old, both) =
        (keys("1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"), "2:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE");
    let rotated = keys(&format!("{both},1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"));
    let signed = sign("/v1/search/events", b"body", &old, NOW);
    let check =
        |header: &str, path: &str, body: &[u8], later: i64| verify(header, path, body, &rotated, NOW.plus(later));
    assert_eq!(check(&signed, "/v1/search/events", b"body", 300_000), Ok(()), "the older key still verifies");
    assert_eq!(check(&sign("/p", b"", &rotated, NOW), "/p", b"", -300_000), Ok(()));
    let other = sign("/v1/search/events", b"body", &keys("1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"), NOW);
    let refused = [
        (signed.as_str(), "/v1/search/generations", &b"body"[..], 0),
        (&signed, "/v1/search/events", b"Body", 0),
        (&signed, "/v1/search/events", b"body", 301_000),
        (&signed, "/v1/search/events", b"body", -301_000),
        (&other, "/v1/search/events", b"body", 0),
        (&signed.replace("k=1", "k=2"), "/v1/search/events", b"body", 0),
        (&signed.replace("k=1", "k=3"), "/v1/search/events", b"body", 0),
        (&format!("{signed},v1=00"), "/v1/search/events", b"body", 0),
        ("", "/v1/search/events", b"body", 0),
        ("t=1,k=1,v1=zz", "/v1/search/events", b"body", 0),
    ];
    for (header, path, body, later) in refused {
        assert_eq!(check(header, path, body, later), Err(NotSigned), "{header} {path} {later}");
    }
}

#[test]
fn news_get_a_version_before_they_are_told_and_nobody_gives_the_same_one_twice() {
    use crate::plan::Rule;
    use crate::plan::memory::World;
    let now = |name: &str| Doc { name: name.into(), version: 0, ..doc("a") };
    let mut table = World::new();
    let last = |table: &World| {
        let item = table.get(&crate::items::key::notice(&doc("a").id))?;
        Some(Notice::from_item(item).expect("as it was written"))
    };
    let Step::Note(first) = step(None, now("One")) else { panic!("nothing was said yet") };
    let Step::Note(rival) = step(None, now("Two")) else { panic!("nothing was said yet") };
    table.commit(&first.plan().expect("a plan")).expect("the first word");
    assert!(table.commit(&rival.plan().expect("a plan")).is_err(), "who read before it was written is overtaken");
    let noted = last(&table).expect("a notice");
    assert_eq!((noted.doc.version, noted.told), (1, false));
    assert_eq!(
        step(Some(&noted), now("One")),
        Step::Tell(Doc { version: 1, ..now("One") }),
        "whoever noted it may have died"
    );
    let told = Told { event: doc("a").id, version: 1 };
    table.commit(&told.plan().expect("a plan")).expect("it is told");
    let noted = last(&table).expect("a notice");
    assert_eq!(step(Some(&noted), now("One")), Step::Rest);
    let Step::Note(second) = step(Some(&noted), now("Two")) else { panic!("this is news") };
    table.commit(&second.plan().expect("a plan")).expect("the second word");
    assert!(table.commit(&told.plan().expect("a plan")).is_err(), "what was told is not the last word any more");
    assert_eq!(last(&table).map(|noted| (noted.doc.version, noted.told)), Some((2, false)));

    // Without the condition the rival gives the same version to other words, and the index keeps whichever came first.
    let mut unguarded = rival.plan().expect("a plan");
    unguarded.writes.iter_mut().for_each(|write| write.expect = crate::plan::Cond::Always);
    let mut table = World::new();
    table.commit(&first.plan().expect("a plan")).expect("the first word");
    table.commit(&unguarded).expect("nothing stands in its way");
    assert_eq!(last(&table).map(|noted| (noted.doc.version, noted.doc.name)), Some((1, "Two".into())));
}
